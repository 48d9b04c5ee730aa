"""Building the last sentence and finding its parts again."""

import pytest

from deixis.items.quotation import has_complementiser, has_mark, last_sentence, reported, speech


@pytest.mark.parametrize(
    ("sentence_type", "marks", "that", "sentence"),
    [
        ("non-quoted", True, True, "Ida says that I will win."),
        ("non-quoted", True, False, "Ida says I will win."),
        ("quoted", True, False, 'Ida says, "I will win."'),
        ("quoted", False, True, "Ida says: I will win."),
    ],
)
def test_sentences_are_built_and_taken_apart(sentence_type: str, marks: bool, that: bool, sentence: str) -> None:
    assert speech("Ida says", "I will win", sentence_type, marks=marks, that=that) == sentence
    assert reported(sentence, sentence_type).strip() == "I will win."


@pytest.mark.parametrize(
    ("sentence", "sentence_type", "clause"),
    [
        ("Ida told us that evening that I would win.", "non-quoted", " I would win."),
        ("Ida told us that I would show that to everybody.", "non-quoted", " I would show that to everybody."),
        ('At the "Bell" Ida told me I would win.', "non-quoted", " me I would win."),
        ('Ida told us that evening, "I will win."', "quoted", "I will win."),
        ('Ida says "I will win".', "quoted", "I will win"),
        ("Ida says I will win.", "quoted", ""),
        ('"I will win," Ida said.', "quoted", "I will win,"),
        ('"I," Ida said, "will win."', "quoted", "I, will win."),
        ('Ida said, "Eva wants to sing" here.', "quoted", "Eva wants to sing"),
        ("Ida sagte: „I will win.“", "quoted", "I will win."),
        ("Ida dit : «I will win.»", "quoted", "I will win."),
    ],
)
def test_what_is_reported(sentence: str, sentence_type: str, clause: str) -> None:
    assert reported(sentence, sentence_type) == clause


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Ida says that I will win.", True),
        ("Ida told the old neighbours downstairs that I would win.", True),
        ("Ida wrote to the museum that I would answer the letter.", True),
        ('Ida says, "I will win."', False),
        ('Ida says, "I know that I will win."', False),
        ("Ida says I will win.", False),
        ("Ida said: I know that I will win.", False),
        ("At the lake that summer, Ida said I would win.", False),
        ("Ida grumbled that I would win.", True),
    ],
)
def test_complementiser(sentence: str, found: bool) -> None:
    assert has_complementiser(sentence) is found


@pytest.mark.parametrize(("text", "found"), [('a "b"', True), ("a “b”", True), ("a «b»", True), ("Ida's b", False)])
def test_marks(text: str, found: bool) -> None:
    assert has_mark(text) is found


@pytest.mark.parametrize(
    ("passage", "last"),
    [
        ("Hi! I am Ida. Nora says that I will win.", "Nora says that I will win."),
        ('Hi! I am Ida. Nora says, "I will win. You will see."', 'Nora says, "I will win. You will see."'),
        ('He said, "Go!" Nora says "I will win".', 'Nora says "I will win".'),
        ("One sentence only", "One sentence only"),
        ("Nora waits. Élodie says that I will win.", "Élodie says that I will win."),
    ],
)
def test_last_sentence(passage: str, last: str) -> None:
    assert last_sentence(passage) == last
