"use strict";
/** What happened around the trials: the window was left, the connection lost. Signals may get lost; answers may not. */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const MOST = 64;
  const EVERY = 15000;

  /** Collect signals and hand them on from time to time; return a function that adds one. */
  deixis.signals = function (send) {
    let collected = [];

    function add(kind, value) {
      collected.push({ kind, at_ms: Date.now(), value: value === undefined ? null : value });
      if (collected.length >= MOST) flush();
    }

    function flush() {
      if (!collected.length) return;
      const events = collected.slice(0, MOST);
      collected = collected.slice(MOST);
      Promise.resolve(send(events)).catch(() => {
        collected = [...events, ...collected].slice(0, MOST);
      });
    }

    document.addEventListener("visibilitychange", () => {
      add(document.hidden ? "hidden" : "visible");
      if (document.hidden) flush();
    });
    window.addEventListener("blur", (event) => event.target === window && add("blur"));
    window.addEventListener("focus", (event) => event.target === window && add("focus"));
    window.addEventListener("online", () => add("online"));
    window.addEventListener("offline", () => add("offline"));
    setInterval(flush, EVERY);
    return { add, flush };
  };
})();
