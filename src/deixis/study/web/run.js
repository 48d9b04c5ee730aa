"use strict";
/**
 * The study on its way: asks the host what comes, runs it with jsPsych, sends what is answered, says when it is over.
 *
 * A host is an object `window.deixisHost` with `name` (of the session) and five calls that promise what the server
 * promises too: `state(visit)`, `step(name)`, `answers(list)`, `leave(remove)`, `events(list)`. It may have `ready`, a
 * promise to wait for; `arrive(visit)`, called before anything else; `started(jsPsych)`; `before` and `after`, trials of
 * its own; and `ended(state)`, which returns elements for the last page (or a promise of them).
 *
 * The page knows nothing of what is right.
 */
(function () {
  const deixis = window.deixis;
  const { say } = deixis;
  const place = part("main", "study");
  const KINDS = {
    "scene-choice": () => deixisSceneChoice,
    "text-choice": () => deixisTextChoice,
    "scene-rating": () => deixisSceneRating,
  };
  const BUTTONS = { consent: ["agree", "decline"], instructions: ["next"], debriefing: ["next"] };

  /** A part of the page; hosts that bring a page of their own lack it. */
  function part(tag, id) {
    const found = document.getElementById(id);
    if (found) return found;
    const made = deixis.make(tag, { id });
    document.body.append(made);
    return made;
  }

  let host, store, visit, box, frame, signals, jsPsych;
  let last = {};
  let response = null;
  let over = false; // no trial is shown any more
  let finished = false; // the last page is shown
  let running = false;
  let done = 0;
  const timeline = [];

  /** Ask the host until it answers; the page says meanwhile that there is no connection. */
  async function reach(call) {
    for (let failures = 1; ; failures += 1) {
      try {
        const answer = await call();
        connected(true);
        return answer;
      } catch (error) {
        if (error.refuses || error.ends) return { phase: "problem" };
        connected(false);
        await deixis.pause(deixis.waitAfter(failures));
      }
    }
  }

  function connected(yes) {
    if (!finished) frame.offline(!yes || navigator.onLine === false, store.lasting);
  }

  /** What the host is told of this page; `page` is new with every load, since the newest page owns the session. */
  function arriving() {
    const loads = Number(store.get("loads") || 0) + 1;
    store.put("loads", String(loads));
    return {
      page: deixis.random(16),
      loads,
      webdriver: Boolean(navigator.webdriver),
      touch: navigator.maxTouchPoints > 0,
      size: [window.innerWidth, window.innerHeight],
      motion: deixis.motion(),
    };
  }

  /** Take what the host says comes next, and put it on jsPsych's timeline. */
  function take(state) {
    last = { ...last, ...state };
    if (deixis.ENDS.includes(state.phase)) return;
    const waiting = new Set(box.waiting);
    const items = (state.timeline || []).filter((item) => item.type !== "trial" || !waiting.has(item.key));
    const skipped = (state.timeline || []).length - items.length;
    const progress = state.progress || { done: 0, total: 0 };
    done = progress.done + skipped;
    frame.progress(done, progress.total);
    frame.code(state.code);
    deixis.preload(items.map((item) => item.picture).filter(Boolean));
    let asked = done;
    for (const item of items) {
      if (item.type !== "trial") timeline.push(reading(item));
      else if (item.part !== "practice") timeline.push(trial(item, "trial.question", (asked += 1), progress.total));
      else {
        const own = items.filter((one) => one.part === "practice" && one.block === item.block);
        timeline.push(trial(item, "trial.practice", own.indexOf(item) + 1, own.length));
      }
    }
    timeline.push({ type: deixisTurn, step: state.next || "" });
  }

  function reading(item) {
    const buttons = BUTTONS[item.type].map((value) => ({ value, text: say(`${item.type}.${value}`) }));
    return {
      type: deixisPage, item, title: say(`${item.type}.title`), buttons,
      on_finish: (data) => (response = data.response),
    };
  }

  function trial(item, text, number, total) {
    return {
      type: KINDS[item.kind](),
      item,
      heading: say(text, { number, total: Math.max(total, number) }),
      on_start: shown,
      on_answer: answered,
      ...(item.kind === "scene-choice" && last.blink ? { blink: last.blink } : {}),
      ...(item.kind === "scene-rating" && last.scale ? { scale: last.scale } : {}),
      data: { part: item.part, block: item.block },
    };
  }

  /** Count how often a trial has been shown; another browser may have shown it before, which the host knows. */
  function shown({ item }) {
    const times = Number(store.get(`shown:${item.key}`) || 0) + 1;
    store.put(`shown:${item.key}`, String(times));
    item.presentation = Math.max(item.presentation || 1, times);
  }

  /** An answer is kept here the moment that it is given, in the event itself. */
  function answered(given) {
    const answer = { ...given, loads: visit.loads };
    box.put(answer);
    const item = (last.timeline || []).find((one) => one.key === answer.key);
    if (!item || item.part !== "practice") done += 1;
    frame.progress(done, (last.progress || { total: 0 }).total);
    return { type: "answer", ...answer };
  }

  /** jsPsych plugin: between two parts everything is sent, then the host says what comes. */
  class deixisTurn {
    async trial(display, { step }, loaded) {
      loaded();
      const late = setTimeout(() => {
        const text = say(navigator.onLine === false || box.failures ? "waiting.offline" : "waiting.saving");
        const about = deixis.make("p", { role: "status" }, text);
        deixis.show(display, deixis.heading(say("waiting.title")), about);
      }, 500);
      try {
        await box.flush();
        if (over) return {};
        const name = response === "decline" ? "decline" : step;
        response = null;
        for (let failures = 1; ; failures += 1) {
          const state = await reach(() => (name ? host.step(name) : host.state(visit)));
          if (over) return {};
          const same = state.next === step && !(state.timeline || []).length && !deixis.ENDS.includes(state.phase);
          if (!same) {
            take(state);
            return { page: "turn", response: name };
          }
          await deixis.pause(deixis.waitAfter(failures));
        }
      } finally {
        clearTimeout(late);
      }
    }
  }
  deixisTurn.info = {
    name: "deixis-turn",
    version: "1.0.0",
    parameters: { step: { type: jsPsychModule.ParameterType.STRING, default: "" } },
    data: {},
  };

  /** Show no trial any more. */
  function halt() {
    over = true;
    deixis.measured();
    if (running) jsPsych.abortExperiment();
  }

  /** End now, whatever is on the page. */
  function end(state) {
    if (over) return;
    halt();
    box.close();
    last = { ...last, ...state };
    finish();
  }

  /** The host takes no answers any more; it may know why. */
  async function closed() {
    const state = await reach(() => host.state(visit));
    end(deixis.ENDS.includes(state.phase) && state.phase !== "problem" ? state : { phase: "closed" });
  }

  async function finish() {
    over = finished = true;
    if (host.after && jsPsych) await jsPsych.run(host.after);
    frame.offline(false, true);
    frame.over();
    frame.code("");
    let extra = [];
    try {
      extra = host.ended ? await host.ended(last) : [];
    } catch (error) {
      console.warn(error);
    }
    deixis.ending(place, last, extra);
  }

  /** Somebody leaves. That is kept here too, so that it happens even if the page is closed before it is heard. */
  async function stop(remove) {
    if (over) return;
    signals.add("stop", remove ? "delete" : "keep");
    store.put("leave", remove ? "delete" : "keep");
    halt();
    if (remove) box.empty();
    deixis.show(place, deixis.heading(say("waiting.title")),
      deixis.make("p", { role: "status" }, say(navigator.onLine === false ? "waiting.offline" : "waiting.saving")));
    await leaving(remove);
    finish();
  }

  async function leaving(remove) {
    if (!remove) await box.flush();
    box.close();
    const state = await reach(() => host.leave(remove));
    store.remove("leave");
    last = { ...last, ...state };
  }

  async function begin() {
    host = window.deixisHost;
    await host.ready;
    store = deixis.storage(host.name);
    visit = arriving();
    if (host.arrive) host.arrive(visit);
    place.before(part("header", "top"));
    part("footer", "bottom");
    deixis.show(place, deixis.heading(say("loading")));
    frame = deixis.frame({ stop, opened: () => signals.add("stop-opened") });
    signals = deixis.signals((events) => host.events(events));
    box = deixis.outbox(store, (answers) => host.answers(answers), {
      changed: (outbox) => connected(outbox.failures === 0),
      refused: (key, reason) => signals.add("refused", `${key}: ${reason}`.slice(0, 200)),
      stopped: (result) => (result.elsewhere ? end({ phase: "elsewhere" }) : closed()),
    });
    window.addEventListener("offline", () => connected(false));
    window.addEventListener("online", () => connected(box.failures === 0));
    window.addEventListener("storage", (event) => {
      if (event.key === `${store.start}page` && event.newValue !== visit.page) end({ phase: "elsewhere" });
    });
    window.addEventListener("pageshow", (event) => event.persisted && window.location.reload());

    const left = store.get("leave");
    if (left === "delete") box.empty();
    await box.attempt();
    const state = await reach(() => host.state(visit));
    store.put("page", visit.page);
    document.title = (state.study && state.study.title) || document.title;
    document.documentElement.lang = (state.study && state.study.language) || "en";
    if (left && !deixis.ENDS.includes(state.phase)) {
      last = state;
      await leaving(left === "delete");
      return finish();
    }
    store.remove("leave");
    box.flush();
    jsPsych = initJsPsych({
      display_element: place,
      override_safe_mode: true, // nothing here asks others, so a page in a folder needs no other ways
      on_trial_start: () => (place.tabIndex = -1), // the heading is focused, not the frame around it
      on_trial_finish: () => deixis.measured(),
      ...(host.jsPsych || {}),
    });
    deixis.jsPsych = jsPsych;
    if (host.started) host.started(jsPsych);
    timeline.push(...(host.before || []));
    take(state);
    if (timeline.length && !over) {
      running = true;
      place.replaceChildren();
      await jsPsych.run(timeline);
      running = false;
    }
    if (!over) await finish();
  }

  deixis.running = begin().catch((error) => {
    console.error(error);
    deixis.ending(place, { phase: "problem" });
  });
})();
