"""Whether a judge and whoever it judges are of one model family, by their names."""

import re

FAMILIES = (
    "claude", "command", "deepseek", "falcon", "gemini", "gemma", "glm", "gpt", "granite", "grok", "internvl", "jamba",
    "kimi", "llama", "mistral", "nova", "olmo", "ovis", "phi", "qwen", "smollm", "yi",
)  # fmt: skip
"""Stems of the names of model families."""
_MEMBERS = {
    "chatgpt": "gpt", "o1": "gpt", "o3": "gpt", "o4": "gpt", "davinci": "gpt", "mixtral": "mistral",
    "ministral": "mistral", "pixtral": "mistral", "codestral": "mistral", "magistral": "mistral", "qwq": "qwen",
    "qvq": "qwen", "smolvlm": "smollm", "molmo": "olmo", "tulu": "llama", "vicuna": "llama",
}  # fmt: skip
"""Names that hold no stem of their family."""


def families(participant: str) -> frozenset[str]:
    """Return the families that a participant's id names: of a distilled model both, of an unknown one its own name.

    The last part of the name counts: ``openai/gpt-4o`` is of *gpt*, ``hf:HuggingFaceTB/SmolVLM-256M`` of *smollm*.
    """
    if participant.startswith("strategy:"):
        return frozenset()
    name = re.sub(r"@.*", "", participant).rstrip("/").rpartition("/")[2]
    name = name.partition(":")[2] if participant.startswith(("gguf:", "hf:", "vllm:")) and ":" in name else name
    words = re.findall(r"[a-z]+\d?", name.lower())
    found = {stem for stem in FAMILIES for word in words if _begins(word, stem)}
    found |= {family for member, family in _MEMBERS.items() for word in words if _begins(word, member)}
    plain = re.match(r"[a-z]+", name.lower())
    return frozenset(found or ({plain[0]} if plain else {name.lower()}))


def _begins(word: str, stem: str) -> bool:
    """Whether a word of a name is of a stem; a stem of two letters has to be the whole word."""
    return word.rstrip("0123456789") == stem or word == stem if len(stem) < 3 else word.startswith(stem)


def own_family(participant: str, judge: str) -> str:
    """Return the family that both are of, several joined; nothing where there is none."""
    return ", ".join(sorted(families(participant) & families(judge)))


def kin_warning(participant: str, judge: str) -> str:
    """Return a line for whoever reads a number that a judge of the same family made; nothing where there is none."""
    family = own_family(participant, judge)
    if not family:
        return ""
    return (
        f"the judge {judge} is of the family of {participant} ({family}): judges may read their own kin otherwise; "
        "take another judge, or check this one with --validate"
    )
