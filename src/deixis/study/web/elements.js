"use strict";
/** Elements made by calls, never from text: nothing that a study says can become markup by accident. */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const SVG = "http://www.w3.org/2000/svg";

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }

  /** Make an HTML element; attributes that are null or false are left out. */
  deixis.make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

  /** Make an SVG element. */
  deixis.draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  /** Make a button that submits nothing. */
  deixis.button = (text, attributes) => deixis.make("button", { type: "button", ...attributes }, text);

  /** Make the heading of a page or trial, which is focused when it comes. */
  deixis.heading = (text, attributes) => deixis.make("h1", { tabindex: -1, ...attributes }, text);

  /** Put children into a place instead of what was there, go to the top and focus the heading. */
  deixis.show = function (place, ...children) {
    place.replaceChildren(...children);
    window.scrollTo(0, 0);
    const heading = place.querySelector("h1");
    if (heading) heading.focus({ preventScroll: true });
    return heading;
  };
})();
