"""The conditions of the perspectival-words experiments: which text, which picture, which trials.

Source: Dong et al. (2026), sections 3.2-3.5, appendices A, B, D, F, G, H and K.
"""

from collections.abc import Mapping
from dataclasses import dataclass

PICTURES = ("target", "all", "none", "people", "comprehension", "empty", "unrelated", "absent")
"""What is shown: the scene with a green square on the target, on all objects or on none; the scene as people see it,
with speech bubble and gaze line, or to rate, with a sentence in the bubble and the objects labelled A to D; an empty or
an unrelated picture; or no picture."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One way of asking."""

    id: str
    """Its id, the same everywhere."""
    wording: str
    """Which text is used."""
    picture: str = "target"
    """One of :data:`PICTURES`."""
    trials: str = "all"
    """``all`` that the design crosses, ``once`` (every object once, 128), a ``list`` as one person sees it, or
    ``rated``, the eight of which one person rates the objects."""
    examples: bool = False
    """Whether four worked examples come first."""
    words: bool = True
    """Whether it is about *I, mine, this one* only, or about names of objects too (then ``False``)."""
    corrected_only: bool = False
    """Whether the paper has nothing like it."""


_EVERY = (
    Condition("main", "main", words=False),
    Condition("context-first", "context-first", words=False),
    Condition("condensed", "condensed", words=False),
    Condition("simple", "simple", words=False),
    Condition("spatial-linguistic", "spatial-linguistic"),
    Condition("spatial-visual", "main", picture="all"),
    Condition("spatial-both", "spatial-both", picture="none"),
    Condition("perspective", "perspective"),
    Condition("in-context", "main", examples=True),
    Condition("instruction", "instruction"),
    Condition("instruction-reasoning", "instruction-reasoning", corrected_only=True),
    Condition("picture-none", "main", picture="absent", trials="once"),
    Condition("picture-empty", "main", picture="empty", trials="once"),
    Condition("picture-unrelated", "main", picture="unrelated", trials="once"),
    Condition("people", "people", picture="people", trials="list", words=False),
)
WORDS: Mapping[str, Condition] = {condition.id: condition for condition in _EVERY}
"""The conditions of possessives and demonstratives."""
NOUNS: Mapping[str, Condition] = {condition.id: condition for condition in _EVERY if not condition.words}
"""The conditions of the vocabulary experiment."""
CHECKS: Mapping[str, Condition] = {
    condition.id: condition
    for condition in (
        *(Condition(f"{asked}", f"{asked}", trials="once") for asked in ("object", "gazer", "speaker")),
        *(
            Condition(f"{asked}-people", f"{asked}-people", picture="people", trials="list")
            for asked in ("object", "gazer", "speaker")
        ),
        Condition("control", "control", trials="once"),
    )
}
"""The conditions of the checks: what is asked, on the models' pictures or on the people's."""
RATED: Mapping[str, Condition] = {
    "people": Condition("people", "people", picture="comprehension", trials="rated"),
}
"""The conditions of comprehension."""
VARIANTS = ("context-first", "condensed", "simple")
"""The other wordings of the main prompt."""
