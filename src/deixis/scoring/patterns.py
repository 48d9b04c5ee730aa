"""The words around an option that decide what it does in an answer, as patterns over folded text."""

import re

from deixis.scoring.cues import WINDOW, Said, cue

_I = re.IGNORECASE
_CROSSES = frozenset("❌✗✘☒🚫✅✔☑✓👍👎🙅")

TURN = re.compile(
    r"\n[ \t>*#]*(?:user|human|question|q|instruction|input|problem|exercise)(?:[ \t]*\d+)?[ \t]*:"
    r"|\n[ \t>*#]*(?:instruction|input|response|exercise|question|problem)s?(?:[ \t]*\d+)?:?[ \t]*\n"
    r"|<\|?/?(?:im_start|im_end|user|eot_id|end_of_turn|start_of_turn|start_header_id|end|endoftext)\|?>|\[/?INST\]",
    _I,
)
"""The beginning of a next turn that the model wrote for somebody else, in the text as it came."""

REASONING = re.compile(r"<(think|thinking|reasoning|scratchpad|thought)>.*?(?:</\1>|\Z)|\A.*?</think>", re.DOTALL | _I)
"""Reasoning between tags, closed or cut; or closed where only the end was kept."""

ERROR = cue(r"\W*(?:error|exception|traceback|http/?\s*\d{3}|\w*error\s*:)(?!\w)", "error exception traceback http")
"""The beginning of an error text that came as an answer."""

BOTH = cue(
    r"\W*(?:both|each|all|either)\b(?:\W+(?:of\s+(?:them|these|the\s+\w+)|are|is|can|could|may|might|work|works|apply|"
    r"options?|answers?|sentences?|readings?|names?)\b|\s*:|\W*$)",
    "both each all either",
)
"""An answer that begins by taking all."""

LABEL = cue(
    r"(?:(?<!wrong )(?<!incorrect )(?<!other )(?<!another )(?<!false )(?<!bad )(?<!possible )(?<!alternative )"
    r"\b(?:(?:answer|respuesta|réponse|antwort|risposta|resposta|verdict)\b[\s\"'>]*"
    r"(?:(?:is|was|would be|must be|should be|ist|es|est|è|:|=|-|->)[\s:\"'\[({>]*){0,2}"
    r"|(?:choice|option|reply|response|message|conclusion|referent|result)\b[\s\"'>]*"
    r"(?:(?:is|was|would be|must be|should be|:|=|->)[\s:\"'\[({>]*){1,2})"
    r"|\b(?<!in)(?:correct|right|final|best|chosen)\s+(?:answer|choice|option|sentence|reply|response|one|word"
    r"|message|name|place)"
    r"\b[^.!?\n]{0,40}?\b(?:is|was|would be|must be|should be)\b[\s:\"'\[({]*"
    r"|\bi(?:'ll| will|'d| would)?\s+(?:choose|pick|select|go with|answer)\b[^.!?\n,;]{0,20}?[:\s\"'(]+"
    r"|[✅✔☑✓👉][️\s]*|\bboxed\s*\{+\s*(?:\\?text(?:bf|it)?\{+)?)"
    r"(?:the |that )?[\"'\[({]*$",
    "answer choice option reply response message verdict conclusion referent result respuesta réponse antwort risposta "
    "resposta correct right final best chosen choose pick select go boxed ✅ ✔ ☑ ✓ 👉",
)
"""An announcement right before the option: ``the answer is``, ``Answer:``."""

CONCLUSION = cue(
    r"(?:\b(?:so(?!-)|therefore|thus|hence|consequently|accordingly|in conclusion|in short|overall|finally)\b"
    r"|\b(?:leaves|which means|means that|it follows that|i(?:'ll| will|'d| would)? (?:go with|choose|pick|say"
    r"|answer|select))\b)"
    r"[^.!?\n;]{0,45}$",
    "so therefore thus hence consequently accordingly conclusion short overall finally leaves means follows go "
    "choose pick say "
    "answer select",
)
"""The clause before the option draws a conclusion."""

