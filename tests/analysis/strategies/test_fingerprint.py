"""Simulated mixtures are recovered on the real trial tables, within stated errors; what fits nothing is said to."""

import numpy as np
import pytest

from deixis.analysis.strategies.fingerprint import Fingerprint, fingerprint, fingerprints
from deixis.analysis.strategies.identify import identifiability, merged
from deixis.analysis.strategies.mixture import fit, profile_limits, ranges
from deixis.analysis.strategies.predictions import Array, Predictions, predictions
from deixis.errors import AnalysisError
from deixis.experiments.experiment import Design
from tests.analysis.mixtures import answers, cells, design_of, items, table, weights


@pytest.fixture(scope="module")
def passages(bank: Design) -> Predictions:
    return table(bank)


@pytest.fixture(scope="module")
def scenes() -> Design:
    return design_of("possessive")


@pytest.fixture(scope="module")
def owners(scenes: Design) -> Predictions:
    return table(scenes)


def expected(made: Predictions, mixture: Array) -> tuple[Array, Array, tuple[str, ...]]:
    """Parts, the counts that a mixture makes on average, and the names of the columns."""
    found = identifiability(made)
    offered = made.kind >= 0
    likely = (made.probabilities @ mixture)[offered]
    return merged(made, found), np.bincount(made.kind[offered], likely, len(made.rows)), found.names


PASSAGES = [
    {"oracle": 1.0},
    {"oracle": 0.6, "prime_follower": 0.3},
    {"most_mentioned": 0.5, "last_mentioned": 0.3, "never_shifted": 0.2},
    {"quotation_mark": 0.4, "complementiser": 0.25, "first_option": 0.15},
    {},
]


@pytest.mark.parametrize("mixture", PASSAGES, ids=str)
def test_exact_frequencies_give_the_weights_back_for_passages(passages: Predictions, mixture: dict[str, float]) -> None:
    """Stated error 2e-5, the price of preferring noise where nothing else decides."""
    true = weights(passages, **mixture)
    parts, counts, names = expected(passages, true)
    assert names == passages.strategies
    assert fit(parts, counts) == pytest.approx(true, abs=2e-5)


def test_exact_frequencies_give_the_weights_back_for_scenes(owners: Predictions) -> None:
    true = weights(owners, oracle=0.5, speaker_blind=0.2, always_I=0.1, third_option=0.05)
    parts, counts, names = expected(owners, true)
    found = dict(zip(names, fit(parts, counts), strict=True))
    wanted = {"oracle = text-only": 0.5, "speaker-blind": 0.2, "always-I = gazer-blind": 0.1, "third-option": 0.05}
    assert found == pytest.approx({name: wanted.get(name, 0) for name in names} | {names[0]: 0.15}, abs=2e-5)


def test_the_fit_is_the_maximum(passages: Predictions) -> None:
    """No column would raise the likelihood: ``Σ n a_k / q ≤ N``, with equality where its weight is positive."""
    true = weights(passages, oracle=0.5, most_mentioned=0.3)
    chosen = answers(passages, true, 1)
    parts = passages.rows
    counts = np.bincount(passages.kind[np.arange(len(chosen)), chosen], minlength=len(parts)).astype(float)
    found = fit(parts, counts)
    slope = parts.T @ (counts / (parts @ found)) / counts.sum()
    assert slope.max() < 1 + 2e-6
    assert slope[found > 1e-4] == pytest.approx(1, abs=2e-6)


@pytest.mark.parametrize("seed", range(3))
def test_simulated_answers_to_a_quarter_of_the_bank(bank: Design, passages: Predictions, seed: int) -> None:
    """640 trials, every fifth item: weights within 0.1, and inside their intervals but for a rare one."""
    kept = np.arange(len(passages.trials)) % 40 < 8
    made = passages.take(kept)
    true = weights(made, oracle=0.5, prime_follower=0.2, most_mentioned=0.1)
    names = [item for item, keep in zip(items(bank), kept, strict=True) if keep]
    found = fingerprint(made, answers(made, true, seed), names, seed=seed, resamples=100, simulations=60)
    shown = found.weights.set_index("strategy")
    assert (shown.high - shown.low > 0.01).all()
    assert found.n == 640
    assert shown.estimate.to_numpy() == pytest.approx(true, abs=0.1)
    inside = (shown.low - 1e-9 <= true) & (true <= shown.high + 1e-9)
    assert inside.sum() >= len(true) - 1
    assert found.verdict in {"explained", "roughly explained"}
    assert shown.least["noise"] < 0.05
    assert "always-shifted" in shown.note["noise"]
    assert shown.note["oracle"] == ""


def test_items_of_one_parity_tell_less(passages: Predictions) -> None:
    """The order of options hangs on an item's parity and the prime: with odd items alone one implies the other."""
    odd = passages.take(np.arange(len(passages.trials)) % 16 < 8)
    assert len(identifiability(odd).columns) < len(identifiability(passages).columns)


def fitted(design: Design, made: Predictions, chosen: Array) -> Fingerprint:
    return fingerprint(made, chosen.astype(int), items(design), cells(design), resamples=40, simulations=40)


def test_simulated_answers_to_scenes(scenes: Design, owners: Predictions) -> None:
    """6,144 trials: within 0.03."""
    true = weights(owners, oracle=0.5, speaker_blind=0.3, owner_is_me=0.1)
    found = fitted(scenes, owners, answers(owners, true, 3))
    shown = found.weights.set_index("strategy").estimate
    named = ["noise = picture-only", "oracle = text-only", "speaker-blind", "owner-is-me"]
    assert shown[named].to_numpy() == pytest.approx([0.1, 0.5, 0.3, 0.1], abs=0.03)
    assert found.verdict == "explained"
    assert found.fitness.explained > 0.5


