"""The words around an option that decide what it does in an answer, as patterns over folded text."""

import re

WINDOW = 120
"""How many letters before or after an option are looked at."""

TURN = re.compile(r"\n\s*(?:user|human|question|q)\s*:.*\Z|<\|im_(?:start|end)\|>.*\Z", re.DOTALL | re.IGNORECASE)
"""A next turn that the model wrote for somebody else."""

REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
"""Reasoning between tags, closed or cut."""

MARKUP = re.compile(r"[\s\"'*_`#.,:;!()\[\]{}<>$\\]+|\\?boxed|\\?text(?:bf|it)?(?=\{)")
"""What may stand around an answer without changing it."""

LABEL = re.compile(
    r"\b(?:answer|choice|option|reply)\b[\s\"'*_`]*(?:is|was|would be|must be|should be|:|=|-|->)?[\s:\"'*_`\[({]*"
    r"(?:the |that )?[\"'*_`\[({]*$",
    re.IGNORECASE,
)
"""An announcement right before the option: ``the answer is``, ``Answer:``."""

_GAP = r"(?:(?!but\b|because\b|it's\b)[\w']+\s+){0,4}?"
NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|without|no longer|rather than|instead of|as opposed to|unlike|doubt)|n't)"
    rf"\s+{_GAP}[\"'*_`(\[]*$",
    re.IGNORECASE,
)
"""A negation that reaches the option from before, within one clause."""

NEGATED_AFTER = re.compile(
    r"[\"'*_`)\]]*\s*,?\s*(?:(?:is|was|would|will|could|can|does|did|has|should)(?:n't|\s+not)\b|cannot\b|won't\b"
    r"|(?:is|was|would be)\s+(?:wrong|incorrect|false|mistaken|ruled out|excluded)\b"
    r"|(?:would|could|might)\s+(?:only\s+)?(?:be|have\s+been)\s+(?:the\s+)?(?:right|correct|true|answer)?\b[^.]*?\bif\b)",
    re.IGNORECASE,
)
"""A negation, a verdict or a counterfactual that follows the option."""

ATTRIBUTED_BEFORE = re.compile(r"\b(?:according to|in the words of|as told by)\s+[\"'*_`]*$", re.IGNORECASE)
"""The option is whose words these are: ``according to Ida``."""

ATTRIBUTED_AFTER = re.compile(
    r"[\"'*_`]*\s+(?:who\s+)?(?:is\s+(?:just\s+|only\s+|merely\s+)?)?"
    r"(?:say|says|said|think|thinks|thought|claim|claims|claimed|tell|tells|told|mention|mentions|mentioned|state|states|"
    r"stated|report|reports|reported|reporting|quoting|saying|announce|announces|announced|insist|insists|insisted)\b",
    re.IGNORECASE,
)
"""The option is whose words these are: ``Ida says``."""

CORRECTION = re.compile(
    r"\bhowever\b[^.!?\n]*\b(?:it is|it's|answer is|must be|should be)\s+[\"'*_`]*$"
    r"|\b(?:no|wait|actually|correction|sorry|scratch that|i mean|rather|on second thought)\b[\s,:.\-]*"
    r"(?:(?:the|it|it's|is|answer|should|be|must|i|say|mean|that)\b[\s,:.\-]*)*[\"'*_`]*$",
    re.IGNORECASE,
)
"""A change of mind right before the option."""

_ANSWER = r"(?:answer|tell|say|determine|decide|identify|know|see|provide|choose|help|give|be (?:certain|sure))"
REFUSAL = re.compile(
    rf"\b(?:i|we)(?:'m|\s+am|\s+are)?\s+(?:unable|not able|cannot|can't|can not|won't|will not)(?:\s+to)?\s+{_ANSWER}\b"
    r"|\b(?:i|we)\s+(?:do not|don't)\s+know\b|\b(?:i|we)(?:'m| am| are)\s+sorry\b"
    rf"|\b(?:cannot|can't|impossible|not possible)(?:\s+to)?\s+(?:be\s+)?(?:determined|known|told|{_ANSWER})\b"
    r"|\b(?:not|isn't|insufficient)\s+(?:enough\s+)?(?:information|context)\b"
    r"|\bas an ai\b|\bit is (?:unclear|ambiguous)\b",
    re.IGNORECASE,
)
"""Words that decline to answer."""

REJOINDER = re.compile(r"\bbut\b|\bhowever\b|\bstill\b|[.;!\n]", re.IGNORECASE)
"""What may stand between a refusal and an answer given all the same."""

_TOGETHER = re.compile(r"[\s,\"'*_`)\](\[]*(?:\bor\b|\band\b|/|\bvs\.?)[\s\"'*_`(\[]*(?:the\s+)?", re.IGNORECASE)


def between(folded: str, start: int, end: int) -> bool:
    """Whether only a coordination (``or``, ``and``, a slash) stands between two mentions."""
    return _TOGETHER.fullmatch(folded, start, end) is not None
