"""Who a participant is, from its id: a model, one of several people of a study, a reference participant."""

from enum import StrEnum


class Kind(StrEnum):
    """What kind of participant it is; people come first in a figure."""

    PEOPLE = "people"
    MODEL = "model"
    REFERENCE = "reference"


def kind_of(participant: str) -> Kind:
    """Return the kind of a participant, from its id."""
    if participant.startswith("people:"):
        return Kind.PEOPLE
    return Kind.REFERENCE if participant.startswith("strategy:") else Kind.MODEL


def group_of(participant: str) -> str:
    """Return whom a participant is shown with: a person with the study (``people:pilot``), any other alone."""
    if kind_of(participant) is Kind.PEOPLE:
        return participant.rpartition("/")[0] or "people:"
    return participant
