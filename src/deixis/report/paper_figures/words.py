"""Numbers in words: what a text alternative says of accuracies."""

from collections.abc import Mapping, Sequence

import pandas as pd

from deixis.analysis.who import Kind


def listed(frame: pd.DataFrame, level: str, order: list[str]) -> str:
    """Return a phrase for each level: what people reached, and from which to which model accuracies go."""
    return "; ".join(f"{name}: {_of(part)}" for name in order if len(part := frame[frame[level] == name]))


def ranged(low: float, high: float) -> str:
    """Return two counts as ``16`` or ``16 to 32``."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _of(part: pd.DataFrame) -> str:
    people = part[part["kind"] == Kind.PEOPLE]
    models = part[part["kind"] == Kind.MODEL].sort_values("accuracy", kind="stable")
    told = [f"{name} {value:.2f}" for name, value in zip(people["name"], people["accuracy"], strict=True)]
    if len(models) == 1:
        told.append(f"{models['name'].iloc[0]} {models['accuracy'].iloc[0]:.2f}")
    elif len(models):
        low, high = models.iloc[0], models.iloc[-1]
        ends = [f"{one['accuracy']:.2f} ({one['name']})" for one in (low, high)]
        told.append(f"{len(models)} models from {' to '.join(ends)}")
    return ", ".join(told)


def averaged(bars: pd.DataFrame, panels: Sequence[str], called: Mapping[str, str]) -> str:
    """Return for each panel the average over its models at each level, by what the level is called."""
    found = bars.groupby(["panel", "level"], sort=False)["accuracy"].mean()
    told = [
        f"{panel}: " + ", ".join(f"{name} {found[panel, level]:.2f}" for level, name in called.items()
                                 if (panel, level) in found.index)
        for panel in panels if panel in found.index.get_level_values(0)
    ]  # fmt: skip
    return "; ".join(told)
