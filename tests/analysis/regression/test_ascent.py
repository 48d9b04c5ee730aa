"""Newton's method that never goes down."""

import numpy as np
import pytest

from deixis.analysis.regression.ascent import ascend
from deixis.errors import AnalysisError


def test_the_top_is_found_from_far_away() -> None:
    """log cosh: plain Newton steps from 3 go ever farther to either side."""
    found = ascend(
        np.array([3.0]),
        lambda at: -float(np.log(np.cosh(at[0]))),
        lambda at: (-np.tanh(at), np.array([[1 / np.cosh(at[0]) ** 2]])),
        "it",
    )
    assert found[0] == pytest.approx(0, abs=1e-8)


def test_what_has_no_top_is_refused() -> None:
    with pytest.raises(AnalysisError, match="the slide did not come to rest in 200 steps"):
        ascend(np.zeros(1), lambda at: float(at[0]), lambda at: (np.ones(1), np.eye(1)), "the slide")
