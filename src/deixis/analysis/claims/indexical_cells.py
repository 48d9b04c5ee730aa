"""The cells that claims about indexicals speak of, and what is made of them.

All are about passages with plain marks, the only ones of the paper; of a run the condition ``main`` is taken, or
else ``classic``. Where a claim gives no number of its own for one cell, cells are taken together by their trials.
"""

from deixis.analysis.claims.combining import Found, Terms, share
from deixis.analysis.claims.source import Cell, LackingError, Source

CLAUDE, DEEPSEEK, GEMINI, GPT = "Claude 3.5 Sonnet", "DeepSeek V3", "Gemini 1.5 Pro", "GPT-4o"
CONDITIONS = ("main", "classic", "people")
"""Of these the first that a participant was asked under."""
TYPES = ("non-quoted", "quoted")


def cell(source: Source, who: str, word: str, sentence: str = "", prime: str = "", *, of: str = "correct") -> Cell:
    """Return the cell of an indexical; both sentence types or both primes where none is named."""
    levels = {"indexical": word, "sentence_type": sentence, "context_prime": prime, "marks": "plain"}
    given = {name: level for name, level in levels.items() if level}
    condition = next((name for name in CONDITIONS if source.has(who, "indexicals", name)), CONDITIONS[0])
    return source.cell(who, "indexicals", condition, of=of, **given)


def quotation(source: Source, who: str, word: str) -> Terms:
    """Return what quotation takes away: non-quoted minus quoted."""
    return [(1, cell(source, who, word, "non-quoted")), (-1, cell(source, who, word, "quoted"))]


def prime_effect(source: Source, who: str, word: str, sentence: str) -> Terms:
    """Return what the prime does: accuracy under the helpful one minus the misleading one."""
    helpful = {"quoted": "shifted", "non-quoted": "non-shifted"}[sentence]
    misleading = {"quoted": "non-shifted", "non-quoted": "shifted"}[sentence]
    return [(1, cell(source, who, word, sentence, helpful)), (-1, cell(source, who, word, sentence, misleading))]


def non_shifted(source: Source, who: str, word: str, sentence: str = "") -> Found:
    """Return the share of the non-shifted reading among readable answers."""
    taken = cell(source, who, word, sentence, of="shifted")
    return share(Cell(taken.n - taken.k, taken.n, taken.units, taken.by, taken.exact))


def asked_models(source: Source) -> list[str]:
    """Return the models that were asked about indexicals.

    Raises :class:`LackingError` where there is none.
    """
    asked = [w for w in source.models if any(source.has(w, "indexicals", c) for c in CONDITIONS)]
    if not asked:
        raise LackingError("indexicals in main or classic")
    return asked
