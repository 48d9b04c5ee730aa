"use strict";
/** The host cognition.run: it stores what jsPsych records, so every row carries what is known of the session. */
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
