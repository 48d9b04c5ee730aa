"use strict";
/** jsPsych plugin: a picture, the gaze line over it, and two to four messages to choose from. */
var deixisSceneChoice = (function (jspsych) {
  const deixis = window.deixis;
  const shared = deixis.shared(jspsych);

  const info = {
    name: "deixis-scene-choice",
    version: "1.0.0",
    parameters: {
      ...shared.parameters,
      /** {shown_ms, hidden_ms, cycles} of the gaze line. */
      blink: { type: jspsych.ParameterType.OBJECT, default: { shown_ms: 700, hidden_ms: 300, cycles: 4 } },
    },
    data: shared.data,
  };

  class DeixisSceneChoice {
    constructor(jsPsych) {
      this.jsPsych = jsPsych;
    }

    async trial(display, { item, heading, blink, on_answer: give }, loaded) {
      const measured = deixis.measure();
      const picture = item.picture ? await deixis.awaited(display, item, heading) : null;
      if (measured.signal.aborted) return;
      const scene = picture ? deixis.scene(picture, item) : null;
      await new Promise((resolve) => {
        const options = deixis.options(item, measured, (place, event) => {
          if (!measured.accepts(event)) return;
          const answer = give(deixis.answer(item, measured, event, { choice: place }));
          deixis.measured();
          this.jsPsych.finishTrial(answer);
          resolve();
        });
        const trial = deixis.make("div", { class: "trial scene-choice" }, scene, options);
        const [title, prompt] = deixis.asked(heading, item.prompt);
        trial.prepend(...[title, prompt].filter(Boolean));
        deixis.show(display, trial);
        measured.motion = scene ? deixis.blink(scene, blink, measured.signal) : "none";
        measured.begin();
        loaded();
      });
    }
  }
  DeixisSceneChoice.info = info;
  return DeixisSceneChoice;
})(jsPsychModule);
