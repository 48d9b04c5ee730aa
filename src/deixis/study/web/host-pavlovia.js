"use strict";
/**
 * The host Pavlovia: its jsPsych plugin begins and ends a session, and stores what jsPsych recorded at the end. The
 * plugin (`jsPsychPavlovia`) is Pavlovia's and is put beside the page by whoever uploads it.
 */
(function () {
  const deixis = window.deixis;
  const manifest = window.deixisManifest;
  const shelf = deixis.shelf(manifest.study);
  let jsPsych = null;
  let session = null;

  const tell = () => jsPsych && session && jsPsych.data.addProperties({
    code: session.code, arm: session.arm, study: manifest.study, design_sha256: manifest.design_sha256,
    started: session.started,
  });

  const host = deixis.localHost({
    manifest,
    load: shelf.load,
    save: shelf.save,
    sink: () => undefined,
    stepped: tell,
    before: [{ type: jsPsychPavlovia, command: "init" }],
    after: [{ type: jsPsychPavlovia, command: "finish" }],
    started(created) {
      jsPsych = created;
      tell();
    },
    ended() {
      shelf.next();
      return [];
    },
  });

  window.deixisHost = host;
  host.ready = host.begin().then((begun) => {
    session = begun;
    host.name = `${manifest.study}:${session.code}`;
  });
})();
