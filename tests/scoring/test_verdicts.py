"""A judge's reply is one verdict, or none with its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.scoring.verdicts import Verdict, read_verdict


@pytest.mark.parametrize(
    "reply",
    [
        "VERDICT: B",
        "verdict: b",
        "  **VERDICT: B**  ",
        "**VERDICT:** B",
        "VERDICT: `B`.",
        "VERDICT: (B)",
        "> VERDICT = B",
        "The text says yours.\n\nVERDICT: B\n",
        "VERDICT: B\nVERDICT: B",
        "```\nVERDICT: B\n```",
        "```text\nVERDICT: B\n```\nThat is all.",
        '{"verdict": "B"}',
        '{"Verdict": "b", "reason": "it says yours"}',
        '```json\n{"verdict": "B"}\n```',
        'Here it is:\n```json\n{\n  "verdict": "B",\n  "confidence": 0.9\n}\n```',
        "<think>VERDICT: A? No, it is corrected.</think>\nVERDICT: B",
    ],
)
def test_a_verdict_is_read_on_its_line_in_a_fence_or_as_json(reply: str) -> None:
    assert read_verdict(reply, 4) == Verdict("B", 1)


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("VERDICT: NONE", "NONE"),
        ("VERDICT: several", "SEVERAL"),
        ("VERDICT: BOTH", "SEVERAL"),
        ('{"verdict":"refused"}', "REFUSED"),
    ],
)
def test_words_besides_letters(reply: str, word: str) -> None:
    assert read_verdict(reply, 2) == Verdict(word)


@pytest.mark.parametrize(
    "reply",
    [
        "not json",
        "B",
        "not correct",
        "partially correct",
        "I think the VERDICT: B",
        "VERDICT: not B",
        "VERDICT: A or B",
        "VERDICT: B, I think",
        "VERDICT:",
        "VERDICT: E",
        "VERDICT: BB",
        "VERDICT: CORRECT",
        '{"verdict": null}',
        '{"verdict": "A or B"}',
        '{"verdict": ["B"]}',
        '{"verdict": "B"',
        '["verdict", "B"]',
        "<think>VERDICT: B",
        '{"answer": "I"}',
        "{" * 10_000,
    ],
)
def test_anything_else_is_malformed(reply: str) -> None:
    found = read_verdict(reply, 4)
    assert (found.word, found.place) == ("", None)
    assert found.fault.startswith(("malformed verdict: ", "contradictory verdict"))


@pytest.mark.parametrize("reply", [None, "", " \n\t"])
def test_nothing_is_no_verdict(reply: str | None) -> None:
    assert read_verdict(reply, 4).fault == "empty verdict"


@pytest.mark.parametrize(
    "reply",
    [
        "VERDICT: A\nVERDICT: B",
        "VERDICT: A\nVERDICT: NONE",
        '{"verdict": "A", "verdict": "B"}',
        '{"verdict": "A", "choice": "B"}',
        '{"verdict": "NONE", "option": "B"}',
        '{"verdict": "A"}\nVERDICT: B',
        "VERDICT: A\nVERDICT: A or B",
    ],
)
def test_two_verdicts_are_for_a_person_to_look_at(reply: str) -> None:
    assert read_verdict(reply, 4).fault.startswith("contradictory verdict, for a person to look at: ")


def test_a_reply_that_was_cut_is_no_verdict() -> None:
    assert read_verdict("VERDICT: A", 4, "length").fault.startswith("verdict cut short")


def test_only_letters_that_were_shown_count() -> None:
    assert read_verdict("VERDICT: C", 2).fault.startswith("malformed")
    assert read_verdict("VERDICT: C", 3) == Verdict("C", 2)


@given(st.text(), st.integers(2, 6))
def test_any_text_is_read(reply: str, options: int) -> None:
    found = read_verdict(reply, options)
    assert bool(found.word) != bool(found.fault)
    assert "\n" not in found.fault
