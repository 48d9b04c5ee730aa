"use strict";
/** Pictures, loaded before they are needed and kept, so that losing the connection loses none; and the gaze line. */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const { make, draw } = deixis;
  const RED = "#D00000";
  const AT_ONCE = 3;
  const kept = new Map();
  const wanted = [];
  let loading = 0;

  const fetched = (address) =>
    new Promise((resolve) => {
      const picture = new Image();
      picture.onload = () => resolve(picture);
      picture.onerror = () => resolve(null);
      picture.src = address;
    });

  /** Load one picture, however often it takes; resolves to its element, which is then kept. */
  function load(address) {
    if (!kept.has(address)) {
      const ready = (async () => {
        for (let failures = 1; ; failures += 1) {
          const picture = await fetched(address);
          if (picture) return picture;
          await deixis.pause(deixis.waitAfter(failures));
        }
      })();
      kept.set(address, ready);
    }
    return kept.get(address);
  }

  function next() {
    while (loading < AT_ONCE && wanted.length) {
      loading += 1;
      load(wanted.shift()).then(() => {
        loading -= 1;
        next();
      });
    }
  }

  /** Load the pictures of coming trials, in their order, a few at once. */
  deixis.preload = function (addresses) {
    wanted.push(...addresses.filter((address) => !kept.has(address) && !wanted.includes(address)));
    next();
  };

  /** Resolves to the element of a picture as soon as it can be shown. */
  deixis.picture = load;

  /** How many pictures are there, for tests and for the curious. */
  deixis.picturesKept = () => kept.size;

  /** Return the figure of a trial: the picture, and over it the gaze line, which is not part of the picture. */
  deixis.scene = function (picture, item) {
    const [width, height] = item.size;
    picture.alt = item.title || "";
    picture.setAttribute("width", width);
    picture.setAttribute("height", height);
    picture.draggable = false;
    const figure = make("div", { class: "scene" }, picture);
    figure.style.setProperty("--ratio", String(width / height));
    if (item.gaze) {
      const [x1, y1, x2, y2] = item.gaze;
      const path = `M${x1} ${y1}L${x2} ${y2}`;
      figure.append(
        draw("svg", { class: "gaze", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
          draw("path", { d: path, stroke: "#fff", "stroke-width": 9, "stroke-opacity": 0.85, fill: "none" }),
          draw("path", { d: path, stroke: RED, "stroke-width": 5, "stroke-dasharray": "16 10", fill: "none" }),
          draw("circle", { cx: x2, cy: y2, r: 5, fill: RED })));
    }
    return figure;
  };

  /**
   * Let the gaze line of a figure come and go a few times, then stay. For whoever asks for less motion it stays from
   * the beginning. Return what was shown: "blinked", "still", or "none" where there is no line.
   */
  deixis.blink = function (figure, { shown_ms: shown, hidden_ms: gone, cycles }, signal) {
    const line = figure.querySelector(".gaze");
    if (!line) return "none";
    if (deixis.motion() === "reduce" || !cycles) return "still";
    let timer = 0;
    let left = cycles;
    const appear = () => {
      line.classList.remove("hidden");
      if (left > 0) timer = setTimeout(vanish, shown);
    };
    const vanish = () => {
      left -= 1;
      line.classList.add("hidden");
      timer = setTimeout(appear, gone);
    };
    appear();
    signal.addEventListener("abort", () => clearTimeout(timer));
    return "blinked";
  };
})();
