"""Building the last sentence and finding its parts again."""

import pytest

from deixis.items.quotation import has_complementiser, has_mark, last_sentence, non_quoted, quoted


def test_sentences_are_built() -> None:
    assert non_quoted("Ida says", "I will win") == "Ida says that I will win."
    assert quoted("Ida says", "I will win") == 'Ida says, "I will win."'


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
    ],
)
def test_last_sentence(passage: str, last: str) -> None:
    assert last_sentence(passage) == last
