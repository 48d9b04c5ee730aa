// The list: of many thousand rows only those in sight are in the page. One stop for Tab, arrow keys within.

const make = (tag, text, name) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
};

const BEYOND = 6;  // rows above and below what is seen
const HEIGHT = 4.5;  // of a row, in rem, as in the style sheet

class Listing {
  constructor(box, row, open) {
    this.box = box;
    this.sizer = box.firstElementChild;
    this.row = row;
    this.open = open;
    this.found = new Uint32Array(0);
    this.active = 0;
    this.opened = -1;
    this.height = HEIGHT * parseFloat(getComputedStyle(document.documentElement).fontSize);
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    box.addEventListener("keydown", event => this.#key(event));
    box.addEventListener("click", event => {
      const option = event.target.closest("[role=option]");
      if (option) this.#choose(+option.dataset.at);
    });
    addEventListener("resize", () => this.draw());
  }

  show(found) {
    this.found = found;
    this.active = Math.max(0, found.indexOf(this.opened));
    this.sizer.style.height = `${found.length * this.height}px`;
    this.box.scrollTop = Math.max(0, this.active * this.height - this.box.clientHeight / 2);
    this.draw();
  }

  // Mark a trial as open, and make it the row where the keys are, if it is in the list.
  mark(trial) {
    this.opened = trial;
    const at = this.found.indexOf(trial);
    if (at >= 0) this.#move(at); else this.draw();
  }

  beside(step) {
    const at = this.found.indexOf(this.opened);
    return at < 0 ? this.found[this.active] : this.found[at + step];
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - BEYOND);
    const last = Math.min(this.found.length, first + Math.ceil(this.box.clientHeight / this.height) + 2 * BEYOND);
    const rows = [];
    for (let at = first; at < last; at++) rows.push(this.#option(at));
    this.sizer.replaceChildren(...rows);
    if (this.active >= first && this.active < last) this.box.setAttribute("aria-activedescendant", `trials-row-${this.active}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  #option(at) {
    const option = make("div", undefined, at === this.active ? "trials-row trials-active" : "trials-row");
    option.id = `trials-row-${at}`;
    option.dataset.at = at;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", this.found[at] === this.opened);
    option.setAttribute("aria-setsize", this.found.length);
    option.setAttribute("aria-posinset", at + 1);
    option.style.top = `${at * this.height}px`;
    option.append(...this.row(this.found[at]));
    return option;
  }

  #move(at) {
    this.active = Math.min(Math.max(at, 0), this.found.length - 1);
    const top = this.active * this.height, { scrollTop, clientHeight } = this.box;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.box.scrollTop = top + this.height - clientHeight;
    this.draw();
  }

  #choose(at) {
    this.#move(at);
    this.open(this.found[this.active]);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.found.length === 0) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1), end = this.found.length - 1;
    const to = { ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page,
      PageUp: this.active - page, Home: 0, End: end }[event.key];
    if (to !== undefined) this.#move(to);
    else if (event.key === "Enter" || event.key === " ") this.#choose(this.active);
    else return;
    event.preventDefault();
  }
}
