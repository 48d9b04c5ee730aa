"""How far two readings of the same answers agree: Cohen's κ with its interval, and who said what instead of what."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)
Pair = tuple[Hashable, Hashable]
"""What the one and what the other said of one answer."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two agree."""

    n: int
    """Answers that both read."""
    same: int
    """Those of which they say the same."""
    kappa: float | None
    """Cohen's κ; ``None`` where no word varies, so that chance explains all."""
    low: float | None
    """Lower end of its 95 % interval, asymptotic; ``None`` where there is none."""
    high: float | None
    """Upper end."""
    note: str = ""
    """Why a part is missing, where one is."""


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """Return how far the two sides of ``pairs`` agree, with the interval κ ± 1.96 SE, within [-1, 1].

    κ is ``(p_o - p_e) / (1 - p_e)`` (Cohen 1960). The SE is the large-sample one of Fleiss, Cohen and Everitt (1969),
    which does not suppose that κ is 0; where the two agree in everything it is 0, and there is no interval.
    """
    n = len(pairs)
    if not n:
        return Agreement(0, 0, None, None, None, "no answer read by both")
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    both = Counter(pairs)
    words = list({**first, **second})
    same = sum(both[word, word] for word in words)
    chance = sum(first[word] * second[word] for word in words) / n**2
    if math.isclose(chance, 1):
        return Agreement(n, same, None, None, None, "no word varies")
    kappa = (same / n - chance) / (1 - chance)
    if same == n:
        return Agreement(n, same, kappa, None, None, "all the same, so no interval")
    kept = sum(both[w, w] / n * (1 - (first[w] + second[w]) / n * (1 - kappa)) ** 2 for w in words)
    crossed = sum(
        count / n * ((second[one] + first[other]) / n) ** 2 for (one, other), count in both.items() if one != other
    )
    variance = kept + (1 - kappa) ** 2 * crossed - (kappa - chance * (1 - kappa)) ** 2
    half = _Z * math.sqrt(max(0.0, variance) / n) / (1 - chance)
    return Agreement(n, same, kappa, max(-1.0, kappa - half), min(1.0, kappa + half))


def told(found: Agreement) -> str:
    """Return an agreement in words."""
    if not found.n:
        return found.note
    share = f"the same in {found.same} of {found.n} ({found.same / found.n:.3f})"
    if found.kappa is None:
        return f"{share}, κ not defined: {found.note}"
    if found.low is None or found.high is None:
        return f"{share}, κ {found.kappa:.2f} ({found.note})"
    return f"{share}, κ {found.kappa:.2f} [{found.low:.2f}, {found.high:.2f}]"
