"""How a run ends: well, or with trials unanswered."""

from collections.abc import Sequence

from deixis.errors import Unfinished
from deixis.runs.run import Asked


def finish(turns: Sequence[Asked]) -> None:
    """Raise :class:`Unfinished` where trials ended in errors."""
    failed = [turn for turn in turns if turn.errored]
    if failed:
        told = ", ".join(f"{turn.participant} {turn.errored} of {turn.planned}" for turn in failed)
        why = failed[0].first_error.replace("\n", " ")[:200]
        raise Unfinished(f"some trials ended in errors ({told}), the first: {why}; the same command asks them again")
