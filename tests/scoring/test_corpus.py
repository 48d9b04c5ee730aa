"""The labelled corpus: 780 answers as models and people give them, and what each of them says."""

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.records import Outcome
from deixis.scoring import read_answer
from deixis.scoring.reading import VERSIONS
from tests.scoring.corpus import Labelled, corpus, phrasings

FROZEN = {
    "strict-2": "101791195b19a317",
    "published-1": "a6f1f79eeda5e58f",
}
"""Version of a reader to the hash of all its readings."""
PLAIN = [one for one in corpus() if one.outcome == "answered" and not one.labels and one.finish != "length"]
SHORT = [one for one in PLAIN if one.read().rule == "exact" and len(one.options[0]) > 1]


@pytest.mark.parametrize("one", corpus(), ids=lambda one: f"{one.id}-{one.kind}")
def test_each_answer_is_read_as_a_careful_person_reads_it(one: Labelled) -> None:
    reading = one.read()
    assert (reading.outcome.value, reading.choice) == (one.outcome, one.choice), reading


def test_most_phrasings_meant_to_break_it_are_read_as_meant() -> None:
    """1,401 of them; those that are not stand in the docs by their number."""
    missed = [one for one in phrasings() if one.read != one.reading]
    assert len(phrasings()) == 1401
    assert len(missed) <= 51, missed
    wrong = [one for one in missed if isinstance(one.read, int)]
    assert len(wrong) <= 14, wrong


def test_the_corpus_has_every_experiment_and_outcome() -> None:
    assert len(corpus()) >= 400
    assert len({one.id for one in corpus()}) == len(corpus())
    cells = Counter((one.experiment, one.outcome) for one in corpus())
    for experiment in ("indexicals", "vocabulary", "possessive", "demonstrative"):
        for outcome in ("answered", "unreadable", "refused", "empty", "truncated"):
            assert cells[experiment, outcome] >= 3, (experiment, outcome)
    assert Counter(one.outcome for one in corpus())["answered"] < 0.65 * len(corpus())


@pytest.mark.parametrize("reader", VERSIONS)
def test_a_reader_that_reads_otherwise_has_another_version(reader: str) -> None:
    readings = [one.read(reader) for one in corpus()]
    readings += [
        read_answer(one.text, one.options, reader=reader, finish=one.finish, labels=one.labels) for one in phrasings()
    ]
    told = "\n".join(f"{r.outcome} {r.choice} {r.rule} {r.span}" for r in readings)
    found = sha256(told.encode()).hexdigest()[:16]
    assert FROZEN.get(VERSIONS[reader]) == found, f"give {reader!r} a new version in reading.py, and {found!r} here"


def test_the_published_reader_errs_where_the_corpus_is_hard() -> None:
    """It knows no refusal and takes any substring; the docs list examples."""
    wrong = Counter(
        one.outcome
        for one in corpus()
        if (one.read("published").outcome, one.read("published").choice) != (one.outcome, one.choice)
    )
    assert sum(wrong.values()) > 150
    assert wrong["refused"] > 60
    assert all(one.read("published").outcome is not Outcome.REFUSED for one in corpus() if one.text.strip())


wrappers = st.sampled_from(
    [
        "{}",
        " {} ",
        "\n{}\n",
        "**{}**",
        "*{}*",
        "_{}_",
        "`{}`",
        '"{}"',
        "'{}'",
        "“{}”",
        "«{}»",
        "„{}“",
        "({})",
        "{}\u200b",
        "> {}",
        "```\n{}\n```",
        "```text\n{}\n```",
        "<answer>{}</answer>",
        "Answer: {}",
        "\\boxed{{{}}}",
        "# {}",
        "- {}",
        "{}\n",
        "<think>hm</think>{}",
    ]
)
endings = st.sampled_from(["", ".", "!", "。", "…", " .", ".\n\n"])
casings = st.sampled_from([str, str.upper, str.lower, str.title])


@given(st.sampled_from(SHORT), wrappers, endings, casings)
def test_wrapping_casing_and_punctuation_change_nothing(one: Labelled, wrapper: str, ending: str, casing) -> None:
    option = one.options[one.choice or 0].rstrip(".")
    text = wrapper.format(casing(option) + ending)
    assert read_answer(text, one.options).choice == one.choice, text


@given(
    st.sampled_from(PLAIN), st.sampled_from(["{}", " {}\n", "\n\n{}  ", "{}\u200b", "<think>Let me see.</think>\n{}"])
)
def test_space_and_reasoning_around_a_long_answer_change_nothing(one: Labelled, wrapper: str) -> None:
    reading = read_answer(wrapper.format(one.text), one.options, prompt=one.prompt)
    assert reading.choice == one.choice


refusals = st.sampled_from(
    [
        "I'm sorry, but I cannot answer this question.",
        "As an AI, I can’t assist with that.",
        "I refuse to answer.",
        "I really cannot choose.",
        "I must decline to answer.",
        "Sorry, I won’t answer that.",
    ]
)


@given(st.sampled_from(SHORT), refusals, st.sampled_from([" ", "\n", ". ", ", "]))
def test_a_refusal_at_the_end_takes_an_answer_back(one: Labelled, refusal: str, between: str) -> None:
    text = one.options[one.choice or 0].rstrip(".") + between + refusal
    assert read_answer(text, one.options).outcome is Outcome.REFUSED, text


@given(
    st.sampled_from(SHORT),
    st.sampled_from(["I cannot tell whether it is {}.", "I don’t know if {} is right.", "No idea, {} or not."]),
)
def test_an_option_within_a_refusal_is_no_answer(one: Labelled, frame: str) -> None:
    text = frame.format(one.options[one.choice or 0].rstrip("."))
    assert read_answer(text, one.options).outcome is Outcome.REFUSED, text
