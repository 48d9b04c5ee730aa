"""Reported and direct speech: building the last sentence, and finding its parts again."""

import re

_QUOTED = re.compile(r'["“„«][^"“”„«»]*["”»]?')
_MARK = re.compile(r'["“”„«»]')
_THAT = re.compile(r"\bthat\b", re.IGNORECASE)
_VERB = (
    "say|says|said|think|thinks|thought|tell|tells|told|mention|mentions|mentioned|write|writes|wrote|written|"
    "shout|shouts|shouted|announce|announces|announced|insist|insists|insisted|promise|promises|promised|reply|"
    "replies|replied|answer|answers|answered|claim|claims|claimed|believe|believes|believed|explain|explains|"
    "explained|add|adds|added|remark|remarks|remarked|note|notes|noted|declare|declares|declared|report|"
    "reports|reported|reveal|reveals|revealed|confide|confides|confided|exclaim|exclaims|exclaimed|swear|"
    "swears|swore|argue|argues|argued|whisper|whispers|whispered|admit|admits|admitted|hope|hopes|hoped|guess|"
    "guesses|guessed|predict|predicts|predicted|joke|jokes|joked|complain|complains|complained|warn|warns|"
    "warned|repeat|repeats|repeated"
)
"""Verbs that report speech or thought, in the forms that a report uses."""
_COMPLEMENTISER = re.compile(rf"\b(?:{_VERB})\b(?:\s+[\w'’]+){{0,5}}?\s+that\b", re.IGNORECASE)
_REPORTING = re.compile(rf"\b(?:{_VERB})\b", re.IGNORECASE)
_LAST = re.compile(r'[.!?]["”’)]*\s+(?=["“A-Z])')


def non_quoted(report: str, clause: str) -> str:
    """Return indirect speech: the reporting clause, *that*, and the clause as reported."""
    return f"{report} that {clause}."


def quoted(report: str, clause: str) -> str:
    """Return direct speech: the reporting clause and the clause between quotation marks."""
    return f'{report}, "{clause}."'


def has_mark(text: str) -> bool:
    """Whether a double quotation mark of any shape stands in ``text``."""
    return _MARK.search(text) is not None


def has_complementiser(sentence: str) -> bool:
    """Whether *that* follows a reporting verb of ``sentence`` within five words, outside direct speech.

    In a sentence without a reporting verb that is known here, any *that* counts.
    """
    outside = _QUOTED.sub(" ", sentence).split(":")[0]
    if _REPORTING.search(outside) is None:
        return _THAT.search(outside) is not None
    return _COMPLEMENTISER.search(outside) is not None


def last_sentence(passage: str) -> str:
    """Return the last sentence of ``passage``, with the direct speech it holds."""
    starts = [match.end() for match in _LAST.finditer(passage)]
    outside = [start for start in starts if sum(passage.count(mark, 0, start) for mark in '"“”') % 2 == 0]
    return passage[outside[-1] :] if outside else passage