def test_none_of_these(scenes: Design, owners: Predictions) -> None:
    """Right about one half of the groups of objects and wrong in both words about the others: no strategy does that."""
    groups = np.array(items(scenes))
    knows = np.isin(groups, np.unique(groups)[::2])
    right = np.array([trial.answer for trial in scenes.trials])
    chosen = np.where(knows, right, (right + 1) % 4)
    found = fingerprint(owners, chosen, items(scenes), groups.tolist(), resamples=20, simulations=40)
    assert found.verdict == "none of these"
    assert found.fitness.p == pytest.approx(1 / 41)
    assert found.fitness.excess > 0.2
    assert found.lines()[0].startswith("none of these (6,144 answers, 0 left out): ")


def test_the_oracle_and_the_die(scenes: Design, owners: Predictions) -> None:
    """All right: one weight of 1, and limits that are not of zero width: 1 - w with (1 - 3w/4)^n = exp(-1.92)."""
    sure = fitted(scenes, owners, np.array([trial.answer for trial in scenes.trials]))
    oracle = sure.weights.set_index("strategy").loc["oracle = text-only"]
    assert (oracle.estimate, oracle.high) == (pytest.approx(1), 1.0)
    assert 0.999 < oracle.low < 1
    noise = sure.weights.iloc[0]
    assert noise.high == pytest.approx(4 / 3 * (1 - np.exp(-1.9207 / 6144)), rel=0.03)
    drawn = answers(owners, weights(owners), 5)
    die = fingerprint(owners, drawn, items(scenes), resamples=20, simulations=40)
    assert die.verdict == "guessing"


def test_trials_without_a_choice_are_counted(owners: Predictions, scenes: Design) -> None:
    chosen = np.array([trial.answer for trial in scenes.trials])
    chosen[:100] = -1
    found = fingerprint(owners, chosen, items(scenes), resamples=0, simulations=0)
    assert (found.n, found.left_out) == (6044, 100)
    assert np.isnan(found.fitness.p)


def test_a_cell_by_itself(bank: Design, passages: Predictions) -> None:
    """Where the sentence is quoted and the context says the same, the oracle is whoever shifts."""
    few = np.arange(len(passages.trials)) < 320
    made = passages.take(few)
    where = ["/".join(label.split("/")[1:3]) for label in cells(bank)[:320]]
    found = fingerprints(
        made, answers(made, weights(made, oracle=0.8), 2), items(bank)[:320], where, resamples=20, simulations=20
    )
    assert list(found) == list(dict.fromkeys(where))
    column = next(c for c in found["quoted/shifted"].identifiability.columns if "oracle" in c)
    assert {"prime-follower", "always-shifted"} <= set(column)
    assert "prime-follower" not in next(c for c in found["quoted/non-shifted"].identifiability.columns if "oracle" in c)


def test_few_answers_explain_nothing(scenes: Design, owners: Predictions) -> None:
    """Nine independent columns need 45 answers."""
    chosen = np.array([trial.answer for trial in scenes.trials])
    for count, verdict in ((44, "too few answers"), (45, "explained")):
        few = np.where(np.arange(len(chosen)) % 137 < 1, chosen, -1)
        few[np.flatnonzero(few >= 0)[count:]] = -1
        found = fingerprint(owners, few, items(scenes), resamples=5, simulations=10)
        assert found.n == count
        assert found.identifiability.rank == 9
        assert found.verdict == verdict


def test_one_option_kind_cannot_be_told() -> None:
    made = predictions({"a": [None, None]}, [2, 2], ["x", "y"])
    found = fingerprint(made, np.array([0, 1]), ["x", "y"], resamples=5, simulations=5)
    assert (found.verdict, found.weights.strategy.tolist()) == ("cannot be told", ["noise = a"])


def test_profile_limits_are_those_of_a_proportion() -> None:
    """One strategy beside noise, two options: the share of its answers is w + (1 - w)/2, a binomial proportion."""
    parts, counts = np.array([[0.5, 1.0], [0.5, 0.0]]), np.array([80.0, 20.0])
    low, high = profile_limits(parts, counts, fit(parts, counts), 1)
    for share in ((1 + low) / 2, (1 + high) / 2):
        deviance = 2 * (80 * np.log(0.8 / share) + 20 * np.log(0.2 / (1 - share)))
        assert deviance == pytest.approx(3.8415, abs=1e-3)


def test_ranges_bound_what_the_answers_do_not_fix() -> None:
    """a and b are opposites: 70 of 100 may be a 0.4 beside noise, or a 0.7 beside b 0.3."""
    parts, counts = np.array([[0.5, 1.0, 0.0], [0.5, 0.0, 1.0]]), np.array([70.0, 30.0])
    found = fit(parts, counts)
    assert found == pytest.approx([0.6, 0.4, 0], abs=1e-5)
    assert ranges(parts, counts, found) == pytest.approx(np.array([[0, 0.6], [0.4, 0.7], [0, 0.3]]), abs=1e-4)


def test_what_does_not_fit_together_is_refused(owners: Predictions) -> None:
    chosen = np.zeros(len(owners.trials), dtype=int)
    with pytest.raises(AnalysisError, match="choices and 1 items"):
        fingerprint(owners, chosen, ["g"])
    with pytest.raises(AnalysisError, match="is not offered"):
        fingerprint(owners, chosen + 4, ["g"] * len(chosen))
    with pytest.raises(AnalysisError, match="on no trial"):
        fingerprint(owners, chosen - 1, ["g"] * len(chosen))
