"""The comparisons that were planned before any run: what the papers predict, as pairs of levels.

Each experiment has its own; every table of contrasts says which of its rows were planned. Sources: ``I``, the paper on
indexicals; ``P``, Dong et al. (2026) on perspectival words; ``ours``, the predictions written with each experiment.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Contrast:
    """One planned comparison of two levels."""

    id: str
    """Its name in tables."""
    by: str
    """What is compared: a factor, ``condition`` or ``experiment``."""
    high: str
    """The level predicted to be higher; where none is, the first one."""
    low: str
    """The other level."""
    claim: str
    """What is predicted, in words."""
    source: str
    """Where it was predicted."""
    directed: bool = True
    """Whether one level is predicted to be higher; otherwise only that they differ, or that they do not."""
    of: str = "correct"
    """What is compared: ``correct`` answers or answers with the ``shifted`` reading."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Levels of other factors that the comparison is held to."""


def _indexicals() -> tuple[Contrast, ...]:
    planned = []
    for word in ("I", "you", "here", "tomorrow"):
        where = {"indexical": word}
        planned += [
            Contrast(
                f"{word}: quotation", "sentence_type", "non-quoted", "quoted",
                f"quotation changes how often {word} is read rightly", "I §3", directed=False, where=where,
            ),
            Contrast(
                f"{word}: prime", "context_prime", "shifted", "non-shifted",
                f"a prime for the shifted reading of {word} draws answers to it", "I §3", of="shifted", where=where,
            ),
        ]  # fmt: skip
    return tuple(planned)


def _scenes(*, words: bool) -> tuple[Contrast, ...]:
    """What is planned for one experiment on scenes; ``words`` is whether it has the ablations and strategies."""
    wordings = tuple(
        Contrast(
            f"wording: {name}", "condition", "main", name, "the wording makes no difference", "P F.2", directed=False
        )
        for name in ("context-first", "condensed", "simple")
    )
    speaker = Contrast("speaker", "speaker", "boy", "girl", "who speaks makes no difference", "ours", directed=False)
    if not words:
        return (*wordings, speaker)
    ablations = tuple(
        Contrast(f"ablation: {name}", "condition", "main", name, f"without {cue} fewer are right", f"P §3.3, {claim}")
        for name, cue, claim in (
            ("spatial-linguistic", "the words on places", "P7"),
            ("spatial-visual", "the mark on the target", "P8"),
            ("spatial-both", "words on places and mark", "P8"),
            ("perspective", "the words on perspective", "P6"),
        )
    )
    strategies = tuple(
        Contrast(f"prompting: {name}", "condition", name, "main", f"{name} prompting helps", f"P §3.4, {claim}")
        for name, claim in (("instruction", "P9"), ("in-context", "P10"))
    )
    pictures = tuple(
        Contrast(f"picture: {name}", "condition", "main", name, f"a picture that is {how} costs accuracy", "P K, P16")
        for name, how in (("picture-none", "not there"), ("picture-empty", "empty"), ("picture-unrelated", "unrelated"))
    )
    return (*ablations, *strategies, *pictures, *wordings, speaker)


BETWEEN = (
    Contrast(
        "task: vocabulary, possessive", "experiment", "vocabulary", "possessive",
        "vocabulary is easier than possessives", "P §4.1, P1",
    ),
    Contrast(
        "task: possessive, demonstrative", "experiment", "possessive", "demonstrative",
        "possessives are easier than demonstratives", "P §4.1, P1",
    ),
)  # fmt: skip
"""Comparisons between experiments, main conditions."""
PLANNED: Mapping[str, tuple[Contrast, ...]] = {
    "indexicals": _indexicals(),
    "vocabulary": _scenes(words=False),
    "possessive": _scenes(words=True),
    "demonstrative": _scenes(words=True),
    "comprehension": (
        Contrast(
            "rating: possessive, demonstrative", "task", "possessive", "demonstrative",
            "what mine or yours means is rated highest more often than what this one or that one means", "P §4.1, I",
        ),
        Contrast(
            "rating: this one, that one", "word", "this one", "that one",
            "this one is sharper: the object it means is rated highest more often", "P I",
            where={"task": "demonstrative"},
        ),
    ),
    "checks": (),
}  # fmt: skip
"""Experiment to its planned comparisons."""
