"""From a template to eight passages, by hand; tense; verbs; what a template must have."""

import pytest

from deixis.items.factory import make
from deixis.items.reporting import FORMS, form, is_past, lemmas
from deixis.items.templates import Template, agreeing, marked, named, parse
from deixis.items.tense import backshifted, direct

TEMPLATE = Template(
    indexical="here",
    number=3,
    event="open",
    verb="tell",
    opening="{narrator} writes from {here}. {reporter} knows {subject}.",
    primes={"non-shifted": "{She/He} likes {here}.", "shifted": "{She/He} likes {there}."},
    report="In {there}, at the [Blue Parrot], {reporter} told me that evening",
    clause="{subject} wants to open {her/his} shop here",
    question="According to the last sentence, where does {subject} want to open {her/his} shop?",
)
ROLES = {"narrator": "Ida", "reporter": "Nora", "subject": "Olga", "here": "Oslo", "there": "Lima"}


def test_a_template_becomes_eight_passages() -> None:
    item = make(TEMPLATE, 7, "female", ROLES)
    sentences = {(cell.sentence_type, cell.marks): cell.sentence for cell in item.cells}
    assert sentences == {
        ("non-quoted", "plain"): (
            "In Lima, at the Blue Parrot, Nora told me that evening that Olga wanted to open her shop here."
        ),
        ("non-quoted", "distractor"): (
            'In Lima, at the "Blue Parrot", Nora told me that evening that Olga wanted to open her shop here.'
        ),
        ("quoted", "plain"): (
            'In Lima, at the Blue Parrot, Nora told me that evening, "Olga wants to open her shop here."'
        ),
        ("quoted", "distractor"): (
            "In Lima, at the Blue Parrot, Nora told me that evening: Olga wants to open her shop here."
        ),
    }
    first = item.cells[0]
    assert first.passage == f"Ida writes from Oslo. Nora knows Olga. She likes Oslo. {first.sentence}"
    assert item.id == "here/007"
    assert item.options == {"non-shifted": "Oslo", "shifted": "Lima"}
    assert item.question == "According to the last sentence, where does Olga want to open her shop?"


def test_without_that_in_the_report_there_is_none_in_the_clause() -> None:
    plain = Template(**{**_fields(), "report": "In {there} {reporter} tells me", "verb": "tell"})
    item = make(plain, 8, "male", {**ROLES, "reporter": "Paul", "subject": "Otto"})
    assert item.cells[0].sentence == "In Lima Paul tells me Otto wants to open his shop here."  # present: no shift


def _fields() -> dict[str, object]:
    return {name: getattr(TEMPLATE, name) for name in TEMPLATE.__slots__}


def test_a_role_without_a_name_is_an_error() -> None:
    with pytest.raises(KeyError, match="listener"):
        named("{listener} spoke.", ROLES)


def test_words_agree_and_marks_are_put() -> None:
    assert agreeing("{She/He} and {her/his} {sister/brother}", "male") == "He and his brother"
    assert marked("the [Bell]", marks=True) == 'the "Bell"'
    assert marked("the [Bell]", marks=False) == "the Bell"
    assert named("{here} {narrator}", {"here": "narrator", "narrator": "{here}"}) == "narrator {here}"  # all at once


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I will win", "I would win"),
        ("Ida wants to stay here", "Ida wanted to stay here"),
        ("Ida is going to go", "Ida was going to go"),
        ("Ida has seen you", "Ida had seen you"),
        ("Ida thanked you", "Ida thanked you"),
        ("Ida will say what she wants", "Ida would say what she wants"),
    ],
)
def test_tenses_shift_and_shift_back(said: str, told: str) -> None:
    assert backshifted(said) == told
    assert direct(told) == said


def test_reporting_verbs_have_their_forms() -> None:
    assert FORMS["say"] == ("says", "said")
    assert FORMS["tell"] == ("tells", "told")
    assert FORMS["reply"] == ("replies", "replied")
    assert FORMS["guess"] == ("guesses", "guessed")
    assert FORMS["admit"] == ("admits", "admitted")
    assert (is_past("told"), is_past("tells")) == (True, False)
    assert form("Ida said", "say") == "said"
    assert form("Ida said and says", "say") is None
    assert lemmas("Ida has written and mentioned it, saying nothing") == ["write", "mention"]


def test_a_template_whose_verb_is_not_its_report_is_refused() -> None:
    wrong = Template(**{**_fields(), "verb": "shout"})
    with pytest.raises(ValueError, match="here/003: no single form of 'shout'"):
        _ = wrong.past


def test_templates_are_read_from_toml() -> None:
    text = """
    [[item]]
    number = 1
    event = "win"
    verb = "say"
    opening = "o"
    prime.non-shifted = "n"
    prime.shifted = "s"
    report = "{reporter} says"
    clause = "I will win"
    question = "q"
    """
    (template,) = parse("I", text)
    assert (template.primes, template.past, template.that) == ({"non-shifted": "n", "shifted": "s"}, False, False)
    with pytest.raises(KeyError, match="clause"):
        parse("I", text.replace("clause", "klause"))
