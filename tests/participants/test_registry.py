"""Names of participants: the nearest ones are offered, models never get the trial table."""

from pathlib import Path

import pytest

from deixis.errors import ParticipantError
from deixis.participants.listing import listing
from deixis.participants.participant import Abilities, check_abilities
from deixis.participants.registry import REFERENCES, Setting, build, check_name, participant_id
from deixis.records import AnswerMode, Prompt


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("strategy:orcle", "unknown participant 'strategy:orcle'; nearest: strategy:oracle"),
        ("oracle", "strategy:oracle"),
        ("gguf:smolm2", "no file 'smolm2'"),
        ("ggf:smollm2", "nearest: gguf:smollm2"),
        ("", "unknown participant ''"),
        ("Open AI/gpt-4o", "unknown participant 'Open AI/gpt-4o'"),
    ],
)
def test_unknown_names_are_one_clear_line(name: str, words: str) -> None:
    with pytest.raises(ParticipantError) as caught:
        check_name(name)
    assert words in str(caught.value)


def test_known_names_pass(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").touch()
    for name in (*REFERENCES, "gguf:smollm2", "openai/gpt-4o", f"gguf:{tmp_path / 'm.gguf'}"):
        check_name(name)
    assert participant_id(f"gguf:{tmp_path / 'm.gguf'}") == "gguf:m.gguf"
    assert build("strategy:oracle", (), 0, Setting()).id == "strategy:oracle"


def test_what_a_participant_cannot_do_is_said_before_it_starts() -> None:
    class Mute:
        id = "x:mute"
        abilities = Abilities(text=True)

    prompts = [Prompt("a", "", "", ())]
    check_abilities(Mute.id, Mute.abilities, AnswerMode.GENERATE, prompts)
    with pytest.raises(ParticipantError, match="'x:mute' gives no log-probabilities"):
        check_abilities(Mute.id, Mute.abilities, AnswerMode.CHOOSE, prompts)
    with pytest.raises(ParticipantError, match="cannot be held to the options"):
        check_abilities(Mute.id, Mute.abilities, AnswerMode.CONSTRAINED, prompts)
    with pytest.raises(ParticipantError, match="sees no pictures"):
        check_abilities(Mute.id, Mute.abilities, AnswerMode.GENERATE, [Prompt("a", "", "", (), picture="sha")])


def test_the_listing_names_everyone() -> None:
    told = "\n".join(listing())
    assert all(name in told for name in (*REFERENCES, "gguf:smollm2", "gguf:PATH"))
