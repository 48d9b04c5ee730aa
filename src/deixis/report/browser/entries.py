"""What the page knows of the trials of one design, in columns, so that it is small on its way from a worker process."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from deixis.analysis.errors import row_class
from deixis.errors import SceneError
from deixis.experiments.showing import Showing, showing
from deixis.records import Prompt, Response, Trial
from deixis.report.browser.interning import Interned
from deixis.report.browser.seen import Album
from deixis.scoring.columns import CLASSES, OUTCOMES
from deixis.scoring.results import DesignResults, Result, Rows, Scored

NOTHING = -1
"""Stands in a column where a trial has nothing of the kind."""
NOT_MADE = -2
"""Stands for a picture that was shown and cannot be made again."""
_TOKENS = 24
"""So many tokens of a text are kept with their log-probabilities."""

Column = tuple[int, ...]
"""One number a trial, or none at all where every trial has :data:`NOTHING`."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How an answer was read and what it earned; the same for many answers."""

    outcome: str
    choice: int
    """Place of the option chosen, -1 without one."""
    credit: float
    """Between 0 and 1."""
    error: str
    """The error class; nothing where the trial counts as not asked."""
    rule: str = ""
    """Which rule read it."""
    reader: str = ""
    """Name and version of the reader."""
    tied: bool = False
    judged: str = ""
    """What a judge said, or why it said nothing, where one was to."""
    finish: str = ""
    """Why the text ended."""


@dataclass(frozen=True, slots=True)
class Answers:
    """One participant's answers, each column with one number a trial of :class:`Entries`."""

    participant: str
    reading: Column
    """Into :attr:`Entries.readings`; -1 where it was not to be asked."""
    text: Column
    """Into :attr:`Entries.said`, as the next three."""
    reasoning: Column
    fault: Column
    """The text of an error."""
    notes: Column
    scores: Column
    """Into :attr:`Entries.scores`."""
    tokens: Column
    """Into :attr:`Entries.tokens`."""
    ratings: Column
    """Into :attr:`Entries.ratings`."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Some trials of one design with every answer to them; columns hold one number a trial."""

    name: str
    """Experiment and condition, as the folder of the design is called."""
    experiment: str
    condition: str
    protocol: str
    of: int
    """How many trials the design has."""
    attribution: str
    """What has to be said where the pictures are shown."""
    note: str
    """Why pictures cannot be shown, if they cannot."""
    words: tuple[str, ...]
    """Ids, levels of factors, options and prompts, each text once."""
    said: tuple[str, ...]
    """What participants wrote, each text once."""
    ids: Column
    factors: tuple[tuple[str, Column], ...]
    """Name of a factor with the level of each trial, into :attr:`words`."""
    systems: Column
    users: Column
    thens: Column
    offers: tuple[Column, ...]
    """Options in the order shown, into :attr:`words`."""
    options: Column
    """Into :attr:`offers`."""
    answers: Column
    """Place of the right option."""
    alike: Column
    """The options that are right, as bits, where several mean the same; -1 where one alone is right."""
    exemplars: tuple[tuple[tuple[int, int], ...], ...]
    """Worked examples: text (into :attr:`words`) and picture of each."""
    examples: Column
    """Into :attr:`exemplars`."""
    pieces: tuple[str, ...]
    """Pieces of SVG."""
    drawings: tuple[tuple[str, Column], ...]
    """Pictures: in words, and the pieces that joined are an SVG."""
    pictures: Column
    """Into :attr:`drawings`; -1 where none was shown, -2 where it cannot be made again."""
    readings: tuple[Reading, ...]
    scores: tuple[tuple[tuple[float | None, int], ...], ...]
    """Forced choice: natural log-probability and number of tokens of each option."""
    tokens: tuple[tuple[tuple[str, float | None], ...], ...]
    """The first tokens of a text with their natural log-probabilities."""
    ratings: tuple[Column, ...]
    """How likely each option was rated, 1 to 7."""
    participants: tuple[Answers, ...]

    @property
    def count(self) -> int:
        """How many trials there are."""
        return len(self.ids)


