"""Words that decline to answer, in several languages."""

import re

from deixis.scoring.cues import Said, cue

_ACT = (
    r"(?:answer|tell|say|determine|decide|identify|know|see|view|provide|choose|pick|help|assist|give"
    r"|be (?:certain|sure)|comply|"
    r"participate|respond|reply|judge|make out|access|open|process|display|play|take|do|perform|engage|discuss"
    r"|look|settle|confirm|guess)"
)
_NOT = (
    r"(?:unable|not able|cannot|can't|cant|can not|could not|couldn't|won't|wont|will not|do not|don't|dont"
    r"|am not allowed|may not)"
)
_M = re.IGNORECASE | re.MULTILINE
REFUSALS = (
    cue(
        r"\b(?:i|we)(?:'m|'ll|\s+am|\s+are)?\s+"
        r"(?:really\s+|just\s+|afraid\s+(?:that\s+)?(?:i|we)\s+|sorry,?\s+(?:but\s+)?(?:i|we)\s+)?"
        rf"{_NOT}(?:\s+(?:to|be|really|possibly|even))*\s+{_ACT}\b(?!\s+(?:think|mind|hesitate))"
        rf"|^\W*{_NOT}\s+(?:to\s+)?{_ACT}\b|\bunable to {_ACT}\b|\bcan'?t see\b"
        r"|\b(?:i|we) (?:won't|will not|don't|do not)\s+(?:be\s+)?"
        r"(?:answer|answering|playing|take on|taking|have (?:any |a )?(?:preference|opinion|way))"
        r"|\b(?:i|we)(?:'m| am| are)? (?:not comfortable|uncomfortable|unwilling|not willing)\b"
        r"|\b(?:i|we)(?:'d| would) (?:rather|prefer) not\b",
        "unable not cannot t cant wont dont uncomfortable unwilling",
        _M,
    ),
    cue(
        rf"(?<!not )\b(?:impossible|not possible|no way|hard|difficult)(?:\s+to)?\s+(?:be\s+)?"
        rf"(?:determined?|known?|told|settled?|inferred|{_ACT})\b"
        r"|\b(?:cannot|can't|can not)\s+(?:really\s+)?be\s+(?:determined|known|told|settled|inferred|answered"
        r"|decided|said|seen)\b"
        r"|\bno (?:way|means) of (?:knowing|telling)\b|\bimpossible (?:de|à)\b",
        "cannot t impossible possible way means hard difficult",
    ),
    cue(
        r"(?:\b(?:not|isn't|insufficient)|n't (?:give|provide|contain|have|include))\s+(?:enough\s+)?"
        r"(?:information|context|detail|evidence|clue)"
        r"|\b(?:not enough|too little|lack of|insufficient) (?:information|context|detail|evidence)",
        "information context detail details evidence clue clues",
    ),
    cue(
        r"\b(?:does not|doesn't|do not|don't|did not|didn't|never|nowhere)\s+(?:actually |really |explicitly "
        r"|clearly )?"
        r"(?:say|says|specify|specifies|specified|mention|mentions|mentioned|state|states|stated|indicate"
        r"|reveal|tell|tells|"
        r"name|names|settle|make (?:it )?clear)\b"
        r"|\b(?:is|was|are) (?:not|never) "
        r"(?:stated|specified|mentioned|clear|given|named|said|shown|provided|indicated|visible)\b",
        "not t never nowhere",
    ),
    cue(
        r"\b(?:no|any) (?:idea|clue)\b|\bdunno\b|\bidk\b|\bnot sure\b(?! (?:what|how|you|that|of))"
        r"|\bprefer not to\b|\b(?:i|we)(?:'d| would)? need (?:more|further"
        r"|additional|to see)\b"
        r"|\b(?:i|we) (?:must|have to|will have to|need to|will|would like to)?\s*(?:respectfully "
        r"|politely )?declin(?:e|ing)\b"
        r"|\b(?:i|we) refuse\b|\bconflicts? with my\b|\bagainst my (?:policy|guidelines)\b",
        "idea clue dunno idk sure prefer need decline declining refuse conflict conflicts against",
    ),
    cue(
        r"\b(?:i|we)(?:'m| am| are)\s+sorry\b|\bi apologi[sz]e\b|\bmy apologies\b|^\W*sorry\b",
        "sorry apologise apologize apologies",
        _M,
    ),
    cue(
        r"\bas an? (?:[\w-]+ )?(?:ai|language model|large language|assistant)\b|\bjust an? (?:ai|language model)\b"
        r"|\b(?:have|has) no (?:preference|opinion|information|way|picture|image)",
        "ai language assistant no",
    ),
    cue(
        r"\bit(?:'s| is) (?:unclear|ambiguous|undecidable)\b|\bis (?:unclear|ambiguous)\b"
        r"|^\W*(?:unclear|ambiguous|unknown|undetermined|indeterminate)\b"
        r"|\bnothing in the (?:passage|text|picture|image|story|context) (?:settles|says|tells|decides|indicates)\b"
        r"|\bcould be either\b|\bcould not be loaded\b|\bfailed to load\b|\bno (?:image|picture|photo) (?:was"
        r"|is|has been)?\b"
        r"|\b(?:image|picture) is (?:too )?(?:blurry|dark|small|missing|unclear|not)\b",
        "unclear ambiguous undecidable unknown undetermined indeterminate nothing either loaded failed image "
        "picture photo",
        _M,
    ),
    cue(
        r"\b(?:désolée?|lo siento|mi dispiace|desculpe|tut mir leid)\b"
        r"|\b(?:je ne (?:peux|sais)|no (?:lo )?(?:puedo|sé|se puede)|non (?:posso|so|è possibile|si può))\b"
        r"|\b(?:kann|lässt)\b[^.!?]{0,60}\bnicht\b|\bweiß\b[^.!?]{0,20}\bnicht\b|\bne sais pas\b"
        r"|\bnicht (?:möglich|sagen|bestimmen|beantworten)\b"
        r"|\bnão (?:posso|sei|é possível)\b",
        "désolé désolée siento dispiace desculpe leid ne puedo sé puede posso so possibile può nicht não weiß",
    ),
)
"""Words that decline to answer."""
_SIGNS = frozenset().union(*(cue.signs for cue in REFUSALS))
_REFUSALS_UNSPACED = re.compile(
    "无法|不知道|не знаю|не могу|不能(?:回答|确定|判断)|抱歉|对不起"
    "|申し訳|できません|わかりません|죄송|알 수 없|모르겠",
    re.IGNORECASE,
)
"""The same in scripts without spaces."""

