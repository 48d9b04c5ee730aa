// Puts list, form and trial together, once the page has been drawn.

const root = document.getElementById("trials");
const part = name => root.querySelector(`.trials-${name}`);
const count = part("count"), packed = part("packed");
const inWords = number => number.toLocaleString("en");

const rowOf = (trials, asking, trial) => {
  const design = trials.partOf(trial), row = trial - design.start, line = make("span", undefined, "trials-under");
  const there = design.participants.filter(one => one.reading[row] >= 0);
  const counted = there.filter(one => !isReference(one.participant));
  const right = counted.filter(one => design.verdicts[one.reading[row]] === RIGHT).length;
  const chosen = there.find(one => one.participant === asking.asked.who);
  if (chosen) line.append(badge(design.verdicts[chosen.reading[row]], design.readings[chosen.reading[row]]), " ");
  const answer = design.words[design.offers[design.options[row]][design.answers[row]]];
  line.append([`${design.experiment}-${design.condition}`, ...(counted.length ? [`${right} of ${counted.length} right`] : []), `answer: ${answer}`].join(" · "));
  return [make("span", trials.id(trial), "trials-id"), line];
};

const linked = () => {
  if (!location.hash.startsWith("#trial=")) return "";
  try { return decodeURIComponent(location.hash.slice(7)); } catch { return location.hash.slice(7); }
};

const remembered = (trials, trial) => {
  try { history.replaceState(null, "", `#trial=${encodeURIComponent(trials.link(trial))}`); } catch { /* a page without an address */ }
};

// The first search need not wait for what can be done before it.
const warm = ([first, ...others]) => idle(() => {
  for (const table of [first.wordsSearch, first.saidSearch]) lowered(table);
  if (others.length) warm(others);
});

const begin = trials => {
  const form = part("form"), box = part("list"), one = part("one"), place = part("shown");
  const open = (trial, { focus = true } = {}) => {
    place.replaceChildren(...shown(trials, trial));
    listing.mark(trial);
    remembered(trials, trial);
    const heading = place.querySelector("h3");
    if (focus) heading.focus({ preventScroll: true });
    if (one.getBoundingClientRect().top < 0 || heading.getBoundingClientRect().bottom > innerHeight) one.scrollIntoView({ block: "start" });
  };
  const tell = found => {
    const there = trials.missing ? ` The page holds ${inWords(trials.count)} of ${inWords(trials.count + trials.missing)} trials; the others are in the run folder.` : "";
    const cut = trials.cut ? ` Answers of more than ${inWords(trials.cut)} characters are shortened.` : "";
    count.textContent = `${inWords(found.length)} of ${inWords(trials.count)} trials found.${there}${cut}`;
  };
  const ask = asked => {
    const found = find(trials, asked);
    listing.show(found);
    tell(found);
  };
  const asking = new Asking(form, trials, ask);
  const listing = new Listing(box, trial => rowOf(trials, asking, trial), open);
  const follow = () => {
    const name = linked();
    if (!name) return;
    const trial = trials.find(name);
    if (trial >= 0) { open(trial); one.scrollIntoView({ block: "start" }); }
    else place.replaceChildren(make("p", `The trial ${name} is not in this page; it may be in the run folder.`));
  };
  one.addEventListener("keydown", event => { if (event.key === "Escape") box.focus(); });
  one.addEventListener("click", event => {
    const { step, back } = event.target.dataset, next = step && listing.beside(+step);
    if (back !== undefined) { box.focus(); box.scrollIntoView({ block: "nearest" }); }
    if (next !== undefined) open(next, { focus: false });
  });
  addEventListener("hashchange", follow);
  part("attribution").textContent = [...new Set(trials.parts.map(design => design.attribution))].filter(Boolean).join(" ");
  form.hidden = part("two").hidden = false;
  ask(asking.asked);
  follow();
  if (trials.parts.length) warm(trials.parts);
};

const start = async () => {
  if (typeof DecompressionStream === "undefined") {
    count.textContent = "This browser cannot unpack the trials (it has no DecompressionStream). Open the page in a browser of 2023 or later, or read the run folder.";
    return;
  }
  count.textContent = "Unpacking the trials…";
  try {
    const data = await unpacked(packed.textContent);
    packed.remove();
    begin(new Trials(data));
    performance.mark("trials-ready");
    root.dataset.ready = "yes";
  } catch (error) {
    count.textContent = `The trials of this page cannot be unpacked (${error.message}); make the page again with 'deixis report'.`;
  }
};

const idle = window.requestIdleCallback ?? (then => setTimeout(then, 50));
if (document.readyState === "complete") idle(start); else addEventListener("load", () => idle(start), { once: true });
