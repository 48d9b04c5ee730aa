"use strict";
/** What is around every page: progress, the way out, the notice that there is no connection, the person's code. */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const { make, say } = deixis;

  /** Build the frame; `stop(remove)` is called when somebody leaves, with true to have the answers deleted. */
  deixis.frame = function ({ stop, opened }) {
    const bar = make("progress", { "aria-label": say("frame.progress"), max: 1, value: 0 });
    const leave = deixis.button(say("frame.stop"), { class: "stop", "aria-haspopup": "dialog" });
    const banner = make("p", { class: "banner", role: "status", id: "banner" });
    const code = make("span", { class: "code" });
    const keys = deixis.button(say("frame.keys.off"), { class: "keys" });
    const dialog = asking(stop);
    document.getElementById("top").replaceChildren(bar, leave);
    document.getElementById("bottom").replaceChildren(code, keys);
    document.getElementById("top").after(banner);
    document.body.append(dialog);

    leave.addEventListener("click", () => {
      if (dialog.open) return;
      dialog.showModal();
      dialog.querySelector("h2").focus();
      if (opened) opened();
    });
    keys.addEventListener("click", () => {
      deixis.keysOff = !deixis.keysOff;
      document.body.classList.toggle("keys-off", deixis.keysOff);
      keys.textContent = say(deixis.keysOff ? "frame.keys.on" : "frame.keys.off");
    });

    return {
      /** Show how far somebody is. */
      progress(done, total) {
        bar.max = Math.max(total, 1);
        bar.value = Math.min(done, total);
      },
      /** Show the person's code, once there is one. */
      code(text) {
        code.textContent = text ? say("frame.code", { code: text }) : "";
      },
      /** Say whether the connection is there; `lasting` whether the browser keeps the answers meanwhile. */
      offline(yes, lasting) {
        const text = yes ? say("banner.offline") + (lasting ? "" : " " + say("banner.unsaved")) : "";
        if (banner.textContent !== text) banner.textContent = text;
      },
      /** There is nothing to stop any more. */
      over() {
        if (dialog.open) dialog.close();
        for (const part of [bar, leave, keys]) part.hidden = true;
      },
    };
  };

  /** The question with two different answers: to leave, and to leave and have everything deleted. */
  function asking(stop) {
    const dialog = make("dialog", { "aria-labelledby": "stop-title" },
      make("h2", { id: "stop-title", tabindex: -1 }, say("stop.title")),
      make("p", {}, say("stop.about")));
    const way = (name, kind, action) => {
      const about = say(`stop.${name}.about`);
      const button = deixis.button(say(`stop.${name}`), {
        class: kind, "data-way": name, "aria-describedby": name === "back" ? null : `stop-${name}`,
      });
      button.addEventListener("click", (event) => {
        if (event.detail >= 2) return;
        dialog.close();
        if (action) action();
      });
      const text = name === "back" ? null : make("p", { id: `stop-${name}` }, about);
      dialog.append(make("div", { class: "way" }, text, button));
    };
    way("back", "main", null);
    way("keep", "plain", () => stop(false));
    way("delete", "plain danger", () => stop(true));
    return dialog;
  }
})();
