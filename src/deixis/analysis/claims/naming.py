"""Which participant is one of the papers' models: from a name such as ``openai/gpt-4o`` to that of a paper."""

import re

PATTERNS = {
    "Claude 3.5 Sonnet": r"(?:[a-z]{2}\.)?(?:anthropic\.)?claude-3[.-]5-sonnet(?:[-@](?:latest|\d{8}))?(?:-v\d:\d)?",
    "DeepSeek V3": r"deepseek-v3(?:-1226)?",
    "Gemini 1.5 Pro": r"gemini-1[.-]5-pro(?:-latest|-00\d)?|gemini-pro-1[.-]5",
    "GPT-4o": r"gpt-4o(?:-2024-\d\d-\d\d)?",
    "Llama-4-Scout": r"llama-4-scout(?:-17b)?(?:-16e)?(?:-instruct)?",
    "Gemma-3": r"gemma-3-27b-it",
    "InternVL2.5-4B-MPO": r"internvl2[._]5-4b-mpo(?:-hf)?",
    "InternVL2.5-8B-MPO": r"internvl2[._]5-8b-mpo(?:-hf)?",
    "Ovis2-4B": r"ovis2-4b(?:-hf)?",
    "Ovis2-8B": r"ovis2-8b(?:-hf)?",
}
"""The papers' names, and what the last part of a provider's name looks like for that very version.

A dated snapshot counts as the model. A later version (``deepseek-v3-0324``), a smaller one (``gpt-4o-mini``), a
quantised copy, and an alias that moves on (``deepseek-chat``, ``chatgpt-4o-latest``) do not.
"""


def printed_name(participant: str) -> str | None:
    """Return what the papers call this participant, or ``None`` if it is not recognisably one of their models."""
    if participant.startswith(("strategy:", "people:", "gguf:")):
        return None
    last = participant.rpartition("/")[2].partition("?")[0].lower()
    return next((name for name, pattern in PATTERNS.items() if re.fullmatch(pattern, last)), None)
