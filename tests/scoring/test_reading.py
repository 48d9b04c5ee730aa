"""Reading answers: the outcome, the option, the rule, the span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import UsageError
from deixis.records import Outcome
from deixis.scoring import read_answer

NAMES = ("Pavel", "Desmond")
TIMES = ("did it in the past", "will do it in the future")
ANSWERED = [
    ("Pavel", 0, "exact"),
    ("pavel.", 0, "exact"),
    ("**Desmond**", 1, "exact"),
    ("“Desmond”", 1, "exact"),
    ("\\boxed{Desmond}", 1, "only"),
    ("```\nDesmond\n```", 1, "exact"),
    ("<think>Pavel? Desmond?</think>\nPavel", 0, "exact"),
    ("Ｐavel", 0, "exact"),
    ("The answer is: Pavel", 0, "only"),
    ("Pavel will win, I am sure of it.", 0, "only"),
    ("not Pavel but Desmond", 1, "only"),
    ("It isn't Pavel, it's Desmond.", 1, "only"),
    ("Desmond, rather than Pavel.", 1, "only"),
    ("The correct answer is Desmond. Pavel would be right if he had spoken.", 1, "only"),
    ("Pavel is wrong; Desmond.", 1, "only"),
    ("Is it Pavel? It is Desmond.", 1, "only"),
    ("either Pavel or Desmond: Desmond", 1, "only"),
    ("I can’t be certain, but I would say Pavel.", 0, "only"),
    ("Pavel says that Desmond will win.", 1, "only"),
    ("Desmond will win, according to Pavel.", 1, "only"),
    ("Desmond, because Pavel said so.", 1, "only"),
    ("**Desmond** will win. Explanation: Pavel says that I will win.", 1, "only"),
    ("Desmond will win. Pavel is just reporting this.", 1, "only"),
    ("Pavel will not win, so it is Desmond.", 1, "only"),
    ("Pavel. Desmond would be wrong.", 0, "only"),
    ("Desmond\n\nUser: Pavel", 1, "exact"),
    ("I won't hesitate: Pavel", 0, "only"),
    ("Pavel will, I am sure, and Desmond helps.", 1, "last"),
    ("I think the answer must be Pavel. However, since it is quoted, it is Desmond", 1, "correction"),
    ("Pavel. No, Desmond.", 1, "correction"),
    ("Pavel... wait, actually Desmond", 1, "correction"),
    ("The answer is Pavel, although Desmond boasts.", 0, "only"),
    ("Answer: this asks who speaks, Desmond or not.\nANSWER: Pavel", 0, "labelled"),
]


@pytest.mark.parametrize(("text", "choice", "rule"), ANSWERED)
def test_answers(text: str, choice: int, rule: str) -> None:
    reading = read_answer(text, NAMES)
    assert (reading.outcome, reading.choice, reading.rule) == (Outcome.ANSWERED, choice, rule)
    assert reading.span is not None
    start, end = reading.span
    assert NAMES[choice].lower()[1:] in text[start:end].lower()


@pytest.mark.parametrize(
    ("text", "finish", "outcome"),
    [
        ("", "stop", Outcome.EMPTY),
        (" \n\t", "stop", Outcome.EMPTY),
        ("", "length", Outcome.TRUNCATED),
        ("", "refusal", Outcome.REFUSED),
        ("The narrator, of course, since", "length", Outcome.TRUNCATED),
        ("<think>Pavel or", "length", Outcome.TRUNCATED),
        ("Pavel knows Desmond from", "length", Outcome.TRUNCATED),
        ("I cannot determine who will win.", "stop", Outcome.REFUSED),
        ("I'm sorry, but I can’t tell whether it is Pavel or Desmond.", "stop", Outcome.REFUSED),
        ("There is not enough information.", "stop", Outcome.REFUSED),
        ("not Pavel", "stop", Outcome.UNREADABLE),
        ("neither Pavel nor Desmond", "stop", Outcome.UNREADABLE),
        ("Pavel or Desmond", "stop", Outcome.UNREADABLE),
        ("Pavel and Desmond", "stop", Outcome.UNREADABLE),
        ("Pavel, Desmond", "stop", Outcome.UNREADABLE),
        ("1. Pavel\n2. Desmond", "stop", Outcome.UNREADABLE),
        ("Pavel will not win.", "stop", Outcome.UNREADABLE),
        ("Pavel won't win.", "stop", Outcome.UNREADABLE),
        ("I doubt that Pavel will win.", "stop", Outcome.UNREADABLE),
        ("\u200b", "stop", Outcome.EMPTY),
        ("Pavels brother Desmonds", "stop", Outcome.UNREADABLE),
        ("The narrator", "stop", Outcome.UNREADABLE),
    ],
)
def test_other_outcomes(text: str, finish: str, outcome: Outcome) -> None:
    reading = read_answer(text, NAMES, finish=finish)
    assert (reading.outcome, reading.choice) == (outcome, None)
    assert reading.rule


@pytest.mark.parametrize(
    ("text", "options", "choice"),
    [
        ("ANSWER: there", ("here", "there"), 1),
        ("ANSWER: yours", ("ours", "yours"), 1),
        ("I think the answer is: you", ("I", "you"), 1),
        ("not the boy", ("the boy", "the girl"), None),
        ("A girl is holding it", ("the boy", "the girl"), 1),
        ("Mine.", ("mine", "yours"), 0),
        ("the boy’s cup", ("the boy's cup", "the girl's cup"), 0),
        ("New York City", ("New York", "New York City"), 1),
        ("non-shifted", ("shifted", "non-shifted"), 1),
        ("She will do it in the future.", TIMES, 1),
        ("Future", TIMES, 1),
        ("in the past", TIMES, 0),
        ("She did it in the past, not in the future.", TIMES, 0),
        ("future or past", TIMES, None),
        ("She did not do it in the past.", TIMES, None),
        ("She will not do it in the future.", TIMES, None),
        ("did it in the past. will do it in the future", TIMES, None),
        ("Bob will", ("Will", "Bob"), 1),
        ("will", ("Will", "Bob"), 0),
        ("I'm sure: you", ("I", "you"), 1),
        ("Zoe\u0308", ("Zo\u00eb", "Ida"), 0),
    ],
)
def test_options_that_collide(text: str, options: tuple[str, ...], choice: int | None) -> None:
    assert read_answer(text, options).choice == choice


@pytest.mark.parametrize(
    ("text", "choice", "rule"),
    [
        ("It is Pavel or Desmond", 1, "substring"),
        ("PAVELS", 0, "substring"),
        ("not desmond", 1, "substring"),
        ("nobody", None, "no option in the text"),
    ],
)
def test_the_published_reader_is_the_released_runners(text: str, choice: int | None, rule: str) -> None:
    reading = read_answer(text, NAMES, reader="published", first=1)
    assert (reading.choice, reading.rule) == (choice, rule)
    assert reading.outcome is (Outcome.UNREADABLE if choice is None else Outcome.ANSWERED)


def test_an_unknown_reader_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown reader 'lax'; there is strict, published"):
        read_answer("x", NAMES, reader="lax")


def test_a_long_answer_is_read_in_good_time() -> None:
    text = "Pavel or Desmond, " * 5_000 + "so Desmond it is."
    assert read_answer(text, NAMES).choice == 1


def test_a_span_stays_in_a_text_that_lower_casing_lengthens() -> None:
    text = "\u0130" * 5 + "Pavel"
    assert read_answer(text, NAMES, reader="published").span == (10, 10)


@given(st.text(), st.lists(st.text(min_size=1), min_size=2, max_size=4, unique=True), st.text(max_size=7))
def test_no_text_raises(text: str, options: list[str], finish: str) -> None:
    for reader in ("strict", "published"):
        reading = read_answer(text, options, reader=reader, finish=finish)
        assert (reading.choice is not None) is (reading.outcome is Outcome.ANSWERED)
        if reading.span is not None:
            assert 0 <= reading.span[0] <= reading.span[1] <= len(text)


@given(
    st.sampled_from([case[0] for case in ANSWERED if "```" not in case[0]]),
    st.sampled_from(["{}", " {} ", "\n{}\n", "*{}*", "“{}”", "{}\u200b"]),
    st.sampled_from([str, str.upper]),
)
def test_wrapping_and_casing_change_nothing(text: str, wrapper: str, casing) -> None:
    if casing is str.upper and "boxed" in text:
        return
    assert read_answer(wrapper.format(casing(text)), NAMES).choice == read_answer(text, NAMES).choice
