"use strict";
/**
 * The host DataPipe: files are sent to the project of the Open Science Framework that the experiment's id belongs to.
 * Each part of the study, and every sixteenth answer, is a file of its own, so that who leaves without a word leaves
 * something. Until it is sent, everything is kept in the browser. DataPipe cannot delete: a line says what to throw away.
 */
(function () {
  const deixis = window.deixis;
  const manifest = window.deixisManifest;
  const settings = manifest.host || {};
  const address = settings.address || "https://pipe.jspsych.org/api/data/";
  const OFTEN = 16;
  const shelf = deixis.shelf(manifest.study);

  /** Send what has been added since the last file; a file that is there already was sent before. */
  async function send(session) {
    const text = shelf.lines(session.code);
    const sent = session.sent || 0;
    if (text.length === sent) return;
    session.files = (session.files || 0) + 1;
    const first = JSON.stringify({
      type: "session", code: session.code, arm: session.arm, study: manifest.study,
      design_sha256: manifest.design_sha256, started: session.started, seed: session.seed,
    });
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "*/*" },
      body: JSON.stringify({
        experimentID: settings.experiment,
        filename: `${manifest.study}-${session.code}-${String(session.files).padStart(2, "0")}.jsonl`,
        data: `${first}\n${text.slice(sent)}`,
      }),
    }).catch((error) => {
      session.files -= 1;
      throw error;
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok && answer.error !== "OSF_FILE_EXISTS") {
      session.files -= 1;
      throw new Error(answer.message || `DataPipe answered ${response.status}`);
    }
    session.sent = text.length;
    shelf.save(session);
  }

  const host = deixis.localHost({
    manifest,
    load: shelf.load,
    save: shelf.save,
    sink(lines, session) {
      shelf.add(lines, session.code);
      const answered = Object.keys(session.answered).length;
      if (answered && answered % OFTEN === 0) send(session).catch(() => undefined); // the next file holds it too
    },
    stepped: (phase, session) => (["practice", "declined"].includes(phase) ? undefined : send(session)),
  });

  window.deixisHost = host;
  host.ready = host.begin().then((session) => (host.name = `${manifest.study}:${session.code}`));
})();