def entries(design: DesignResults, ids: Collection[str]) -> Entries:
    """Return what the page knows of the trials called ``ids``, in the order of the design.

    A trial that no participant was to be asked is left out.
    """
    wanted = frozenset(ids)
    found = [trial for result in design.results for trial in _planned(result) if trial.id in wanted]
    trials = {trial.id: trial for trial in found}
    prompts = [prompt for prompt in design.prompts if prompt.trial_id in trials]
    return _Maker(design, [trials[prompt.trial_id] for prompt in prompts], prompts).made()


def _planned(result: Result) -> Iterator[Trial]:
    """Yield the trials of a participant, where columns say which, without a record of each answer."""
    rows = result.rows
    if isinstance(rows, Rows):
        return (rows.table.trials[at] for at in rows.columns.place)
    return (row.trial for row in rows)


class _Maker:
    """Puts the entries of one design together."""

    def __init__(self, design: DesignResults, trials: Sequence[Trial], prompts: Sequence[Prompt]) -> None:
        self.design, self.trials, self.prompts = design, trials, prompts
        self.places = {trial.id: place for place, trial in enumerate(trials)}
        self.words: Interned[str] = Interned()
        self.said: Interned[str] = Interned()
        self.offers: Interned[Column] = Interned()
        self.exemplars: Interned[tuple[tuple[int, int], ...]] = Interned()
        self.readings: Interned[Reading] = Interned()
        self.scores: Interned[tuple[tuple[float | None, int], ...]] = Interned()
        self.tokens: Interned[tuple[tuple[str, float | None], ...]] = Interned()
        self.ratings: Interned[Column] = Interned()
        self.album = Album()
        self.showing: Showing | None = None
        self.note = ""
        try:
            self.showing = showing(design.signature)
        except SceneError as error:
            self.note = str(error)

    def made(self) -> Entries:
        signature, trials, prompts = self.design.signature, self.trials, self.prompts
        pairs = list(zip(trials, prompts, strict=True))
        columns = {
            "ids": tuple(self.words(trial.id) for trial in trials),
            "systems": _column(self._word(prompt.system) for prompt in prompts),
            "users": tuple(self.words(prompt.user) for prompt in prompts),
            "thens": _column(self._word(prompt.then) for prompt in prompts),
            "options": tuple(self.offers(tuple(self.words(o.text) for o in trial.options)) for trial in trials),
            "answers": tuple(trial.answer for trial in trials),
            "alike": _column(NOTHING if len(t.meant) == 1 else sum(1 << at for at in t.meant) for t in trials),
            "examples": _column(self._examples(*pair) for pair in pairs),
            "pictures": _column(self._picture(prompt.trial_id, prompt.picture) for prompt in prompts),
        }
        names = list(trials[0].factors) if trials else []
        factors = tuple((name, tuple(self.words(trial.factors[name]) for trial in trials)) for name in names)
        answers = tuple(self._answers(result) for result in self.design.results)
        return Entries(
            name=self.design.name,
            experiment=str(signature["experiment"]),
            condition=str(signature["condition"]),
            protocol=str(signature["protocol"]),
            of=len(self.design.prompts),
            attribution=self.showing.art.attribution if self.showing and self.album.pictures else "",
            note=self.note,
            words=self.words.things(),
            said=self.said.things(),
            factors=factors,
            offers=self.offers.things(),
            exemplars=self.exemplars.things(),
            pieces=self.album.pieces,
            drawings=self.album.pictures,
            readings=self.readings.things(),
            scores=self.scores.things(),
            tokens=self.tokens.things(),
            ratings=self.ratings.things(),
            participants=tuple(one for one in answers if any(number != NOTHING for number in one.reading)),
            **columns,
        )

    def _word(self, text: str) -> int:
        return self.words(text) if text else NOTHING

    def _saying(self, text: str | None) -> int:
        return self.said(text) if text else NOTHING

    def _picture(self, trial_id: str, key: str | None) -> int:
        if key is None:
            return NOTHING
        found = self.showing.picture(trial_id) if self.showing is not None else None
        return NOT_MADE if found is None or self.showing is None else self.album.number(found, self.showing.art)

    def _examples(self, trial: Trial, prompt: Prompt) -> int:
        if not prompt.examples:
            return NOTHING
        seen = [NOT_MADE] * len(prompt.examples)
        if self.showing is not None:
            found = [self.album.number(one, self.showing.art) for one in self.showing.examples(trial)]
            seen = found if len(found) == len(seen) else seen
        pictures = [NOTHING if one.picture is None else at for one, at in zip(prompt.examples, seen, strict=True)]
        return self.exemplars(
            tuple((self.words(one.text), at) for one, at in zip(prompt.examples, pictures, strict=True))
        )

    def _answers(self, result: Result) -> Answers:
        if result.is_reference and isinstance(result.rows, Rows):
            return self._choices(result.participant, result.rows)
        reading, text, reasoning, fault, notes, scores, tokens, ratings = (
            [NOTHING] * len(self.trials) for _ in range(8)
        )
        rows = result.rows.of(self.places) if isinstance(result.rows, Rows) else result.rows
        for row in rows:
            at = self.places.get(row.trial.id)
            if at is None:
                continue
            reading[at] = self.readings(_reading(row))
            came = row.response
            if came is None:
                continue
            text[at], reasoning[at] = self._saying(came.text), self._saying(came.reasoning)
            fault[at], notes[at] = self._saying(came.error), self._saying("\n".join(came.notes))
            if came.scores:
                scores[at] = self.scores(tuple((_finite(s.logprob, 4), s.tokens) for s in came.scores))
            if came.logprobs:
                tokens[at] = self.tokens(_first(came))
            if came.ratings:
                ratings[at] = self.ratings(tuple(came.ratings))
        columns = map(_column, (text, reasoning, fault, notes, scores, tokens, ratings))
        return Answers(result.participant, tuple(reading), *columns)

    def _choices(self, participant: str, rows: Rows) -> Answers:
        """Return the answers of a participant who writes nothing, from what has been counted already."""
        reading = [NOTHING] * len(self.trials)
        found, trials = rows.columns, rows.table.trials
        columns = (found.place, found.outcome, found.choice, found.credit, found.error, found.tied)
        for at, outcome, choice, credit, error, tied in zip(*(column.tolist() for column in columns), strict=True):
            place = self.places.get(trials[at].id)
            if place is not None:
                named = CLASSES[error].value if error >= 0 else ""
                reading[place] = self.readings(
                    Reading(OUTCOMES[outcome].value, choice, round(credit, 4), named, tied=tied)
                )
        return Answers(participant, tuple(reading), (), (), (), (), (), (), ())


def _reading(row: Scored) -> Reading:
    found = row.score
    error = row_class(row)
    verdict = row.verdict
    return Reading(
        outcome=found.outcome.value,
        choice=NOTHING if found.choice is None else found.choice,
        credit=round(found.credit, 4),
        error="" if error is None else error.value,
        rule=found.rule,
        reader=found.reader,
        tied=found.tied,
        judged="" if verdict is None else verdict.word or verdict.fault,
        finish="" if row.response is None else row.response.finish,
    )


def _first(response: Response) -> tuple[tuple[str, float | None], ...]:
    return tuple((token, _finite(logprob, 3)) for token, logprob in response.logprobs[:_TOKENS])


def _finite(number: float, digits: int) -> float | None:
    """Return a rounded number; nothing for one that JSON has not."""
    return round(number, digits) if math.isfinite(number) else None


def _column(numbers: Sequence[int] | Iterator[int]) -> Column:
    """Return a column; an empty one where no trial has anything."""
    found = tuple(numbers)
    return found if any(number != NOTHING for number in found) else ()