_GAP = (
    r"(?:(?!but\b|because\b|it's\b|so\b|than\b|doubt\b|only\b|just\b|merely\b|(?:he|she|they|we|i)'(?:d|ll)\b"
    r"|(?:he|she|they|we|you|i) (?:would|will|should|must|can)\b)[\w']+\s+){0,4}?"
)
NEGATED_BEFORE = cue(
    r"(?:\b(?:not|never|neither|nor|cannot|without|no longer|rather than|instead of|as opposed to|unlike"
    r"|(?<!no )(?<!n't )"
    r"(?<!not )(?<!a )doubt|rule out|rules out|ruled out|nicht|kein|keine|pas|no es|non è|não é|et non|isnt"
    r"|wasnt|dont|doesnt|cant"
    r"|wont|nobody|no one|(?:any|every)thing but|не)|n't)"
    rf"\s+{_GAP}[\"'(\[]*$|[❌✗✘☒🚫][️ \t\"']*$",
    "not never neither nor cannot without no rather instead opposed unlike doubt rule rules ruled nicht kein keine pas "
    "non não isnt wasnt dont doesnt cant wont nobody anything everything не t ❌ ✗ ✘ ☒ 🚫",
)
"""A negation that reaches the option from before, within one clause, or a cross before it."""

NEGATED_AFTER = cue(
    r"[\"')\]]*[ \t→]*[❌✗✘☒]"
    r"|[\"')\]]*\s*,?\s*(?:(?:is|was|would|will|could|can|does|did|has|should|are|were|do)(?:n't|\s+not)\b"
    r"|cannot\b|won't\b|cant\b"
    r"|(?:is|was|would be|are|seems)\s+(?:wrong|incorrect|false|mistaken|ruled out|excluded|out|impossible|not)\b"
    r"|(?:makes|make) no sense\b|[^.!?\n]{0,20}\bonly if\b"
    r"|(?:would|could|might)\s+(?:only\s+)?(?:be|have\s+been)\s+(?:the\s+)?(?:right|correct|true"
    r"|answer)?\b[^.]*?\bif\b)",
    "not t cannot cant wrong incorrect false mistaken ruled excluded out impossible sense if ❌ ✗ ✘ ☒",
)
"""A negation, a verdict or a counterfactual that follows the option."""

OTHERS = cue(
    r"\b(?:whereas|while|although|though|even if|despite|compared (?:with|to)|in contrast to|other than|over"
    r"|than|because|since"
    r"|due to|given that|as (?:he|she|it|they|the))\b[^,.;:!?\n]*$"
    r"|\b(?:if|had|were|unless|suppose|supposing|otherwise|when)\b[^.;!?\n]*\b(?:would|could|might|should|'d)\b"
    r"[^.;!?\n]*$"
    r"|\b(?:might|may|could|can)\s+(?:also\s+)?(?:be|mean|refer to|say|have been|think(?: of)?"
    r"|expect)\s+(?:either\s+)?(?:the\s+)?[\"']*$"
    r"|\b(?:the other|another|the wrong|the incorrect|alternative)\s+"
    r"(?:child|boy|girl|person|speaker|reader|one|option|choice|answer|word|sentence)\b[^.;!?\n]*\b(?:say|says"
    r"|said|is|are|was)\b"
    r"[^.;!?\n]*$|\b(?:wrong|incorrect|rejected|other) (?:answer|option|choice|one)?s?\s*:[\s\"']*$",
    "whereas while although though even despite compared contrast other over than if had were unless suppose "
    "supposing otherwise when might may could can another because since due given as wrong incorrect "
    "alternative rejected",
)
"""What comes next is set against the answer, supposed, or somebody else's."""

OTHERS_AFTER = cue(
    r"[\"')\]]*,?\s*(?:would|could|might)\s+(?:only\s+|also\s+|have\s+|instead\s+)?"
    r"(?:be|been|make|mean|refer|imply|apply|fit|need|require|say|suit)\b"
    r"|[\"')\]]*,?\s*(?:is|was|are)\s+(?:only\s+|just\s+|merely\s+)?(?:where|what|who|how|the (?:other|one)"
    r"|for when|used (?:if|when))\b"
    r"|[\"')\]]*\s+(?:on the other hand|by contrast|in contrast)\b",
    "would could might where what who how other one when used hand contrast",
)
"""What was just named would be something else, or is explained."""

OBJECT = re.compile(r"\b(?:to|from|with|near|beside|behind|by|of|for|about|at)\s+(?:the\s+)?[\"']*$", _I)
"""Before the second of two options in a sentence: it is what something is done to, or beside."""

