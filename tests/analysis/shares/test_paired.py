"""McNemar against R and by hand; pairs are made by id, and never where an id comes twice."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from deixis.analysis.adjustment import over_family
from deixis.analysis.shares.paired import mcnemar, paired, tango
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare, same
from tests.analysis.reference import check, data

PROMPTS = (("zero_shot", "in_context"), ("zero_shot", "instruction"), ("in_context", "instruction"))


@pytest.mark.parametrize("task", ["possessive", "demonstrative"])
def test_prompts_are_rs(task: str) -> None:
    table, rows = data(2).query(f"task == '{task}'"), []
    for first, second in PROMPTS:
        sides = [table[table["prompt"] == prompt] for prompt in (first, second)]
        found = paired(*sides, key=("trial_id",))
        rows.append({"first": first, "second": second, **{name: getattr(found, name) for name in found.__slots__}})
        assert 2 * (found.pairs + found.left_out) + found.unpaired == sum(map(len, sides))
    frame = pd.DataFrame(rows)
    frame["p_holm"] = over_family(np.log(frame["p"]))
    columns = same("pairs only_second only_first statistic p p_corrected p_exact p_holm")
    compare(frame, 2, f"mcnemar_{task[:4]}", columns, ("first", "second"))


def test_the_order_of_rows_does_not_matter() -> None:
    table = data(2).query("task == 'possessive'")
    first, second = (table[table["prompt"] == prompt] for prompt in PROMPTS[1])
    assert paired(first, second, key=("trial_id",)) == paired(
        first.sample(frac=1, random_state=1), second.sample(frac=1, random_state=2), key=("trial_id",)
    )


def test_what_comes_twice_is_refused() -> None:
    """Set 08 has two rows twice, the same to the last letter; even they are not guessed at."""
    table, expected = data(8), check(8, "rows")[0]
    assert table.duplicated(["participant", "trial_id"]).sum() == expected["n_duplicated"] == 2
    first, second = (table[table["condition"] == c] for c in ("original", "ablated"))
    with pytest.raises(AnalysisError, match=r"condition has model_x/t\d+ more than once"):
        paired(first, second)
    with pytest.raises(AnalysisError, match="share no participant/trial_id"):
        paired(first.drop_duplicates(["trial_id"]), second.drop_duplicates(["trial_id"]))
    with pytest.raises(AnalysisError, match="no column 'person'"):
        paired(first, second, key=("person",))


def test_missing_and_unpaired_trials_are_counted() -> None:
    first = pd.DataFrame({"participant": "m", "trial_id": list("abcde"), "correct": [1, 0, np.nan, 1, 1]})
    second = pd.DataFrame({"participant": "m", "trial_id": list("dcbaz"), "correct": [0, 1, np.nan, 1, 0]})
    found = paired(first, second)
    assert (found.pairs, found.left_out, found.unpaired, found.only_first, found.only_second) == (2, 2, 2, 1, 0)


def test_an_example_from_the_literature() -> None:
    """Airway hyper-responsiveness before and after transplantation, as in Fagerland, Lydersen and Laake (2014)."""
    found = mcnemar(21, 1, 7)
    assert (found.difference, found.low, found.high) == pytest.approx((-0.286, -0.517, -0.026), abs=5e-4)
    assert (found.p, found.p_exact, found.p_mid) == pytest.approx((0.034, 0.070, 0.039), abs=5e-4)
    assert (found.odds_ratio, found.odds_low, found.odds_high) == pytest.approx((1 / 7, 0.0032, 1.11), abs=5e-3)


@pytest.mark.parametrize(("b", "c"), [(3, 9), (9, 3), (5, 5), (0, 4), (1, 0), (60, 90)])
def test_tests_are_statsmodels(b: int, c: int) -> None:
    found, table = mcnemar(200, b, c), [[0, b], [c, 0]]
    assert found.p_exact == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-9)
    assert found.p == pytest.approx(statsmodels_mcnemar(table, exact=False, correction=False).pvalue, rel=1e-9)
    lower = stats.binom.cdf(min(b, c) - 1, b + c, 0.5) + stats.binom.pmf(min(b, c), b + c, 0.5) / 2
    assert found.p_mid == pytest.approx(min(1, 2 * lower), rel=1e-9)


def test_without_a_difference_there_is_no_test_but_an_interval() -> None:
    found = mcnemar(50, 0, 0)
    assert math.isnan(found.p_exact)
    assert found.note == "no trial differs between the conditions: no test"
    assert found.low < 0 < found.high
    assert mcnemar(0, 0, 0).note == "no pair has both outcomes"
    assert mcnemar(10, 4, 0).odds_ratio == mcnemar(10, 4, 0).odds_high == math.inf


def test_the_score_interval_covers() -> None:
    generator, covered = np.random.default_rng(3), 0
    for b, c, _ in generator.multinomial(40, (0.25, 0.1, 0.65), size=800):
        low, high = tango(40, int(b), int(c))
        covered += low <= 0.15 <= high
    assert 0.93 < covered / 800 < 0.97
    assert tango(40, 9, 3, level=0.5)[0] > tango(40, 9, 3)[0]
    assert tango(5, 5, 0)[1] == 1.0
    assert tango(5, 0, 5)[0] == -1.0
