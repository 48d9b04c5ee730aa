"use strict";
/** jsPsych plugin: a picture with labelled objects, each to be rated on a scale of a few points. */
var deixisSceneRating = (function (jspsych) {
  const deixis = window.deixis;
  const { make, say } = deixis;
  const shared = deixis.shared(jspsych);

  const info = {
    name: "deixis-scene-rating",
    version: "1.0.0",
    parameters: {
      ...shared.parameters,
      /** {low, high, points}: what the ends of the scale mean. */
      scale: { type: jspsych.ParameterType.OBJECT, default: { low: "", high: "", points: 7 } },
    },
    data: shared.data,
  };

  const labelsOf = (item) => item.labels || item.options || ["A", "B", "C", "D"];

  /** What a screen reader says of one circle; the ends say what they mean. */
  function spoken(value, label, scale) {
    const ends = { 1: "rating.low", [scale.points]: "rating.high" };
    return say(ends[value] || "rating.value", { label, value, ...scale });
  }

  /** One object: a fieldset with a circle for each point. */
  function row(label, place, scale) {
    const points = Array.from({ length: scale.points }, (_, i) => i + 1);
    return make("fieldset", { class: "rating", "data-place": place },
      make("legend", {}, make("span", { class: "unseen" }, say("rating.object", { label: "" })), label),
      points.map((value) =>
        make("label", {},
          make("input", {
            type: "radio", name: `rating-${place}`, value, autocomplete: "off",
            "aria-label": spoken(value, label, scale),
          }),
          make("span", { "aria-hidden": "true" }, String(value)))));
  }

  class DeixisSceneRating {
    constructor(jsPsych) {
      this.jsPsych = jsPsych;
    }

    async trial(display, { item, heading, scale, on_answer: give }, loaded) {
      const measured = deixis.measure();
      const picture = item.picture ? await deixis.awaited(display, item, heading) : null;
      if (measured.signal.aborted) return;
      const labels = labelsOf(item);
      const rows = labels.map((label, place) => row(label, place, scale));
      const ratings = () => rows.map((one) => {
        const checked = one.querySelector("input:checked");
        return checked ? Number(checked.value) : null;
      });
      const missing = make("p", { class: "missing", role: "alert" });
      const button = make("button", { type: "submit", class: "main" }, say("rating.next"));
      const form = make("form", { class: "ratings", novalidate: true },
        make("p", { class: "scale" }, say("rating.scale", scale)), rows, missing, button);

      deixis.numberKeys(measured, scale.points, (number, event) => {
        const own = rows.find((one) => one.contains(document.activeElement));
        const open = rows.find((one, place) => ratings()[place] === null);
        const target = own || open;
        if (!target || !measured.accepts(event)) return;
        target.querySelectorAll("input")[number - 1].checked = true;
        const next = rows.find((one, place) => place > rows.indexOf(target) && ratings()[place] === null);
        (next ? next.querySelector("input") : button).focus();
        event.preventDefault();
      });

      await new Promise((resolve) => {
        let last = null;
        // How it was pressed is told by the button's event, which also comes before the form's for Enter in a circle.
        button.addEventListener("click", (event) => (last = event));
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          const by = last || event;
          if (!measured.accepts(by)) return;
          const given = ratings();
          const open = labels.filter((label, place) => given[place] === null);
          missing.textContent = open.length ? say("rating.missing", { labels: deixis.list(open) }) : "";
          if (open.length) {
            rows[given.indexOf(null)].querySelector("input").focus();
            return;
          }
          const answer = give(deixis.answer(item, measured, by, { ratings: given }));
          deixis.measured();
          this.jsPsych.finishTrial(answer);
          resolve();
        });
        const trial = make("div", { class: "trial scene-rating" }, picture ? deixis.scene(picture, item) : null, form);
        trial.prepend(...deixis.asked(heading, item.prompt).filter(Boolean));
        deixis.show(display, trial);
        measured.begin();
        loaded();
      });
    }
  }
  DeixisSceneRating.info = info;
  return DeixisSceneRating;
})(jsPsychModule);