GOOD = re.compile(
    r"[\s\"')\]|:=>(,-]*(?:is\s+|→\s*)?(?:[✅✔☑✓👍]|(?:yes|true|correct|right|fits)\b)|[^\n]{0,60}\((?:right|correct)\)",
    _I,
)
"""A verdict right behind an option, for it."""
BAD = re.compile(
    r"[\s\"')\]|:=>(,-]*(?:is\s+|→\s*)?(?:[❌✗✘☒👎]|(?:no|false|incorrect|wrong|does not fit|doesn't fit|not)\b)"
    r"|[^\n]{0,60}\((?:wrong|incorrect)\)",
    _I,
)
"""A verdict right behind an option, against it."""
GOOD_BEFORE = re.compile(r"(?:[✅✔☑✓👍]|\[[xX]\]|\b(?:(?<!in)correct|right|chosen|true|yes)\s*:)[️ \t\"']*$", _I)
"""A verdict right before an option, for it."""
BAD_BEFORE = re.compile(r"(?:[❌✗✘☒🚫👎🙅]|\[ ?\]|\b(?:incorrect|wrong|rejected|false|no)\s*:)[️ \t\"']*$", _I)
"""A verdict right before an option, against it."""
_VERDICTS = frozenset("yes no true false correct incorrect right wrong fit fits chosen rejected x".split()) | _CROSSES

NOT_ONLY = cue(r"\bnot (?:only|just|merely|simply)\b[^.!?\n]*\b(?:also|as well|too)\b", "only just merely simply")
"""Two things at once."""

ATTRIBUTED_BEFORE = cue(
    r"\b(?:according to|in the words of|as told by|if you ask)\s+[\"']*$", "according words told ask"
)
"""The option is whose words these are: ``according to Ida``."""

_SAYS = (
    "say|says|said|think|thinks|thought|claim|claims|claimed|tell|tells|told|mention|mentions|mentioned|state|states|"
    "stated|report|reports|reported|reporting|quoting|saying|announce|announces|announced|insist|insists|insisted|"
    "write|writes|wrote|shout|shouts|shouted|listens|boasts|boasted"
)
ATTRIBUTED_AFTER = cue(
    rf"[\"']*\s+(?:who\s+)?(?:is\s+(?:just\s+|only\s+|merely\s+)?|only\s+|just\s+)?(?:{_SAYS})\b",
    _SAYS.replace("|", " "),
)
"""The option is whose words these are: ``Ida says``."""

CORRECTION = cue(
    r"\bhowever\b[^.!?\n]*\b(?:it is|it's|answer is|must be|should be|say)\s+[\"']*$"
    r"|\b(?:no|wait|actually|correction|sorry|scratch that|i mean|rather|on second thoughts?|hmm|oops"
    r"|my mistake)\b[\s,:.\-!]*"
    r"(?:(?:the|it|it's|is|was|answer|should|be|must|i|say|mean|that|that's|correct|right|make|no|wait|actually"
    r"|sorry|he|she|"
    r"would|meant|to)\b[\s,:.\-!]*)*[\"']*$",
    "however no wait actually correction sorry scratch mean rather second hmm oops mistake",
)
"""A change of mind right before the option."""

CHANGE = cue(
    r"\b(?:no(?=\s*[,.:!-])|wait|actually|correction|scratch that|hmm+|re-?check|hold on|looking again"
    r"|look again|second thoughts?|"
    r"my mistake|oops|re-?consider|re-?think|i meant|i was wrong|that(?:'s| is) (?:wrong|not right)|strike that)\b",
    "no wait actually correction scratch hmm hmmm hmmmm recheck check hold looking look second mistake oops "
    "reconsider consider "
    "rethink think meant wrong right strike",
)
"""A change of mind between two answers."""

WRAPPED = re.compile(
    r"\s*(?:text\s*\n|<(?:answer|final|response)>|answer\s*:|\\boxed\s*\{)(.{1,80}?)(?:</(?:answer|final|response)>|\})?\s*",
    _I | re.DOTALL,
)
"""A whole text that is an answer in its wrapping."""

TAG = cue(
    r",\s*(?:\w+n't|right|no|yes|correct|is|are|do|does|am|innit|huh|eh)(?:\s+\w+)?\s*\?",
    "t right no yes correct is are do does am innit huh eh",
)
"""A question put behind a statement."""

INTERROGATIVE = re.compile(
    r"\W*(?:is|was|are|were|does|did|do|will|would|could|can|should|who|whose|what|which|where|why|how)\b", _I
)
"""The beginning of a question."""

OPENING = re.compile(
    r"\W*(?:(?:it|that|this|he|she)(?:'s| is| was| must be)\b|i(?:'d| would)? (?:say|think|guess)(?: it(?:'s"
    r"| is))?\b)?\W*(?:the\s+|an?\s+)?",
    _I,
)
"""What may stand before an answer that is given at once."""

