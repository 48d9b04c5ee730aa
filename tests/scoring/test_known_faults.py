"""Faults that users of other tools reported, as kinds: each with its right outcome, and more of the same kind."""

import pytest

from deixis.records import Outcome
from deixis.scoring import read_answer

ABCD = ("A", "B", "C", "D")
AJ = tuple("ABCDEFGHIJ")
WORDS = ("mine", "yours")
SENTENCES = ("I prefer mine", "I prefer yours", "You prefer mine", "You prefer yours")
CHILDREN = ("the boy", "the girl")
READ = {
    "a label is also a word": [
        ("The answer is B because a boy is pointing.", ABCD, 1),
        ("I see a boy and a girl. The answer is D.", ABCD, 3),
        ("The answer is: A. I think a girl is meant.", ABCD, 0),
        ("I think the answer is: you", ("I", "you"), 1),
        ("The answer is C because I looked", AJ, 2),
        ("It is I, because I am the one who speaks.", ("I", "you"), 0),
    ],
    "the first phrase shadows the last": [
        ("Answer: this asks who is speaking.\nThe girl speaks.\nANSWER: b", ABCD, 1),
        ("Answer: we look for the owner first.\n\nFinal answer: yours", WORDS, 1),
    ],
    "markup": [
        (r"\boxed{yours}", WORDS, 1),
        (r"The answer is $\boxed{\text{mine}}$.", WORDS, 0),
        ("**Answer:** *yours*", WORDS, 1),
        ('```json\n{"answer": "You prefer mine"}\n```', SENTENCES, 2),
        ("<answer>mine</answer>", WORDS, 0),
        ("<answer>No</answer>", ("Yes", "No"), 1),
    ],
    "negation": [
        ("not the boy", CHILDREN, None),
        ("It isn't the girl.", CHILDREN, None),
        ("Not the boy: the girl.", CHILDREN, 1),
        ("Never mine; yours.", WORDS, 1),
    ],
    "too strict": [
        ("Mine.", WORDS, 0),
        ("The answer is: mine", WORDS, 0),
        ('"mine"', WORDS, 0),
        ("I'd say mine!", WORDS, 0),
        ("mine\n", WORDS, 0),
    ],
    "words inside words": [
        ("ANSWER: there", ("here", "there"), 1),
        ("ANSWER: yours", ("ours", "yours"), 1),
        ("ANSWER: ours", ("ours", "yours"), 0),
        ("theirs", ("his", "hers"), None),
        ("this", ("his", "hers"), None),
        ("minefield", WORDS, None),
        ("Annabel", ("Anna", "Bel"), None),
    ],
    "another question than the one asked": [
        ("A girl is holding it", CHILDREN, 1),
        ("A is for apple.", ("the boy", "the cat"), None),
    ],
    "too narrow and too eager": [
        ("The correct answer is yours. 'Mine' would be right if the boy spoke.", WORDS, 1),
        ("The girl owns it, so one might think of 'yours', but the speaker is the girl herself: mine.", WORDS, 0),
        ("If the boy spoke it would be mine. The girl speaks. Yours.", WORDS, 1),
    ],
    "the next turn": [
        ("No\n\nUser: Is the cup yours? Yes or no?", ("Yes", "No"), 1),
        ("mine<|im_end|>\n<|im_start|>user\nyours?", WORDS, 0),
        ("yours\n\n### Instruction:\nSay mine.", WORDS, 1),
    ],
    "shapes of quotes": [
        ("the boy\u2019s cup", ("the boy's cup", "the girl's cup"), 0),
        ("\u201eyours\u201c", WORDS, 1),
        ("\u00abmine\u00bb", WORDS, 0),
        ("I\u2019d prefer mine.", SENTENCES, 0),
    ],
}  # fmt: skip
OUTCOMES = [
    ("I can\u2019t tell", "", Outcome.REFUSED),
    ("I cannot see an image", "", Outcome.REFUSED),
    ("I'm not able to view pictures.", "", Outcome.REFUSED),
    ("As an AI, I have no preferences.", "", Outcome.REFUSED),
    ("", "", Outcome.EMPTY),
    ("\u200b\n", "stop", Outcome.EMPTY),
    ("", "length", Outcome.TRUNCATED),
    ("The cup belongs to the", "length", Outcome.TRUNCATED),
    ("[ERROR] you do not have access to yours", "", Outcome.UNREADABLE),
    ("Error: mine is not a valid model", "", Outcome.UNREADABLE),
    ("HTTP 502: yours truly, the gateway", "", Outcome.UNREADABLE),
    ("mine and yours", "", Outcome.UNREADABLE),
    ("Here is the sentence.", "", Outcome.UNREADABLE),
    ("", "content_filter", Outcome.REFUSED),
]


@pytest.mark.parametrize(
    ("text", "options", "choice"),
    [case for cases in READ.values() for case in cases],
    ids=lambda value: str(value)[:40],
)
def test_each_kind_of_fault(text: str, options: tuple[str, ...], choice: int | None) -> None:
    assert read_answer(text, options).choice == choice


@pytest.mark.parametrize(("text", "finish", "outcome"), OUTCOMES)
def test_what_is_no_answer_says_which_kind(text: str, finish: str, outcome: Outcome) -> None:
    assert read_answer(text, WORDS, finish=finish).outcome is outcome


@pytest.mark.parametrize("text", [None, b"mine", 3, 2.5, [], "\ud800", "\0", "a" * 100_000, "((((" * 5_000])
def test_no_input_raises(text: object) -> None:
    read_answer(text, WORDS)  # type: ignore[arg-type]


def test_one_text_is_no_list_of_options() -> None:
    with pytest.raises(Exception, match="options are several texts, not the one text 'mine'"):
        read_answer("mine", "mine")


def test_a_wrong_boxed_word_is_read_as_what_it_is() -> None:
    assert read_answer(r"\boxed{mine}", WORDS).choice == 0
    assert read_answer(r"\boxed{theirs}", WORDS).outcome is Outcome.UNREADABLE
