"use strict";
/**
 * What is measured of one answer: time since the trial was seen, how it was given, and what happened meanwhile.
 * One trial is measured at a time; whatever listens for it stops listening when it ends.
 */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const TOO_SOON = 250; // milliseconds: nobody has read anything by then, it is the end of the last click
  let current = null;

  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  deixis.motion = () => (still() ? "reduce" : "any");

  /** Begin to measure a trial. */
  deixis.measure = function () {
    deixis.measured();
    const listening = new AbortController();
    const { signal } = listening;
    let onset = null;
    let blurs = 0;
    let hidden = 0;
    let hiddenSince = null;
    let travel = 0;
    let last = null;
    let pointer = "";
    let pressed = -Infinity;

    const trial = {
      signal,
      motion: "none",
      /** The trial is on the screen from the next frame on. */
      begin() {
        onset = performance.now();
        requestAnimationFrame((time) => {
          if (current === trial) onset = Math.max(onset, time);
        });
      },
      /** Whether an event can be an answer: no second click of a double click, nothing sooner than .25 s. */
      accepts(event) {
        if (onset === null || current !== trial) return false;
        if (event.type === "click" && event.detail >= 2) return false;
        return performance.now() - onset >= TOO_SOON;
      },
      /** Return what is recorded of the answer that an event gives. */
      record(event) {
        const now = performance.now();
        const when = event.timeStamp > onset && event.timeStamp <= now ? event.timeStamp : now;
        if (hiddenSince !== null) hidden += now - hiddenSince;
        return {
          rt_ms: Math.round((when - onset) * 10) / 10,
          input: kindOf(event),
          client_ms: Date.now(),
          hidden_ms: Math.round(hidden),
          blurs,
          trusted: Boolean(event.isTrusted),
          travel_px: Math.round(travel),
          size: [window.innerWidth, window.innerHeight],
          motion: trial.motion,
        };
      },
      end() {
        listening.abort();
      },
    };

    /** A screen reader or switch presses buttons without key or pointer. */
    function kindOf(event) {
      if (event.type === "keydown") return "key";
      const type = event.pointerType || (event.detail > 0 ? pointer : "");
      if (type === "mouse" || type === "touch" || type === "pen") return type;
      if (event.detail > 0) return "mouse";
      return performance.now() - pressed < 1500 ? "key" : "assistive";
    }

    const heard = { signal, capture: true, passive: true };
    window.addEventListener("blur", (event) => event.target === window && (blurs += 1), heard);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) hiddenSince = performance.now();
      else if (hiddenSince !== null) {
        hidden += performance.now() - hiddenSince;
        hiddenSince = null;
      }
    }, heard);
    document.addEventListener("pointermove", (event) => {
      if (last) travel += Math.hypot(event.clientX - last[0], event.clientY - last[1]);
      last = [event.clientX, event.clientY];
    }, heard);
    document.addEventListener("pointerdown", (event) => (pointer = event.pointerType), heard);
    const press = (event) => {
      if (event.key === "Enter" || event.key === " ") pressed = performance.now();
    };
    document.addEventListener("keydown", press, heard);
    document.addEventListener("keyup", press, heard);
    if (document.hidden) hiddenSince = performance.now();
    current = trial;
    return trial;
  };

  /** End what is being measured, if anything is. */
  deixis.measured = function () {
    if (current) current.end();
    current = null;
  };

  /** Call `chosen(number, event)` for the number keys, unless they are turned off or meant for something else. */
  deixis.numberKeys = function (trial, most, chosen) {
    document.addEventListener("keydown", (event) => {
      if (deixis.keysOff || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.isComposing || event.defaultPrevented || !heardBy(event.target)) return;
      const number = numberOf(event);
      if (number >= 1 && number <= most) chosen(number, event);
    }, { signal: trial.signal });
  };

  /** Keys count in the study and on the page itself, not in the frame's buttons or in an open dialogue. */
  function heardBy(target) {
    if (document.querySelector("dialog[open]")) return false;
    const study = document.getElementById("study");
    return target === document.body || target === document.documentElement || study.contains(target);
  }

  /** By what the key writes; where the row of digits needs shift (France), by its place. */
  function numberOf(event) {
    if (/^[1-9]$/.test(event.key)) return event.shiftKey && /^Numpad/.test(event.code) ? 0 : Number(event.key);
    const placed = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
    return placed && !event.shiftKey ? Number(placed[1]) : 0;
  }
})();