STRUCK = re.compile(r"~~[^~]*~~|<(s|del|strike)>[^<]*</\1>", _I)
"""What is struck out."""

EITHER_OR = cue(r"(?:^|[.\n,:;(\"])\s*(?:[\w'-]+\s+){1,4}or\s+(?:the\s+|in\s+|maybe\s+)?[\"']*$", "or")
"""Something that is no option stands before the option, joined by *or*."""

_TOGETHER = re.compile(
    r"[\s,\"')\](\[]*(?:\bor\b|\band\b|/|&|\bvs\.?|\bas well as\b|\boder\b|\bou\b|\bo\b|\bund\b)"
    r"[\s\"'(\[]*(?:also\s+|the\s+)?",
    _I,
)
_CLAUSE_START = re.compile(r"(?:^|[\n.:;!?>])[\s\"'(\[{-]*$")
_CLAUSE_END = re.compile(
    r"[\"')\]}]*(?:\s*[.,;:!?\n(\-<]|\s*$|\s+(?:because|since|as|for|is the answer|i guess|i think|i suppose"
    r"|probably|maybe|but|not)\b)",
    _I,
)
_DISCOURSE = re.compile(r",?\s*(?:let|so|well|what|we|i'll|okay|ok|then|away)\b", _I)
_TIGHT_BEFORE = re.compile(
    r"(?:(?:\b(?:is|was|be|to|say|says|said|means?|use|uses|choose|pick|with|mean|meant|answer|word|pronoun"
    r"|option|as|over|so|not"
    r"|but|therefore|from|maybe|probably|definitely|clearly|it|must|should|would|only|right|up|down)|'s|n't)"
    r"|[:=>\"'(\[{\n,.!?-]|->|^)[\s:=]*[\"'(\[{]*$",
    _I,
)
_TIGHT_AFTER = re.compile(
    r"[\"')\]}]*\s+(?:is|as)\s+(?:the\s+)?(?:correct|right|answer|best|my answer|word|pronoun)\b", _I
)
_SIDE_BEFORE = re.compile(r"\b(?:the|on|at|his|her|its|their|my|your)\s+[\"']*$", _I)
_SIDE_AFTER = re.compile(r"[\"')\]]*(?:\s+(?:side|one|hand|of|end)\b|\s*[.,;:!?\n)]|\s*$)", _I)
_VERDICT_BEFORE = re.compile(r"(?:\b(?:is|are|was|be|all|quite|you're|that's)\s+)[\"']*$", _I)


_OPENS, _CLOSES = ('"', "'", "(", "[", "{"), ('"', "'", ")", "]", "}")
_LEAD = 3
"""Words that may stand before *yes* or *no* in the same clause."""


def verdicts(said: Said) -> bool:
    """Whether there is any word or mark of a verdict."""
    return not _VERDICTS.isdisjoint(said.words) or "[" in said.text


def between(text: str, start: int, end: int) -> bool:
    """Whether only a coordination (``or``, ``and``, a slash) stands between two mentions."""
    return _TOGETHER.fullmatch(text, start, end) is not None


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a span is a clause by itself."""
    return _CLAUSE_START.search(text, max(0, start - WINDOW), start) is not None and ends_clause(text, end)


def ends_clause(text: str, end: int) -> bool:
    """Whether a clause ends there, or a reason follows."""
    return _CLAUSE_END.match(text, end) is not None


def stands_tight(text: str, start: int, end: int) -> bool:
    """Whether a small word stands as an answer, not as part of what is said."""
    if _DISCOURSE.match(text, end):
        return False
    word, low = text[start:end].lower(), max(0, start - WINDOW)
    if text[low:start].rstrip(" ").endswith(_OPENS) and text[end : end + 4].lstrip(" ").startswith(_CLOSES):
        return True
    if word in ("yes", "no") and ends_clause(text, end):
        before = re.split(r"[.!?\n,;:]", text[low:start])[-1].split()
        if len(before) <= _LEAD:
            return True
    if word in ("left", "right"):
        if _VERDICT_BEFORE.search(text, low, start) and word == "right":
            return False
        if _SIDE_BEFORE.search(text, low, start) and _SIDE_AFTER.match(text, end):
            return True
    if word in ("here", "there") and text[low:start].lower().rstrip().endswith(("over", "right", "up", "down")):
        return True
    if _TIGHT_AFTER.match(text, end):
        return True
    return _TIGHT_BEFORE.search(text, low, start) is not None and ends_clause(text, end)
