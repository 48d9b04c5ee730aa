"""The words around an option that decide what it does in an answer, as patterns over folded text."""

import re

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

_GAP = r"(?:(?!but\b|because\b|it's\b|it\b)[\w']+\s+){0,4}?"
NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|without|no longer|rather than|instead of|as opposed to|unlike)|n't)"
    rf"\s+{_GAP}[\"'*_`(\[]*$",
    re.IGNORECASE,
)
"""A negation that reaches the option from before, within one clause."""

NEGATED_AFTER = re.compile(
    r"[\"'*_`)\]]*\s*,?\s*(?:(?:is|was|would|could|can|does|did|has)(?:n't|\s+not)\b|cannot\b"
    r"|(?:is|was)\s+(?:wrong|incorrect|false|mistaken|ruled out|excluded)\b"
    r"|(?:would|could|might)\s+(?:only\s+)?(?:be|have\s+been)\s+(?:the\s+)?(?:right|correct|true|answer)?\b[^.]*?\bif\b)",
    re.IGNORECASE,
)
"""A negation, a verdict or a counterfactual that follows the option."""

CORRECTION = re.compile(
    r"\b(?:no|wait|actually|correction|sorry|scratch that|i mean|rather|on second thought)\b[\s,:.\-]*"
    r"(?:(?:the|it|it's|is|answer|should|be|must|i|say|mean|that)\b[\s,:.\-]*)*[\"'*_`]*$",
    re.IGNORECASE,
)
"""A change of mind right before the option."""

REFUSAL = re.compile(
    r"\b(?:i|we)(?:'m| am| are)?\s+"
    r"(?:sorry|unable|not able|cannot|can't|can not|won't|will not|do not know|don't know)\b"
    r"(?:[,.]?\s*(?:but\s+)?i\s+(?:cannot|can't|can not|am unable|do not|don't))?"
    r"|\b(?:cannot|can't|impossible|not possible)(?:\s+to)?\s+(?:be\s+)?(?:determined?|tell|answer|known|say)\b"
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
