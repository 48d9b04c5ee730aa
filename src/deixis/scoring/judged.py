"""From a reader's score and a judge's verdict to a score that says both."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deixis.records import Outcome, Response, Score, Trial
from deixis.scoring.judge import goes_to_judge, shown_order, verdict_key
from deixis.scoring.verdicts import REFUSED, SEVERAL, Verdict, read_verdict
from deixis.store import AnswerFile

UNSCORED = "judge: "
"""Begins the rule of a score that a judge should have made and has not; behind it stands why."""
_CUT = frozenset({"length", "max_tokens"})


@dataclass(frozen=True, slots=True)
class Bench:
    """One judge's kept replies about one participant's answers."""

    judge: str
    """The judge's id."""
    version: str
    """Version of the instructions it had."""
    seed: int
    """Seed of the orders in which it saw the options."""
    family: str
    """The model family that it shares with whom it judges; mostly nothing."""
    replies: Mapping[str, Response]
    """Its replies, by the name of each answer."""


def bench(kept: AnswerFile) -> Bench:
    """Read a judge's replies back."""
    signature = kept.signature()
    return Bench(
        str(signature["judge"]),
        str(signature["instructions"]),
        int(signature["seed"]),
        str(signature["own_family"]),
        kept.read(),
    )


def reading_label(reader: str, kept: Bench, *, every: bool) -> str:
    """Return what stands beside a number: reader, instructions and judge; the judge alone where it read every text."""
    judge = f"{kept.version}:{kept.judge}"
    return judge if every else f"{reader}+{judge}"


def verdict_on(trial: Trial, response: Response, kept: Bench) -> Verdict:
    """Return what the judge says about an answer; not asked and failed are faults of it."""
    reply = kept.replies.get(verdict_key(trial, response.text or ""))
    if reply is None:
        return Verdict(fault="not asked yet")
    if reply.error is not None:
        return Verdict(fault=reply.error)
    return read_verdict(reply.text, len(trial.options), reply.finish)


def judged(
    trial: Trial, response: Response | None, read: Score, kept: Bench, *, every: bool
) -> tuple[Score, Verdict | None]:
    """Return the score under a judge, and its verdict where it was to give one.

    An answer without a verdict is never wrong for it: what the reader could not decide stays *unreadable*, and where
    the judge reads every text the answer counts as not scored (*missing* before it was asked, *errored* where it
    failed), which no denominator holds. The reader's word never stands in for the judge's.
    """
    read = replace(read, reader=reading_label(read.reader, kept, every=every))
    if response is None or not goes_to_judge(response, read, every=every):
        return read, None
    verdict = verdict_on(trial, response, kept)
    if verdict.fault:
        outcome = Outcome.UNREADABLE
        if every:
            known = verdict_key(trial, response.text or "") in kept.replies
            outcome = Outcome.ERRORED if known else Outcome.MISSING
        rule = UNSCORED + " ".join(verdict.fault.split())[:200]
        return replace(read, outcome=outcome, choice=None, credit=0.0, rule=rule), verdict
    if verdict.place is not None:
        choice = shown_order(trial, kept.seed)[verdict.place]
        credit = float(choice == trial.answer)
        return replace(read, outcome=Outcome.ANSWERED, choice=choice, credit=credit, rule="judge"), verdict
    if verdict.word == REFUSED:
        return replace(read, outcome=Outcome.REFUSED, choice=None, credit=0.0, rule="judge"), verdict
    cut = response.finish in _CUT
    rule = "judge, several options" if verdict.word == SEVERAL else "judge, no option"
    outcome = Outcome.TRUNCATED if cut else Outcome.UNREADABLE
    return replace(read, outcome=outcome, choice=None, credit=0.0, rule=rule), verdict
