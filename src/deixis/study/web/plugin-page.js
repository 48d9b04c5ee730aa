"use strict";
/** jsPsych plugin: a page to read (consent, instructions, debriefing) with one or two buttons. */
var deixisPage = (function (jspsych) {
  const deixis = window.deixis;
  const { make } = deixis;

  const info = {
    name: "deixis-page",
    version: "1.0.0",
    parameters: {
      /** {type, html}: the html comes from the study's own Markdown, in which raw html is turned off. */
      item: { type: jspsych.ParameterType.OBJECT, default: undefined },
      /** What the heading says where the text has none. */
      title: { type: jspsych.ParameterType.STRING, default: "" },
      /** [{value, text}], the first one the way on. */
      buttons: { type: jspsych.ParameterType.OBJECT, array: true, default: [] },
    },
    data: {
      /** Which page: consent, instructions or debriefing. */
      page: { type: jspsych.ParameterType.STRING },
      /** The value of the button. */
      response: { type: jspsych.ParameterType.STRING },
      rt_ms: { type: jspsych.ParameterType.FLOAT },
    },
  };

  /** A page has one first heading; it takes the focus. */
  function reading(html, title) {
    const text = make("article", { class: "reading" });
    text.innerHTML = html;
    const [first, ...others] = text.querySelectorAll("h1");
    for (const other of others) {
      const lower = make("h2");
      lower.append(...other.childNodes);
      other.replaceWith(lower);
    }
    if (first) first.tabIndex = -1;
    else text.prepend(deixis.heading(title));
    for (const link of text.querySelectorAll("a[href]")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
    return text;
  }

  class DeixisPage {
    constructor(jsPsych) {
      this.jsPsych = jsPsych;
    }

    trial(display, { item, title, buttons }) {
      const measured = deixis.measure();
      const row = make("div", { class: "actions" });
      for (const [place, { value, text }] of buttons.entries()) {
        const button = deixis.button(text, { class: place ? "plain" : "main", "data-value": value });
        button.addEventListener("click", (event) => {
          if (!measured.accepts(event)) return;
          const { rt_ms } = measured.record(event);
          deixis.measured();
          this.jsPsych.finishTrial({ page: item.type, response: value, rt_ms });
        });
        row.append(button);
      }
      deixis.show(display, reading(item.html, title), row);
      measured.begin();
    }
  }
  DeixisPage.info = info;
  return DeixisPage;
})(jsPsychModule);
