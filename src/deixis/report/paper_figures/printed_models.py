"""Which participant of a run is a model that the paper names."""

import re


def is_printed(participant: str, named: str) -> bool:
    """Whether a participant (a model's id, or ``people:`` and a study) is what the paper calls ``named``.

    ``openai/gpt-4o-2024-08-06`` is *GPT-4o*, ``openai/gpt-4o-mini`` is not: only a size or a date follows the name.
    """
    if named == "humans":
        return participant.startswith("people:")
    whole = _plain(named)
    pieces = [_plain(piece) for piece in re.split(r"[/:]", participant)]
    return any(piece == whole or (piece.startswith(whole) and piece[len(whole)].isdigit()) for piece in pieces)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
