// What the trials are, and what is worked out of them once. A trial is a number over all designs; `part` is a design.

const RIGHT = 1, WRONG = 0, SHARE = 2, NOT_ASKED = 3;
const UNCOUNTED = ["errored", "missing"];
const isReference = participant => participant.startsWith("strategy:");
const isPerson = participant => participant.startsWith("people:");

// The fields of a reading, in the order of its columns.
const readingOf = ([outcome, choice, credit, error, rule, reader, tied, judged, finish]) =>
  ({ outcome, choice, credit, error, rule, reader, tied, judged, finish });

const verdictOf = reading =>
  UNCOUNTED.includes(reading.outcome) ? NOT_ASKED : reading.credit === 1 ? RIGHT : reading.credit === 0 ? WRONG : SHARE;

const searchable = texts => ({ texts, lower: null, query: null, hits: null });

class Trials {
  constructor(data) {
    this.pieces = data.pieces;
    this.cut = data.cut;
    this.missing = data.missing;
    this.parts = data.parts;
    this.count = 0;
    for (const part of this.parts) this.#prepare(part);
    const names = [...new Set(this.parts.flatMap(part => part.participants.map(one => one.participant)))];
    const rank = name => isReference(name) ? 2 : isPerson(name) ? 1 : 0;
    this.participants = names.sort((a, b) => rank(a) - rank(b));
    this.asked = this.participants.filter(name => !isReference(name));
  }

  #prepare(part) {
    part.start = this.count;
    part.count = part.ids.length;
    this.count += part.count;
    part.readings = part.readings.map(readingOf);
    part.verdicts = Uint8Array.from(part.readings, verdictOf);
    part.choices = Int8Array.from(part.readings, reading => reading.choice);
    for (const one of part.participants) one.reading = Int32Array.from(one.reading);
    part.by = new Map(part.participants.map(one => [one.participant, one]));
    part.wordsSearch = searchable(part.words);
    part.saidSearch = searchable(part.said);
  }

  partOf(trial) {
    let low = 0, high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.parts[middle].start <= trial) low = middle; else high = middle - 1;
    }
    return this.parts[low];
  }

  id(trial) {
    const part = this.partOf(trial);
    return part.words[part.ids[trial - part.start]];
  }

  link(trial) {
    return `${this.partOf(trial).key}/${this.id(trial)}`;
  }

  // The trial of a link, or of a bare id; -1 where it is not in the page.
  find(name) {
    for (const part of this.parts) {
      const id = name.startsWith(`${part.key}/`) ? name.slice(part.key.length + 1) : name;
      const word = part.words.indexOf(id), row = word < 0 ? -1 : part.ids.indexOf(word);
      if (row >= 0) return part.start + row;
    }
    return -1;
  }

  // The factors of some designs, each with its levels.
  factors(parts) {
    const found = new Map();
    for (const part of parts) {
      for (const [name, column] of part.factors) {
        if (!found.has(name)) found.set(name, new Set());
        for (const word of new Set(column)) found.get(name).add(part.words[word]);
      }
    }
    return found;
  }
}
