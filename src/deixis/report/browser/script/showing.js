// One trial in full. Whatever a model wrote goes into the page as text, never as markup.

const VERDICTS = ["wrong", "right", "shared", "not counted"];
const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth"];
const NOT_MADE = -2;

const badge = (verdict, reading) => make("span",
  verdict === SHARE ? `tied, ${reading.credit}` : verdict === NOT_ASKED ? reading.outcome : VERDICTS[verdict],
  `trials-badge trials-${["wrong", "right", "shared", "uncounted"][verdict]}`);

const isRight = (part, row, place) => {
  const alike = part.alike.length ? part.alike[row] : -1;
  return alike >= 0 ? (alike >> place & 1) === 1 : place === part.answers[row];
};

const pictureOf = (trials, part, number) => {
  const [words, made] = part.drawings[number], image = make("img");
  image.width = 896;
  image.height = 672;
  image.alt = words;
  // An image runs no script, fetches nothing, and keeps its ids to itself.
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(made.map(at => trials.pieces[at]).join(""));
  return image;
};

const shownPicture = (trials, part, number) => {
  if (number === NOT_MADE) return make("p", `A picture was shown; it cannot be shown here: ${part.note || "it is not known"}.`, "trials-soft");
  const figure = make("figure");
  figure.append(pictureOf(trials, part, number), make("figcaption", part.attribution, "trials-soft"));
  return figure;
};

const textOf = text => {
  const shown = make("pre", text);
  shown.tabIndex = -1;
  return shown;
};

const said = (title, text) => [make("h4", title), textOf(text)];

const promptOf = (trials, part, row) => {
  const at = name => part[name].length && part[name][row] >= 0 ? part.words[part[name][row]] : "";
  const shown = [];
  if (at("systems")) shown.push(...said("System message", at("systems")));
  const examples = part.examples.length && part.examples[row] >= 0 ? part.exemplars[part.examples[row]] : [];
  examples.forEach(([text, picture], place) => {
    shown.push(make("h4", `Worked example ${place + 1}`));
    if (picture >= 0) {
      const figure = make("figure", undefined, "trials-small");
      figure.append(pictureOf(trials, part, picture));
      shown.push(figure);
    }
    shown.push(textOf(part.words[text]));
  });
  shown.push(...said("Prompt", at("users")));
  if (at("thens")) shown.push(...said("Second turn", at("thens")));
  return shown;
};

const optionsOf = (part, row) => {
  const list = make("ol");
  part.offers[part.options[row]].forEach((word, place) => {
    const item = make("li", part.words[word]);
    if (isRight(part, row, place)) item.append(" ", make("b", "right answer", "trials-badge trials-right"));
    list.append(item);
  });
  return [make("h4", "Options in the order shown"), list];
};

const numbered = value => value === null ? "−∞" : value.toFixed(3);

const scoresOf = (part, row, scores) => {
  const table = make("table"), head = make("tr");
  for (const name of ["option", "ln P", "per token", "tokens"]) head.append(make("th", name));
  for (const cell of head.cells) cell.scope = "col";
  table.append(make("caption", "Log-probability of each option"), make("thead"), make("tbody"));
  table.tHead.append(head);
  const offered = part.offers[part.options[row]];
  scores.forEach(([logprob, tokens], place) => {
    const line = make("tr"), mean = logprob === null || !tokens ? null : logprob / tokens;
    const name = make("th", part.words[offered[place]] ?? `option ${place + 1}`);
    name.scope = "row";
    line.append(name, ...[numbered(logprob), numbered(mean), String(tokens)].map(text => make("td", text)));
    table.tBodies[0].append(line);
  });
  const sorted = scores.map(([logprob]) => logprob ?? -Infinity).sort((a, b) => b - a);
  const rest = 1 - sorted.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  const margin = sorted.length > 1 ? `margin ${numbered(sorted[0] - sorted[1])}, ` : "";
  return [table, make("p", `${margin}probability outside the options ${Math.max(0, rest).toFixed(3)}`, "trials-soft")];
};

