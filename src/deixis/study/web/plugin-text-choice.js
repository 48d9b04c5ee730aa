"use strict";
/** jsPsych plugin: a passage, a question about it, and two options. */
var deixisTextChoice = (function (jspsych) {
  const deixis = window.deixis;
  const { make } = deixis;

  class DeixisTextChoice {
    constructor(jsPsych) {
      this.jsPsych = jsPsych;
    }

    trial(display, { item, heading, on_answer: give }) {
      const measured = deixis.measure();
      const options = deixis.options(item, measured, (place, event) => {
        if (!measured.accepts(event)) return;
        const answer = give(deixis.answer(item, measured, event, { choice: place }));
        deixis.measured();
        this.jsPsych.finishTrial(answer);
      });
      deixis.show(display, make("div", { class: "trial text-choice" },
        ...deixis.asked(heading, item.prompt),
        make("blockquote", { class: "passage" }, make("p", {}, item.passage)),
        make("p", { class: "question" }, item.question),
        options));
      measured.begin();
    }
  }
  DeixisTextChoice.info = { name: "deixis-text-choice", version: "1.0.0", ...deixis.shared(jspsych) };
  return DeixisTextChoice;
})(jsPsychModule);
