"""Names are short, and never equal."""

import pytest

from deixis.analysis.who import Kind, group_of, kind_of
from deixis.report.paper_figures.printed_models import is_printed
from deixis.report.paper_figures.who import LONGEST, broken, short_names


def test_people_of_a_study_stand_together() -> None:
    assert [group_of(name) for name in ("people:pilot/017", "people:7", "openai/gpt-4o")] == [
        "people:pilot",
        "people:",
        "openai/gpt-4o",
    ]
    assert [kind_of(name) for name in ("people:pilot/017", "strategy:oracle", "gguf:smollm2")] == [
        Kind.PEOPLE,
        Kind.REFERENCE,
        Kind.MODEL,
    ]


def test_names_are_what_follows_the_slash_unless_two_would_be_equal() -> None:
    found = short_names(["openai/gpt-4o", "a/model", "b/model", "people:pilot", "people:", "strategy:oracle"])
    assert list(found.values()) == ["gpt-4o", "a/model", "b/model", "people (pilot)", "people", "oracle"]


def test_long_names_are_cut_but_not_where_they_differ_only_in_the_middle() -> None:
    alone = "x/" + "a" * 30 + "-end-of-name"
    assert len(short_names([alone])[alone]) == LONGEST
    pair = [f"x/{'a' * 30}-{middle}-{'z' * 30}" for middle in ("awq", "gptq")]
    assert list(short_names(pair).values()) == [name.removeprefix("x/") for name in pair]
    same = ["x/" + pair[0][2:], "y/" + pair[0][2:]]
    assert list(short_names(same).values()) == same


def test_a_name_is_broken_behind_a_mark_and_loses_no_letter() -> None:
    assert broken("llama-4-scout-17b-instruct", 14) == "llama-4-scout-\n17b-instruct"
    assert broken("a" * 20, 8).replace("\n", "") == "a" * 20


@pytest.mark.parametrize(
    ("participant", "named", "same"),
    [
        ("openai/gpt-4o", "GPT-4o", True),
        ("openai/gpt-4o-2024-08-06", "GPT-4o", True),
        ("openai/gpt-4o-mini", "GPT-4o", False),
        ("meta-llama/llama-4-scout-17b-16e-instruct", "Llama-4-Scout", True),
        ("gguf:Llama-4-Scout", "Llama-4-Scout", True),
        ("people:pilot", "humans", True),
        ("openai/gpt-4o", "humans", False),
    ],
)
def test_printed_models_are_known_by_their_ids(participant: str, named: str, same: bool) -> None:
    assert is_printed(participant, named) is same