const folded = (title, text) => {
  const box = make("details");
  box.append(make("summary", title), textOf(text));
  return box;
};

const readingWords = (part, row, reading) => {
  const words = [];
  const offered = part.offers[part.options[row]];
  if (reading.choice >= 0) words.push(`chose ${PLACES[reading.choice] ?? reading.choice + 1}: ${part.words[offered[reading.choice]]}`);
  if (reading.error && reading.error !== "Correct") words.push(`error class ${reading.error}`);
  if (reading.outcome !== "answered") words.push(`outcome ${reading.outcome}`);
  if (reading.rule) words.push(`rule ${reading.rule}`);
  if (reading.reader) words.push(`reader ${reading.reader}`);
  if (reading.judged) words.push(`judge ${reading.judged}`);
  if (reading.finish && reading.finish !== "stop") words.push(`ended by ${reading.finish}`);
  return words.join(" · ");
};

const answerOf = (part, row, one) => {
  const at = one.reading[row], reading = part.readings[at], item = make("li");
  const cell = name => one[name].length && one[name][row] >= 0 ? one[name][row] : -1;
  const head = make("p");
  head.append(make("b", one.participant), " ", badge(part.verdicts[at], reading));
  item.append(head, make("p", readingWords(part, row, reading), "trials-soft"));
  if (cell("text") >= 0) item.append(textOf(part.said[cell("text")]));
  if (cell("fault") >= 0) item.append(make("p", "Error:", "trials-soft"), textOf(part.said[cell("fault")]));
  if (cell("reasoning") >= 0) item.append(folded("Reasoning", part.said[cell("reasoning")]));
  if (cell("ratings") >= 0) item.append(make("p", `rated ${part.ratings[cell("ratings")].join(", ")} (1 to 7, in the order shown)`));
  if (cell("scores") >= 0) item.append(...scoresOf(part, row, part.scores[cell("scores")]));
  if (cell("tokens") >= 0)
    item.append(folded("Log-probabilities of its first tokens",
      part.tokens[cell("tokens")].map(([token, logprob]) => `${numbered(logprob)}  ${JSON.stringify(token)}`).join("\n")));
  if (cell("notes") >= 0) item.append(folded("Notes", part.said[cell("notes")]));
  return item;
};

const answersOf = (part, row, title, participants) => {
  if (participants.length === 0) return [];
  const list = make("ul", undefined, "trials-answers");
  list.append(...participants.map(one => answerOf(part, row, one)));
  return [make("h4", `${title} (${participants.length})`), list];
};

const shown = (trials, trial) => {
  const part = trials.partOf(trial), row = trial - part.start;
  const heading = make("h3", trials.id(trial));
  heading.tabIndex = -1;
  const link = make("a", "Link to this trial");
  link.href = `#trial=${encodeURIComponent(trials.link(trial))}`;
  const where = make("p", `${part.experiment}, condition ${part.condition}, protocol ${part.protocol} · `, "trials-soft");
  where.append(link);
  const levels = part.factors.map(([name, column]) => `${name.replaceAll("_", " ")} ${part.words[column[row]]}`).join(" · ");
  const picture = part.pictures.length ? part.pictures[row] : -1;
  const there = part.participants.filter(one => one.reading[row] >= 0);
  return [
    heading, where, make("p", levels, "trials-soft"),
    ...(picture === -1 ? [] : [shownPicture(trials, part, picture)]),
    ...optionsOf(part, row),
    ...promptOf(trials, part, row),
    ...answersOf(part, row, "Models", there.filter(one => !isReference(one.participant) && !isPerson(one.participant))),
    ...answersOf(part, row, "People", there.filter(one => isPerson(one.participant))),
    ...answersOf(part, row, "Reference participants", there.filter(one => isReference(one.participant))),
  ];
};
