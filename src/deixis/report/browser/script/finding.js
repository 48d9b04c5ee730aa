// Which trials are asked for. Each step takes away from `keep`, one byte a trial of a design.

const RELATIONS = {
  "differ": "some right, some wrong",
  "choices": "different choices",
  "all-right": "all right",
  "all-wrong": "all wrong",
  "one-right": "only one right",
  "one-wrong": "only one wrong",
};
// These need a participant to be chosen.
const ALONE = { "alone-right": "only this one right", "alone-wrong": "only this one wrong" };
// These need another one beside it.
const PAIRS = {
  "pair-right": "right where the other is wrong",
  "pair-wrong": "wrong where the other is right",
  "pair-choices": "another choice than the other",
  "pair-both-wrong": "both wrong",
};

const keepFactors = (part, asked, keep) => {
  for (const [name, level] of Object.entries(asked.factors)) {
    const column = part.factors.find(([factor]) => factor === name)?.[1], word = part.words.indexOf(level);
    for (let row = 0; row < keep.length; row++) if (!column || column[row] !== word) keep[row] = 0;
  }
  if (asked.place !== "") for (let row = 0; row < keep.length; row++) if (part.answers[row] !== +asked.place) keep[row] = 0;
};

const columnsOf = (part, who) => part.participants.filter(one =>
  who === "anyone" || (who === "some" || who === "every" ? !isReference(one.participant) : one.participant === who));

const keepAnswers = (part, asked, keep) => {
  const wanted = Uint8Array.from(part.readings, (reading, at) =>
    (asked.verdict === "" || part.verdicts[at] === +asked.verdict)
    && (asked.outcome === "" || reading.outcome === asked.outcome)
    && (asked.error === "" || reading.error === asked.error) ? 1 : 0);
  const all = asked.verdict + asked.outcome + asked.error === "";
  if (all && ["some", "every", "anyone"].includes(asked.who)) return;
  const columns = columnsOf(part, asked.who);
  for (let row = 0; row < keep.length; row++) {
    if (!keep[row]) continue;
    let hits = 0, those = 0;
    for (const { reading } of columns) {
      if (reading[row] < 0) continue;
      those++;
      hits += wanted[reading[row]];
    }
    if (asked.who === "every" ? hits === 0 || hits < those : hits === 0) keep[row] = 0;
  }
};

const related = (relation, { right, wrong, others, choices, mine, other, myChoice, otherChoice }) => {
  switch (relation) {
    case "differ": return right > 0 && wrong > 0;
    case "choices": return (choices & (choices - 1)) !== 0;
    case "all-right": return right > 0 && right === others;
    case "all-wrong": return wrong > 0 && wrong === others;
    case "one-right": return right === 1 && wrong > 0;
    case "one-wrong": return wrong === 1 && right > 0;
    case "alone-right": return mine === RIGHT && right === 1 && wrong > 0;
    case "alone-wrong": return mine === WRONG && wrong === 1 && right > 0;
    case "pair-right": return mine === RIGHT && other === WRONG;
    case "pair-wrong": return mine === WRONG && other === RIGHT;
    case "pair-choices": return myChoice >= 0 && otherChoice >= 0 && myChoice !== otherChoice;
    case "pair-both-wrong": return mine === WRONG && other === WRONG;
    default: return true;
  }
};

// Among models and people; among the reference participants where nobody else was asked, or where one is chosen.
const keepRelated = (part, asked, keep) => {
  if (asked.relation === "" || (asked.relation in PAIRS && asked.other === "")) return;
  let columns = columnsOf(part, "some");
  if (columns.length === 0) columns = part.participants;
  const me = part.by.get(asked.who), you = part.by.get(asked.other);
  if (me && !columns.includes(me)) columns = [...columns, me];
  const verdict = (one, row) => one && one.reading[row] >= 0 ? part.verdicts[one.reading[row]] : NOT_ASKED;
  const choice = (one, row) => one && one.reading[row] >= 0 ? part.choices[one.reading[row]] : -1;
  for (let row = 0; row < keep.length; row++) {
    if (!keep[row]) continue;
    let right = 0, wrong = 0, others = 0, choices = 0;
    for (const { reading } of columns) {
      const at = reading[row];
      if (at < 0 || part.verdicts[at] === NOT_ASKED) continue;
      others++;
      if (part.verdicts[at] === RIGHT) right++; else if (part.verdicts[at] === WRONG) wrong++;
      if (part.choices[at] >= 0) choices |= 1 << part.choices[at];
    }
    const counted = { right, wrong, others, choices, mine: verdict(me, row), other: verdict(you, row),
      myChoice: choice(me, row), otherChoice: choice(you, row) };
    if (!related(asked.relation, counted)) keep[row] = 0;
  }
};

const lowered = table => table.lower ??= table.texts.map(text => text.toLowerCase());

// Which texts of a table hold the query; a longer query looks only where the shorter one was found.
const hitsOf = (table, query) => {
  if (table.query === query) return table.hits;
  const lower = lowered(table);
  const before = table.query !== null && query.includes(table.query) ? table.hits : null;
  const hits = new Uint8Array(lower.length);
  for (let at = 0; at < hits.length; at++) if ((!before || before[at]) && lower[at].includes(query)) hits[at] = 1;
  table.query = query;
  table.hits = hits;
  return hits;
};

const keepText = (part, asked, keep) => {
  const query = asked.text.trim().toLowerCase();
  if (query === "") return;
  const found = new Uint8Array(keep.length);
  const look = (column, hits) => {
    if (column.length) for (let row = 0; row < found.length; row++) if (column[row] >= 0 && hits[column[row]]) found[row] = 1;
  };
  if (asked.within !== "answers") {
    const hits = hitsOf(part.wordsSearch, query), any = texts => texts.some(at => hits[at]) ? 1 : 0;
    for (const column of [part.ids, part.systems, part.users, part.thens]) look(column, hits);
    look(part.options, Uint8Array.from(part.offers, any));
    look(part.examples, Uint8Array.from(part.exemplars, shown => any(shown.map(([text]) => text))));
  }
  if (asked.within !== "prompts") {
    const hits = hitsOf(part.saidSearch, query);
    const one = part.by.get(asked.who);
    for (const { text, reasoning, fault } of one ? [one] : part.participants)
      for (const column of [text, reasoning, fault]) look(column, hits);
  }
  for (let row = 0; row < keep.length; row++) if (!found[row]) keep[row] = 0;
};

const partsAsked = (trials, asked) => trials.parts.filter(part =>
  ["experiment", "condition", "protocol"].every(name => asked[name] === "" || part[name] === asked[name]));

const find = (trials, asked) => {
  const found = new Uint32Array(trials.count);
  let count = 0;
  for (const part of partsAsked(trials, asked)) {
    const keep = new Uint8Array(part.count).fill(1);
    for (const step of [keepFactors, keepAnswers, keepRelated, keepText]) step(part, asked, keep);
    for (let row = 0; row < keep.length; row++) if (keep[row]) found[count++] = part.start + row;
  }
  return found.subarray(0, count);
};
