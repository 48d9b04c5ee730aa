"""What was not made alike is said, and nothing else."""

from pathlib import Path

import pytest

from deixis.report.answer import answer
from deixis.report.gather import GatheredDesign, gather, whole
from deixis.report.mixing import mixed
from deixis.scoring.results import PROTOCOL
from tests.report.runs import Says, asked


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked(tmp_path_factory.mktemp("corrected"), "possessive", Says(), people=2)


@pytest.fixture(scope="module")
def both(corrected: Path, tmp_path_factory: pytest.TempPathFactory) -> list[GatheredDesign]:
    """The same under two protocols."""
    published = asked(tmp_path_factory.mktemp("published"), "possessive", Says(), protocol="published")
    return gather([corrected, published], PROTOCOL)


def test_what_was_made_alike_is_not_told(corrected: Path) -> None:
    assert mixed(gather([corrected], PROTOCOL)) == []


def test_protocols_side_by_side_are_told(both: list[GatheredDesign]) -> None:
    assert mixed(both) == ["several protocols stand side by side and are never put together: corrected, published"]


def test_protocols_side_by_side_are_not_pooled(both: list[GatheredDesign]) -> None:
    """*I prefer mine* is right in a quarter of 32 trials twice; of 64 it would be 0.25 [0.16, 0.37], once."""
    first, *_ = answer(whole(both))
    each = "0.25 [0.13, 0.42] of possessive"
    assert f"{each} (mine and yours; corrected) and {each} (published)" in first


def test_other_weights_are_told_with_where_they_were(corrected: Path, tmp_path: Path) -> None:
    asked(tmp_path, "vocabulary", Says(weights="other"))
    (line,) = mixed(gather([corrected, tmp_path], PROTOCOL))
    told, _, what = line.partition(": ")
    assert told == "demo/mine (corrected) was not asked or read alike everywhere"
    assert what == "weights is none on possessive-people; other on vocabulary-people"


def test_that_people_rate_where_they_rate_is_no_difference(corrected: Path, tmp_path: Path) -> None:
    asked(tmp_path, "comprehension", people=2)
    assert mixed(gather([corrected, tmp_path], PROTOCOL)) == []


def test_another_model_is_not_the_same_made_otherwise(corrected: Path, tmp_path: Path) -> None:
    asked(tmp_path, "vocabulary", Says("demo/other", weights="other"))
    assert mixed(gather([corrected, tmp_path], PROTOCOL)) == []
