"""A file of items seen as single questions, kept as they stand: what the linter and reviewers look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from deixis.items.cells import cell_id
from deixis.items.mending import single_quotes
from deixis.items.quotation import reported
from deixis.records import Item


@dataclass(frozen=True, slots=True)
class Question:
    """One question as its file has it, sound or not."""

    row: str
    """The id that the file gives it."""
    item: str
    """The item it belongs to, indexical and number."""
    indexical: str
    """``I``, ``you``, ``here`` or ``tomorrow``, or what stands there instead."""
    sentence_type: str
    """``non-quoted`` or ``quoted``, or what stands there instead."""
    context_prime: str
    """``non-shifted`` or ``shifted``, or what stands there instead."""
    marks: str
    """``plain`` or ``distractor``."""
    passage: str
    """The whole text, as it stands."""
    sentence: str
    """The last sentence, a part of ``passage``."""
    question: str
    """The question put."""
    options: Mapping[str, str]
    """Reading to the answer that expresses it."""
    gender: str = ""
    """``female``, ``male``, or nothing where the file does not say."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Role to name; empty where the file does not say."""
    truth: str = ""
    """The reading that the file calls right; empty where it does not say."""
    base: str = ""
    """The passage before names were put in, where the file has it."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Name in ``base`` to name in the passage."""

    @property
    def context(self) -> str:
        """The passage before its last sentence; all of it, where it does not end in that sentence."""
        place = self.passage.rfind(self.sentence)
        return (self.passage[:place] if place >= 0 else self.passage).strip()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text a participant sees."""
        return (self.passage, self.question, *self.options.values())

    @property
    def clause(self) -> str:
        """What the last sentence reports, with the hearer before it where no *that* parts them."""
        return reported(single_quotes(self.sentence), self.sentence_type)


def of_item(item: Item) -> list[Question]:
    """Return the questions of an item."""
    return [
        Question(
            row=cell_id(item, cell),
            item=item.id,
            indexical=item.indexical,
            sentence_type=cell.sentence_type,
            context_prime=cell.context_prime,
            marks=cell.marks,
            passage=cell.passage,
            sentence=cell.sentence,
            question=item.question,
            options=item.options,
            gender=item.gender,
            roles=item.roles,
        )
        for cell in item.cells
    ]
