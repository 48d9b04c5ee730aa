"""Tidy tables made by hand, small enough to count on fingers."""

from collections.abc import Iterable, Sequence

import pandas as pd

COLUMNS = (
    "participant", "experiment", "condition", "protocol", "outcome", "correct", "answer", "group", "target", "speaker",
    "background", "text_ceiling", "picture_ceiling", "both_ceiling",
)  # fmt: skip


def trials(
    participant: str,
    design: str,
    earned: Iterable[float],
    *,
    protocol: str = "corrected",
    unreadable: int = 0,
    errored: int = 0,
    **factors: Sequence[str],
) -> pd.DataFrame:
    """Return trials of one participant: answered ones with these credits, unreadable ones and errored ones behind.

    ``design`` is experiment and condition with a slash between. Factors not named are those of a check.
    """
    right = list(earned)
    n = len(right) + unreadable + errored
    experiment, _, condition = design.partition("/")
    columns = {
        "participant": [participant] * n,
        "experiment": [experiment] * n,
        "condition": [condition] * n,
        "protocol": [protocol] * n,
        "outcome": ["answered"] * len(right) + ["unreadable"] * unreadable + ["errored"] * errored,
        "correct": [*right, *[0.0] * unreadable, *[float("nan")] * errored],
        "answer": [place % 2 for place in range(n)],
        "group": [str(1 + place % 2) for place in range(n)],
        "target": [str(place % 4) for place in range(n)],
        "speaker": [("boy", "girl")[place % 2] for place in range(n)],
        "background": [None] * n,
        "text_ceiling": [0.5] * n,
        "picture_ceiling": [float("nan")] * n,
        "both_ceiling": [1.0] * n,
    }
    return pd.DataFrame({**columns, **factors})


def tidied(*parts: pd.DataFrame) -> pd.DataFrame:
    """Put parts together, texts as categories."""
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))
    texts = (
        "participant",
        "experiment",
        "condition",
        "protocol",
        "outcome",
        "group",
        "target",
        "speaker",
        "background",
    )
    return whole.astype(dict.fromkeys(texts, "category"))
