"""How a run ends: well, or with trials unanswered."""

from collections.abc import Sequence

from deixis.errors import Unfinished
from deixis.runs.run import Asked


def finish(turns: Sequence[Asked]) -> None:
    """Raise :class:`Unfinished` where trials ended in errors or were not asked."""
    unasked = [turn for turn in turns if turn.unasked]
    if unasked:
        told = ", ".join(f"{turn.participant} {turn.unasked} of {turn.planned}" for turn in unasked)
        raise Unfinished(f"the budget is spent, and some trials were not asked ({told}); the same command goes on")
    failed = [turn for turn in turns if turn.errored]
    if failed:
        told = ", ".join(f"{turn.participant} {turn.errored} of {turn.planned}" for turn in failed)
        why = failed[0].first_error.replace("\n", " ")[:200]
        raise Unfinished(f"some trials ended in errors ({told}), the first: {why}; the same command asks them again")
