"use strict";
/** The host without any server: the page lies in a folder, answers stay in the browser and are saved as a file. */
(function () {
  const deixis = window.deixis;
  const { make, say } = deixis;
  const manifest = window.deixisManifest;
  const shelf = deixis.shelf(manifest.study);

  const host = deixis.localHost({
    manifest,
    load: shelf.load,
    save: shelf.save,
    sink(lines, session) {
      if (lines.some((line) => line.type === "withdrawn")) shelf.erase(session.code);
      shelf.add(lines, session.code);
    },
    ended(state) {
      const parts = [];
      const people = shelf.people().filter((code) => shelf.lines(code));
      if (state.code && ["done", "left"].includes(state.phase)) {
        parts.push(make("p", {}, say("end.save.about")), row(saving("end.save", [state.code], state.code)));
      }
      if (people.length > 1) parts.push(row(saving("end.all", people, "everybody")));
      if (state.phase !== "elsewhere") {
        const again = deixis.button(say("end.again"), { class: "plain" });
        again.addEventListener("click", () => {
          shelf.next();
          window.location.reload();
        });
        parts.push(row(again));
      }
      return parts;
    },
  });

  const row = (element) => make("p", { class: "actions" }, element);

  function saving(text, codes, name) {
    const button = deixis.button(say(text, { count: codes.length }), { class: "main" });
    button.addEventListener("click", () => {
      const file = new Blob(codes.map(shelf.lines), { type: "application/x-ndjson" });
      const link = make("a", { href: URL.createObjectURL(file), download: `${manifest.study}-${name}.jsonl` });
      document.body.append(link);
      link.click();
      link.remove();
    });
    return button;
  }

  window.deixisHost = host;
  host.ready = host.begin().then((session) => (host.name = `${manifest.study}:${session.code}`));
})();
