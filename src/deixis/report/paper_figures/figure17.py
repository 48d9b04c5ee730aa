"""Figure 17: how people rate which object is meant, by pair for possessives and by distance for demonstratives."""

from typing import Any

import numpy as np
import pandas as pd

from deixis.errors import AnalysisError
from deixis.report.drawing import look
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.words import ranged

COLUMNS = ("task", "word", "person", "rating", "role")
ROLES = {"possessive": ("target pair", "other pair"), "demonstrative": ("0", "1", "2", "3")}
"""Task to the roles that an object can have: its pair, or how far it lies from the speaker (0 the nearest)."""
SCALE = range(1, 8)
"""What can be given as a rating."""
_WORDS = ("mine", "yours", "this", "this one", "that", "that one")
"""In the order of the panels."""


def checked(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return ratings with roles as texts.

    Raises :class:`AnalysisError` for a table without one of :data:`COLUMNS`, or with a value that there is not.
    """
    absent = [name for name in COLUMNS if name not in ratings]
    if absent:
        raise AnalysisError(f"ratings have no column {absent[0]!r}; they need {', '.join(COLUMNS)}")
    found = ratings[list(COLUMNS)].copy()
    found["role"] = [
        str(int(role)) if isinstance(role, (int, float, np.number)) else str(role) for role in found["role"]
    ]
    for task, role in found[["task", "role"]].drop_duplicates().itertuples(index=False):
        if role not in ROLES.get(task, ()):
            raise AnalysisError(f"role {role!r} does not exist in the {task!r} task; there are {ROLES}")
    strange = found.loc[~found["rating"].isin(SCALE), "rating"]
    if len(strange):
        raise AnalysisError(f"rating {float(strange.iloc[0]):g} is not on the scale of whole numbers from 1 to 7")
    return found


def means(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return one row a task, word and role: people, mean, low, high.

    The mean is that of the persons' means, ``low`` to ``high`` one standard error around it (NaN of one person).
    """
    by = ["task", "word", "role"]
    persons = checked(ratings).groupby([*by, "person"], sort=False)["rating"].mean().reset_index()
    found = persons.groupby(by, sort=False)["rating"].agg(people="size", mean="mean", sd="std").reset_index()
    error = found["sd"] / np.sqrt(found["people"])
    return _ordered(found.assign(low=found["mean"] - error, high=found["mean"] + error).drop(columns="sd"))


def distribution(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return one row a task, word, role and rating given: share of the ratings of that word and role."""
    by = ["task", "word", "role"]
    found = checked(ratings).groupby(by, sort=False)["rating"].value_counts(normalize=True)
    return _ordered(found.rename("share").reset_index())


def _ordered(found: pd.DataFrame) -> pd.DataFrame:
    tasks = list(ROLES)
    place = [tasks.index(task) for task in found["task"]]
    role = [ROLES[task].index(role) for task, role in zip(found["task"], found["role"], strict=True)]
    letter = np.where(found["task"] == "possessive", "A", "B")
    kept = found.assign(panel=letter + "  " + found["word"].astype(str), _place=place, _role=role)
    kept["_word"] = [_WORDS.index(word) if word in _WORDS else len(_WORDS) for word in kept["word"]]
    sorting = [name for name in ("_place", "_word", "word", "_role", "rating") if name in kept]
    return kept.sort_values(sorting, kind="stable", ignore_index=True).drop(columns=["_place", "_word", "_role"])


def _plot(average: pd.DataFrame, spread: pd.DataFrame) -> Any:
    import plotnine as p9  # noqa: PLC0415  (heavy)

    panels = list(dict.fromkeys(average["panel"]))
    average = average.assign(value=[f"{mean:.1f}" for mean in average["mean"]])
    roles = [role for task in ROLES for role in ROLES[task]]
    average, spread = (
        frame.assign(panel=pd.Categorical(frame["panel"], panels), role=pd.Categorical(frame["role"], roles))
        for frame in (average, spread)
    )
    return (
        p9.ggplot(average, p9.aes("role", "mean", group=1))
        + p9.geom_point(
            p9.aes("role", "rating", size="share"), data=spread, color="#6baed6", alpha=0.55, inherit_aes=False
        )
        + p9.geom_line(size=0.6, color="#08306b")
        + p9.geom_errorbar(p9.aes(ymin="low", ymax="high"), data=average[average["low"].notna()], width=0.15, size=0.6)
        + p9.geom_point(size=1.8, shape="D", fill="white", color="black", stroke=0.6)
        + p9.geom_text(p9.aes(label="value"), y=7.75, size=6.5)
        + p9.scale_size_area(max_size=9, limits=(0, 1), breaks=(0.1, 0.5, 1))
        + p9.scale_y_continuous(limits=(0.7, 7.9), breaks=list(SCALE))
        + p9.facet_wrap("panel", nrow=1, scales="free_x")
        + p9.labs(x="pair (A), distance from the speaker (B)", y="rating", size="share of ratings")
        + look(p9, (0.9 + 1.6 * len(panels), 3.2))
    )


def _said(average: pd.DataFrame) -> str:
    told = []
    for word, part in average.groupby("word", sort=False):
        where = "distance " if part["task"].iloc[0] == "demonstrative" else ""
        pairs = zip(part["role"], part["mean"], strict=True)
        told.append(f"{word}, " + ", ".join(f"{where}{role}: {mean:.1f}" for role, mean in pairs))
    return "; ".join(told)


def sketch17(ratings: pd.DataFrame | None) -> Sketch | None:
    """Return Figure 17, ``None`` where there are no ratings."""
    if ratings is None or ratings.empty:
        return None
    average, spread = means(ratings), distribution(ratings)
    low, high = int(average["people"].min()), int(average["people"].max())
    caption = (
        f"How likely each object is the one meant, from 1 to 7, as rated by {ranged(low, high)} people. "
        "A: possessives, the pair of the owner named against the other. B: demonstratives, by how many objects lie "
        "between it and the speaker. Diamonds are means of the persons' means, with one standard error; areas of discs "
        "are shares of ratings; the numbers above are the means."
    )
    return Sketch(
        "figure17",
        "Ratings of which object is meant",
        caption,
        f"Mean ratings from 1 to 7. {_said(average)}.",
        lambda: _plot(average, spread),
    )


def figure17(ratings: pd.DataFrame) -> Any:
    """Return the plot of ratings: columns task, word, person, rating (1 to 7) and role (:data:`ROLES`).

    ``None`` for an empty table; raises :class:`AnalysisError` where a column is lacking or a value is impossible.
    """
    found = sketch17(ratings)
    return found and found.plot()