DECLINED = cue(
    r"\b(?:cannot|can't|cant|can not|won't|wont|will not|unable to|not able to|refuse to|decline to"
    r"|must decline|have to decline)\b"
    r"(?:\s+(?:really|possibly|actually))?"
    r"(?:\s+(?:answer|respond|reply|assist|help|comply|choose|decide|judge|continue)\b(?:\s+[\w']+){0,6})?\W*\Z",
    "cannot t cant can wont will unable able refuse decline",
)
"""Words at the very end that decline to answer at all, whatever was said before."""

_HEDGED = (
    r"(?:maybe|perhaps|probably|possibly|likely|i(?:'d| would| will|'ll)? (?:guess|say|think|suppose)"
    r"|my guess is|so|it's|it is)"
)
AT_ONCE = re.compile(rf"[\s.,;:!)–-]*(?:,|-|–|\s)\s*(?:{_HEDGED}[\s,:]*)*(?:the\s+)?[\"']*", re.IGNORECASE)
"""All that may stand between a refusal and a guess that follows at once."""

REJOINDER = re.compile(
    r"\bbut\b|\bso\b|\bmaybe\b|\bprobably\b|\bmais\b|\bpero\b|\baber\b|\bma\b|\bhowever\b|\bstill\b|\byet\b"
    r"|\bif i (?:had|have) to\b|\bmy (?:best )?guess\b|[.;:!\n]",
    re.IGNORECASE,
)
"""What may stand between a refusal and an answer given all the same."""


def refusal(said: Said, whole: str) -> tuple[int, int] | None:
    """Return where the last words stand that decline to answer; ``whole`` has the letters of every script."""
    found = [] if _SIGNS.isdisjoint(said.words) else [match for cue in REFUSALS for match in cue.every(said)]
    if not whole.isascii():
        found += _REFUSALS_UNSPACED.finditer(whole)
    last = max(found, key=lambda match: match.end(), default=None)
    return None if last is None else last.span()
