"""Lists end even where people leave; by the rule that is usually asked for they do not."""

from benchmarks.study_balance import SETTINGS, fewest, ours, spreads

FEW = 60


def test_completes_are_even_with_a_fifth_leaving() -> None:
    """The median spread is 0; counting completes alone sends everybody to one list until somebody has finished."""
    setting = SETTINGS[0]
    middle, most = spreads(setting, ours, FEW)
    assert middle == 0
    assert most <= 1
    worse, _ = spreads(setting, fewest, FEW)
    assert worse > 10
