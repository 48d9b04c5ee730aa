// The form: what is asked for. Factors are those of the designs that are left.

const OUTCOMES = ["answered", "unreadable", "refused", "empty", "truncated", "errored", "missing"];
const PLAIN = { experiment: "", condition: "", protocol: "", who: "some", verdict: "", outcome: "", error: "",
  relation: "", other: "", place: "", within: "", text: "" };
const inOrder = (a, b) => a.localeCompare(b, "en", { numeric: true });

class Asking {
  constructor(form, trials, changed) {
    this.form = form;
    this.trials = trials;
    this.changed = changed;
    this.asked = { ...PLAIN, factors: {} };
    this.selects = {};
    const main = make("div", undefined, "trials-fields");
    this.factors = make("details", undefined, "trials-factors");
    this.factors.append(make("summary", "Factors"), make("div", undefined, "trials-fields"));
    const clear = make("button", "Clear all filters");
    clear.type = "button";
    clear.addEventListener("click", () => this.clear());
    main.append(...this.#fields());
    form.append(main, this.factors, clear);
    form.addEventListener("submit", event => event.preventDefault());
    this.#refresh();
  }

  clear() {
    this.asked = { ...PLAIN, factors: {} };
    for (const [name, control] of Object.entries(this.selects)) control.value = PLAIN[name];
    this.#refresh();
    this.changed(this.asked);
  }

  #fields() {
    const { parts } = this.trials, among = name => [...new Set(parts.map(part => part[name]))].map(value => [value, value]);
    const errors = [...new Set(parts.flatMap(part => part.readings.map(reading => reading.error)))].filter(Boolean);
    const text = make("input");
    text.type = "search";
    text.addEventListener("input", () => this.#set("text", text.value));
    this.selects.text = text;
    return [
      this.#select("experiment", "Experiment", [["", "all"], ...among("experiment")]),
      this.#select("condition", "Condition", [["", "all"], ...among("condition")]),
      this.#select("protocol", "Protocol", [["", "all"], ...among("protocol")]),
      this.#select("who", "Participant", [["some", "any model or person"], ["every", "every model and person"],
        ["anyone", "anyone, references too"], ...this.#people()]),
      this.#select("verdict", "Right or wrong", [["", "all"], [RIGHT, "right"], [WRONG, "wrong"], [SHARE, "tied, a share"], [NOT_ASKED, "not counted"]]),
      this.#select("outcome", "Outcome", [["", "all"], ...OUTCOMES.map(name => [name, name])]),
      this.#select("error", "Error class", [["", "all"], ...errors.map(name => [name, name])]),
      this.#select("relation", "Compared", [["", "not"]], [["All models and people", RELATIONS],
        ["The participant chosen and all", ALONE], ["The participant chosen and another", PAIRS]]),
      this.#select("other", "With", [["", "choose another"], ...this.#people()]),
      this.#select("within", "Look in", [["", "prompts and answers"], ["prompts", "prompts"], ["answers", "answers"]]),
      this.#labelled("Text contains", text),
    ];
  }

  #people() {
    return this.trials.participants.map(name => [name, name]);
  }

  #labelled(title, control) {
    const label = make("label");
    label.append(make("span", title), control);
    return label;
  }

  #select(name, title, choices, groups = []) {
    const select = make("select");
    for (const [value, words] of choices) select.append(new Option(words, value));
    for (const [label, among] of groups) {
      const group = make("optgroup");
      group.label = label;
      group.append(...Object.entries(among).map(([value, words]) => new Option(words, value)));
      select.append(group);
    }
    select.value = PLAIN[name];
    select.addEventListener("change", () => this.#set(name, select.value));
    this.selects[name] = select;
    return this.#labelled(title, select);
  }

  #set(name, value) {
    this.asked[name] = value;
    this.#refresh();
    this.changed(this.asked);
  }

  // What can be asked hangs on what is asked already.
  #refresh() {
    const { asked, selects } = this, one = this.trials.participants.includes(asked.who);
    for (const option of selects.relation.options) option.disabled = !one && (option.value in ALONE || option.value in PAIRS);
    if (selects.relation.selectedOptions[0]?.disabled) asked.relation = selects.relation.value = "";
    selects.other.disabled = !(asked.relation in PAIRS);
    for (const name of ["condition", "protocol"])
      for (const option of selects[name].options)
        option.disabled = option.value !== "" && partsAsked(this.trials, { ...asked, condition: "", protocol: "", [name]: option.value }).length === 0;
    const parts = partsAsked(this.trials, asked), names = parts.map(part => part.key).join();
    if (this.names === names) return;
    this.names = names;
    asked.factors = {};
    asked.place = "";
    this.#drawFactors(parts);
  }

  #drawFactors(parts) {
    const fields = [...this.trials.factors(parts)].map(([name, levels]) => {
      const select = make("select");
      select.append(new Option("all", ""), ...[...levels].sort(inOrder).map(level => new Option(level, level)));
      select.addEventListener("change", () => {
        if (select.value === "") delete this.asked.factors[name]; else this.asked.factors[name] = select.value;
        this.#count();
        this.changed(this.asked);
      });
      return this.#labelled(name.replaceAll("_", " "), select);
    });
    const most = Math.max(0, ...parts.flatMap(part => part.offers.map(offered => offered.length)));
    const place = make("select");
    place.append(new Option("all", ""), ...PLACES.slice(0, most).map((word, at) => new Option(word, at)));
    place.addEventListener("change", () => { this.asked.place = place.value; this.#count(); this.changed(this.asked); });
    this.factors.lastElementChild.replaceChildren(...fields, this.#labelled("place of the right option", place));
    this.#count();
  }

  #count() {
    const set = Object.keys(this.asked.factors).length + (this.asked.place !== "");
    this.factors.firstElementChild.textContent = set ? `Factors (${set} set)` : "Factors";
  }
}
