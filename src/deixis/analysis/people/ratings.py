"""People's ratings as a table: one row an object, with its role in what was said."""

from collections.abc import Iterable

import pandas as pd

from deixis.scoring.results import DesignResults

RATING_COLUMNS = ("task", "word", "person", "rating", "role", "trial_id")


def ratings(designs: Iterable[DesignResults]) -> pd.DataFrame:
    """Return every rating (1 to 7) of comprehension, objects from left to right within a trial.

    ``task`` is *possessive* or *demonstrative*, ``word`` what was said (*mine*, *this one* …), ``person`` the
    participant's id. ``role`` is *target pair* or *other pair* of possessives, and of demonstratives how many objects
    lie between the speaker and the object, *0* to *3*: the two panels of Figure 17 in Dong et al. (2026). Trials that
    were not rated, or not for each object, have no rows; without any rating the table is empty.
    """
    rows = [
        (
            row.trial.factors["task"],
            row.trial.factors["word"],
            result.participant,
            rating,
            option.features["role"],
            row.trial.id,
        )
        for design in designs
        for result in design.results
        if result.signature.get("answer") == "rating"
        for row in result.rows
        if row.response is not None and len(row.response.ratings) == len(row.trial.options)
        for rating, option in zip(row.response.ratings, row.trial.options, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(RATING_COLUMNS)).astype({"rating": int})
