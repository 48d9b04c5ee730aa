"""Two readings of one run side by side: what changed, in numbers and by example."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deixis.analysis.estimates import CellEstimate, cell
from deixis.analysis.tidy import frame_of_rows
from deixis.records import Outcome, Score
from deixis.scoring.results import DesignResults, Result, Scored


@dataclass(frozen=True, slots=True)
class Change:
    """One answer that two readings take otherwise."""

    one: Scored
    """As the first reads it."""
    other: Scored
    """As the second does."""

    @property
    def kind(self) -> str:
        """From what to what: ``unreadable → right``."""
        before, after = verdict_of(self.one.score), verdict_of(self.other.score)
        return f"{before} → {after}{', another option' if before == after else ''}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two readings of one participant's answers to one design."""

    participant: str
    """Whose answers they are."""
    readers: tuple[str, str]
    """The two readings, with their versions."""
    rows: int
    """Trials compared."""
    changes: tuple[Change, ...]
    """What they take otherwise, in the order of the trials."""
    estimates: tuple[CellEstimate, CellEstimate]
    """What is counted under each."""


def verdict_of(score: Score) -> str:
    """Return *right*, *wrong* or *tied* for an answer, its outcome for anything else."""
    if score.outcome is not Outcome.ANSWERED:
        return score.outcome.value
    return "tied" if score.tied else "right" if score.credit == 1 else "wrong"


def compare(one: DesignResults, other: DesignResults) -> Iterator[Comparison]:
    """Yield what two readings of a design make of every participant; trials are joined by id."""
    beside = {result.participant: result for result in other.results}
    for result in one.results:
        yield _compare(result, beside[result.participant])


def _compare(one: Result, other: Result) -> Comparison:
    rows = {row.trial.id: row for row in other.rows}
    pairs = [(row, rows[row.trial.id]) for row in one.rows]
    changes = tuple(Change(a, b) for a, b in pairs if _read(a.score) != _read(b.score))
    readers = (str(one.signature["reader"]), str(other.signature["reader"]))
    return Comparison(
        one.participant,
        readers,
        len(pairs),
        changes,
        (cell({}, frame_of_rows(one.rows)), cell({}, frame_of_rows(other.rows))),
    )


def _read(score: Score) -> tuple[Outcome, int | None, float]:
    return score.outcome, score.choice, score.credit


def comparison_lines(name: str, found: Sequence[Comparison], examples: int) -> list[str]:
    """Return a comparison for reading, with up to ``examples`` examples a participant, of every kind in turn.

    Participants that nothing changed for are only counted.
    """
    lines = [f"{name}:"]
    same = [entry for entry in found if not entry.changes]
    for entry in found:
        if not entry.changes:
            continue
        kinds = Counter(change.kind for change in entry.changes)
        lines.append(f"{entry.participant}: {len(entry.changes)} of {entry.rows} read otherwise")
        lines += [f"  {count:>6}  {kind}" for kind, count in kinds.most_common()]
        lines += [f"  {told}" for told in _accuracies(entry)]
        for change in _by_turns(entry.changes)[:examples]:
            lines += _example(change)
    if same:
        told = ", ".join(entry.participant for entry in same if not entry.participant.startswith("strategy:"))
        lines.append(f"nothing changed for {len(same)} participants{f' ({told} among them)' if told else ''}")
    return lines


def _accuracies(entry: Comparison) -> Iterator[str]:
    for reader, found in zip(entry.readers, entry.estimates, strict=True):
        other = ", ".join(f"{name} {count}" for name, count in found.outcomes.items() if count and name != "answered")
        yield (
            f"{reader}: accuracy {_share(found.accuracy)} over {found.n}, {_share(found.accuracy_readable)} over the "
            f"{found.answered} readable{f'; {other}' if other else ''}"
        )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _by_turns(changes: Sequence[Change]) -> list[Change]:
    """Put changes in an order in which every kind comes once before one comes twice."""
    met: Counter[str] = Counter()
    turns = []
    for place, change in enumerate(changes):
        turns.append((met[change.kind], place))
        met[change.kind] += 1
    return [changes[place] for _, place in sorted(turns)]


def _example(change: Change) -> list[str]:
    response = change.one.response
    text = "" if response is None else response.text or ""
    shown = repr(text if len(text) <= 300 else f"{text[:200]} … {text[-100:]}")
    return [f"  {change.one.trial.id}: {shown}", *(f"    {_reading(row)}" for row in (change.one, change.other))]


def _reading(row: Scored) -> str:
    score = row.score
    option = "" if score.choice is None else f" {row.trial.options[score.choice].text!r}"
    return f"{score.reader}: {verdict_of(score)}{option} ({score.rule})"
