"use strict";
/**
 * The host JATOS: each answer is appended to the person's result data, the session is kept in the study session, and
 * lists are counted in the batch session, which refuses a change that another person has overtaken.
 */
(function () {
  const deixis = window.deixis;
  const manifest = window.deixisManifest;
  const COUNTS = "deixis-arms";

  const counts = () => ({ ...(jatos.batchSession.get(COUNTS) || {}) });

  /** Change the count of an arm; what was overtaken is tried again with the new counts. */
  async function count(change) {
    for (let tries = 1; ; tries += 1) {
      const now = counts();
      const chosen = change(now);
      try {
        await jatos.batchSession.set(COUNTS, now);
        return chosen;
      } catch (error) {
        if (tries >= 20) return chosen;
        await deixis.pause(50 + deixis.below(50 * tries));
      }
    }
  }

  const host = deixis.localHost({
    manifest,
    load: () => (jatos.studySessionData || {}).deixis,
    save: (session) => jatos.setStudySessionData({ ...jatos.studySessionData, deixis: session }),
    sink: (lines) => jatos.appendResultData(lines.map((line) => JSON.stringify(line) + "\n").join("")),
    /** The arm that fewest people have, at random among equals. */
    choose: (arms) => count((now) => {
      const fewest = Math.min(...arms.map((arm) => now[arm.id] || 0));
      const places = arms.map((arm, place) => place).filter((place) => (now[arms[place].id] || 0) === fewest);
      const place = places[deixis.below(places.length)];
      now[arms[place].id] = fewest + 1;
      return place;
    }),
    /** Who leaves gives the place back. */
    async stepped(phase, session) {
      if (["left", "withdrawn"].includes(phase) && session.arm) {
        await count((now) => (now[session.arm] = Math.max(0, (now[session.arm] || 0) - 1)));
      }
    },
    async ended(state) {
      if (state.phase === "withdrawn") await call("abortStudyWithoutRedirect", "abortStudy", state.phase);
      else if (state.phase === "done" && state.complete) await jatos.endStudyAndRedirect(state.complete, true);
      else if (state.phase !== "elsewhere") await call("endStudyWithoutRedirect", "endStudy", state.phase === "done");
      return [];
    },
  });

  const call = (name, older, value) => (jatos[name] || jatos[older])(value);

  window.deixisHost = host;
  host.ready = new Promise((resolve) => jatos.onLoad(resolve)).then(async () => {
    const session = await host.begin();
    host.name = `${manifest.study}:${session.code}`;
  });
})();
