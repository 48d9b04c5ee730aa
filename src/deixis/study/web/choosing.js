"use strict";
/** What the trials with two to four options share: the heading, the buttons and keys, the answer that is given. */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const { make } = deixis;

  /** The parts that a trial of any kind begins with: its heading and, if there is one, what is asked. */
  deixis.asked = function (heading, prompt) {
    const title = deixis.heading(heading, { class: "number", "aria-describedby": prompt ? "prompt" : null });
    return [title, prompt ? make("p", { class: "prompt", id: "prompt" }, prompt) : null];
  };

  /** The options as buttons, in the order of the trial; `chosen(place, event)` is called for every attempt. */
  deixis.options = function (item, measured, chosen) {
    const buttons = item.options.map((text, place) => {
      const attributes = { class: "option", "aria-keyshortcuts": String(place + 1), "data-place": place };
      const button = deixis.button("", attributes);
      button.append(make("span", { class: "key", "aria-hidden": "true" }, String(place + 1)),
        make("span", { class: "words" }, text));
      button.addEventListener("click", (event) => chosen(place, event));
      return button;
    });
    deixis.numberKeys(measured, buttons.length, (number, event) => chosen(number - 1, event));
    return make("div", { class: "options", role: "group", "aria-label": deixis.say("trial.options") }, buttons);
  };

  /** Everything that is recorded of an answer, whatever its kind. */
  deixis.answer = (item, measured, event, given) => ({
    key: item.key,
    presentation: item.presentation,
    order: item.order,
    choice: null,
    ratings: null,
    ...given,
    ...measured.record(event),
  });

  /** The picture of a trial; while it is not there yet, the page says so, and no time runs. */
  deixis.awaited = async function (display, item, heading) {
    const ready = deixis.picture(item.picture);
    const late = setTimeout(() => {
      const notice = make("p", { class: "notice", role: "status" }, deixis.say("waiting.picture"));
      deixis.show(display, deixis.heading(heading, { class: "number" }), notice);
    }, 150);
    const picture = await ready;
    clearTimeout(late);
    return picture;
  };

  /** The parameters that all trials of a study take, and what all of them record. */
  deixis.shared = function ({ ParameterType: type }) {
    return {
      parameters: {
        /** One trial as the manifest has it: key, prompt, options and so on. */
        item: { type: type.OBJECT, default: undefined },
        /** What the heading says: which question it is of how many. */
        heading: { type: type.STRING, default: "" },
        /** Called with the answer at once, before anything else happens; what it returns is recorded. */
        on_answer: { type: type.FUNCTION, default: (answer) => answer },
      },
      data: {
        key: { type: type.STRING },
        presentation: { type: type.INT },
        order: { type: type.INT },
        choice: { type: type.INT },
        ratings: { type: type.INT, array: true },
        rt_ms: { type: type.FLOAT },
        input: { type: type.STRING },
        client_ms: { type: type.INT },
        hidden_ms: { type: type.INT },
        blurs: { type: type.INT },
        trusted: { type: type.BOOL },
        travel_px: { type: type.INT },
        size: { type: type.INT, array: true },
        motion: { type: type.STRING },
      },
    };
  };
})();
