"""Figures 2, 3 and 4A: bars, brackets, marks and words."""

import math
from statistics import NormalDist

import pandas as pd
import pytest

from deixis.report.paper_figures.bars import Groups, number, placed, present, rungs
from deixis.report.paper_figures.comparisons import stars
from deixis.report.paper_figures.figure2 import LEVELS, bars2, brackets2, printed2, sketch2
from deixis.report.paper_figures.figure3 import bars3, sketch3
from deixis.report.paper_figures.figure4 import bars4, sketch4a
from deixis.report.paper_figures.tally import tally
from tests.report.paper_figures.made import cell, small, table


def test_figure_2_takes_people_on_their_condition_and_models_on_main() -> None:
    found = bars2(tally(small()))
    assert list(dict.fromkeys(found["name"])) == ["people (pilot)", "gpt-4o", "small"]
    assert set(zip(found["kind"], found["condition"], strict=True)) == {("people", "people"), ("model", "main")}
    assert found.groupby("name", sort=False)["accuracy"].apply(list)["small"] == [0.7, 0.4, 0.4]


def test_a_bracket_is_the_odds_ratio_of_two_tasks_with_tukeys_p() -> None:
    # gpt-4o: 90 of 100 against 60 of 100 is an odds ratio of 9/1.5 = 6; z = ln 6/√(1/90 + 1/10 + 1/60 + 1/40) = 4.584
    found = brackets2(tally(small()))
    own = found[found["name"] == "gpt-4o"].set_index(["first", "second"])
    assert own.loc[("vocabulary", "possessive"), "odds_ratio"] == pytest.approx(6)
    # the upper tail of the studentised range of three at √2 z (scipy)
    assert own.loc[("vocabulary", "possessive"), "p"] == pytest.approx(1.3599e-5, rel=1e-3)
    assert own["mark"].tolist() == ["***", "***", "n.s."]
    assert own.loc[("possessive", "demonstrative"), "p"] == pytest.approx(1)


def test_people_are_clustered_by_person() -> None:
    # by hand: each person pulls at the log odds ratio with (k1 - 32 p1)/(128 p1 q1) - (k2 - 32 p2)/(128 p2 q2)
    right = {"possessive": (32, 16, 30, 10), "demonstrative": (24, 8, 20, 12)}
    parts = [cell(f"people:a/{at}", task, "people", k, 32) for task, ks in right.items() for at, k in enumerate(ks)]
    (p1, p2), pulls = (sum(ks) / 128 for ks in right.values()), [0.0] * 4
    for share, ks, sign in ((p1, right["possessive"], 1), (p2, right["demonstrative"], -1)):
        pulls = [
            pull + sign * (k - 32 * share) / (128 * share * (1 - share)) for pull, k in zip(pulls, ks, strict=True)
        ]
    error = math.sqrt(sum(pull**2 for pull in pulls) * 4 / 3 * 255 / 254)
    log_ratio = math.log(p1 / (1 - p1)) - math.log(p2 / (1 - p2))
    found = brackets2(tally(table(*parts))).iloc[0]
    assert found["odds_ratio"] == pytest.approx(math.exp(log_ratio))
    assert found["p"] == pytest.approx(2 * NormalDist().cdf(-log_ratio / error), rel=1e-6)


def test_one_person_alone_has_no_brackets() -> None:
    parts = [cell("people:a/1", task, "people", 10, 16) for task in ("possessive", "demonstrative")]
    assert brackets2(tally(table(*parts))).empty


@pytest.mark.parametrize(("p", "mark"), [(0.0009, "***"), (0.001, "**"), (0.049, "*"), (0.05, "n.s.")])
def test_asterisks(p: float, mark: str) -> None:
    assert stars(p) == mark


def test_what_the_paper_states_is_marked_where_its_participants_stand() -> None:
    found = printed2(bars2(tally(small())))
    assert found[["name", "level", "at"]].to_numpy().tolist() == [
        ["people (pilot)", "possessive", 0.93],
        ["people (pilot)", "demonstrative", 0.83],
        ["gpt-4o", "demonstrative", 0.702],
    ]


def test_groups_stand_on_balanced_shelves_and_bars_beside_one_another() -> None:
    parts = [cell(f"m/{at}", task, "main", 2, 4) for at in range(8) for task in ("vocabulary", "possessive")]
    bars = bars2(tally(table(*parts)))
    found = placed(Groups(bars, LEVELS, pd.DataFrame(), pd.DataFrame(), 6))
    assert found.groupby("shelf")["name"].nunique().tolist() == [4, 4]
    assert not found.duplicated("x").any()
    assert (found.groupby("name")["x"].diff().dropna() - 2 * found["half"].iloc[0]).abs().max() < 1e-12


def test_wider_brackets_stand_above_narrow_ones() -> None:
    pairs = pd.DataFrame({"first": ["vocabulary", "vocabulary"], "second": ["possessive", "demonstrative"]})
    assert rungs(pairs, LEVELS).tolist() == [0, 1]


def test_figure_3_has_ablations_with_their_own_ceilings() -> None:
    found = bars3(tally(small())).set_index(["panel", "name", "level"])
    assert found.loc[("possessive", "gpt-4o", "perspective"), ["accuracy", "both"]].tolist() == [0.4, 0.5]
    assert found.loc[("possessive", "gpt-4o", "main"), ["accuracy", "both"]].tolist() == [0.6, 1.0]
    assert list(dict.fromkeys(found.index.get_level_values("panel"))) == ["possessive", "demonstrative"]


def test_figure_4a_stars_what_differs_from_main() -> None:
    found = bars4(tally(small())).set_index(["panel", "name", "level"])["stars"]
    assert found["possessive", "small", "instruction"] == "***"
    assert found[[("possessive", "small", level) for level in ("main", "in-context")]].isna().all()


def test_alternatives_say_the_numbers() -> None:
    counts = tally(small())
    two, three, four = sketch2(counts), sketch3(counts), sketch4a(counts)
    assert two is not None
    assert three is not None
    assert four is not None
    assert two.alt == (
        "Bars of accuracy. vocabulary: people (pilot) 0.88, 2 models from 0.70 (small) to 0.90 (gpt-4o); "
        "possessive: people (pilot) 0.88, 2 models from 0.40 (small) to 0.60 (gpt-4o); "
        "demonstrative: people (pilot) 0.62, 2 models from 0.40 (small) to 0.60 (gpt-4o). Chance is 0.25."
    )
    assert "possessive: all cues 0.50, no perspective 0.30" in three.alt
    assert "zero-shot 0.50, in context 0.51, instruction 0.85" in four.alt


def test_without_the_data_there_is_no_figure() -> None:
    only = tally(table(cell("m/one", "indexicals", "main", 3, 4, options=2)))
    assert [make(only) for make in (sketch2, sketch3, sketch4a)] == [None, None, None]
    main = tally(table(cell("m/one", "possessive", "main", 3, 4)))
    assert [make(main) for make in (sketch3, sketch4a)] == [None, None]


def test_numbers_have_no_zero_before_the_point() -> None:
    assert [number(value) for value in (0.934, 1.0, 0.0)] == [".93", "1.00", ".00"]


def test_no_place_is_kept_for_a_bar_that_nobody_has() -> None:
    bars = bars2(tally(table(cell("m/one", "vocabulary", "main", 2, 4), cell("m/one", "possessive", "main", 2, 4))))
    levels = present(LEVELS, bars)
    assert [level.id for level in levels] == ["vocabulary", "possessive"]
    assert placed(Groups(bars, levels, pd.DataFrame(), pd.DataFrame(), 6))["x"].sum() == pytest.approx(0)
