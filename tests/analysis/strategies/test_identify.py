"""What the real designs can tell apart, and small designs done by hand."""

import pytest

from deixis.analysis.strategies.identify import identifiability
from deixis.analysis.strategies.predictions import predictions
from deixis.experiments.experiment import Design
from tests.analysis.mixtures import design_of, table


def test_by_hand() -> None:
    """Two options, three trials: a and its opposite make noise, c is another, d is a again."""
    made = predictions({"a": [0, 0, 1], "b": [1, 1, 0], "c": [0, 1, 1], "d": [0, 0, 1]}, [2] * 3, list("xyz"))
    found = identifiability(made)
    assert found.columns == (("noise",), ("a", "d"), ("b",), ("c",))
    assert found.dependencies == ("(a = d) + b = 2 noise",)
    assert found.groups == (("noise", "a = d", "b"),)
    assert (found.told_apart, found.rank) == (("c",), 3)


def test_thirds_are_written_in_whole_numbers() -> None:
    made = predictions({"a": [0], "b": [1], "c": [2]}, [3], ["x"])
    assert identifiability(made).dependencies == ("a + b + c = 3 noise",)


def test_one_trial_tells_nothing_of_the_others() -> None:
    made = predictions({"a": [0, 0], "b": [0, 1]}, [2, 2], ["x", "y"])
    assert identifiability(made).lines() == [
        "every strategy and every mixture of them can be told apart on these trials"
    ]
    assert identifiability(made.take(made.options == 2)).rank == 3


def test_indexicals(bank: Design) -> None:
    """Positions and points of view are pairs of opposites; everything else is told apart in the bank."""
    found = identifiability(table(bank))
    assert found.dependencies == ("first-option + last-option = 2 noise", "always-shifted + never-shifted = 2 noise")
    assert found.told_apart == (
        *("oracle", "most-mentioned", "last-mentioned", "quotation-mark", "complementiser", "prime-follower"),
    )


POSITIONS = "first-option + last-option + second-option + third-option = 4 "


@pytest.mark.parametrize(
    ("name", "alike", "dependencies"),
    [
        (
            "vocabulary",
            {("noise", "copy-the-noun"), ("always-I", "gazer-blind")},
            {POSITIONS + "(noise = copy-the-noun)", "2 picture-only = (always-I = gazer-blind) + always-You"},
        ),
        (
            "possessive",
            {("noise", "picture-only"), ("oracle", "text-only"), ("always-I", "gazer-blind")},
            {POSITIONS + "(noise = picture-only)"},
        ),
        (
            "demonstrative",
            {("noise", "picture-only"), ("oracle", "text-only"), ("always-I", "gazer-blind")},
            {
                POSITIONS + "(noise = picture-only)",
                "(oracle = text-only) + distance-from-listener = always-this + always-that",
            },
        ),
    ],
)
def test_scenes(name: str, alike: set[tuple[str, ...]], dependencies: set[str]) -> None:
    found = identifiability(table(design_of(name)))
    assert {column for column in found.columns if len(column) > 1} == alike
    assert set(found.dependencies) == dependencies
