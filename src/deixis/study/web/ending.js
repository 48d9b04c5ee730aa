"use strict";
/** The last page, by how the study ended for this person. */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const { make, say } = deixis;
  const GONE = ["withdrawn", "declined", "full", "elsewhere", "problem", "device"];

  /** Phases after which nothing more is asked. */
  deixis.ENDS = [
    "done", "declined", "full", "left", "withdrawn", "closed", "elsewhere", "expired", "device", "problem",
  ];

  const onward = (text, address) =>
    make("p", { class: "actions" }, make("a", { class: "main", href: address, rel: "noreferrer" }, text));

  /** Show the last page; `extra` are elements that a host adds, such as a button that saves a file. */
  deixis.ending = function (place, state, extra) {
    const { phase } = state;
    const study = state.study || {};
    const devices = (state.devices || ["desktop"]).map((name) => say(`device.${name}`));
    const parts = [
      deixis.heading(say(`${phase}.title`)),
      make("p", {}, say(`${phase}.about`, { devices: deixis.list(devices) })),
    ];
    if (phase === "done" && state.completion_code) {
      parts.push(make("p", { class: "completion" }, say("done.code", { code: state.completion_code })));
    }
    if (phase === "done" && state.complete) {
      parts.push(make("p", {}, say("done.complete.about")), onward(say("done.complete"), state.complete));
    } else if (state.complete) {
      parts.push(onward(say("end.return"), state.complete));
    }
    if (phase === "elsewhere") {
      const here = deixis.button(say("elsewhere.here"), { class: "main" });
      here.addEventListener("click", () => window.location.reload());
      parts.push(make("p", { class: "actions" }, here));
    }
    if (state.code && !GONE.includes(phase)) parts.push(make("p", {}, say("end.code", { code: state.code })));
    parts.push(...(extra || []));
    if (study.contact) parts.push(make("p", { class: "contact" }, say("end.contact", study)));
    if (phase === "done" && !state.complete) parts.push(make("p", {}, say("done.close")));
    deixis.show(place, make("article", { class: "reading ending", "data-phase": phase }, parts));
  };
})();
