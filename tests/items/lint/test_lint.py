"""The linter: every code has a failing input and points at its row; the published set shows its known faults."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from deixis.items.fresh import fresh_set
from deixis.items.lint.checks import CHECKS, Finding
from deixis.items.lint.run import as_table, by_code, lint
from deixis.items.questions import Question, of_item
from deixis.items.reading import read_questions
from deixis.items.templates import load_templates
from tests.conftest import item_rows, write_csv

Spoil = Callable[[list[Question]], list[Question]]


@cache
def bank() -> tuple[Question, ...]:
    """A fresh set of the bank, so that the names in these tests do not move when the bank's do."""
    return tuple(question for item in fresh_set(load_templates(), 1) for question in of_item(item))


def item(indexical: str, number: int = 1) -> list[Question]:
    """The eight questions of a sound item."""
    return [question for question in bank() if question.item == f"{indexical}/{number:03d}"]


def few() -> list[Question]:
    return [question for question in bank() if int(question.item[-3:]) <= 10]


def one(place: int, **changes: object) -> Spoil:
    """Change fields of the question at ``place``."""
    return lambda questions: [replace(q, **changes) if i == place else q for i, q in enumerate(questions)]  # type: ignore[arg-type]


def said(place: int, old: str | Callable[[Question], str], new: str | Callable[[Question], str]) -> Spoil:
    """Replace words in the passage, and in its last sentence where they stand there."""

    def spoil(questions: list[Question]) -> list[Question]:
        question = questions[place]
        was, now = (words(question) if callable(words) else words for words in (old, new))
        assert was in question.passage
        changed = replace(
            question, passage=question.passage.replace(was, now), sentence=question.sentence.replace(was, now)
        )
        return [*questions[:place], changed, *questions[place + 1 :]]

    return spoil


def before(place: int, words: str) -> Spoil:
    """Put words before the last sentence."""
    return lambda questions: [
        replace(q, passage=f"{q.context} {words.format(**q.roles, event=q.question.split(' will ')[-1])} {q.sentence}")
        if i == place
        else q
        for i, q in enumerate(questions)
    ]


def name(role: str) -> Callable[[Question], str]:
    return lambda question: question.roles[role]


def men(questions: list[Question]) -> list[Question]:
    return [replace(question, gender="male") for question in questions]


def swapped(questions: list[Question]) -> list[Question]:
    one, other = questions[0].options.values()
    return [replace(q, options={"non-shifted": other, "shifted": one}) for q in questions]


def always_in(city: str) -> Spoil:
    return lambda questions: [
        replace(q, options={**q.options, "non-shifted": city}, passage=f"{city}. {q.passage}") for q in questions
    ]


FAILING: dict[str, tuple[Callable[[], Sequence[Question]], Spoil, int | None]] = {
    "blank-field": (lambda: item("here"), one(2, question=" "), 2),
    "unknown-level": (lambda: item("here"), one(2, context_prime="shiftd"), 2),
    "sentence-apart": (lambda: item("here"), one(2, sentence="Something else."), 2),
    "placeholder": (lambda: item("here"), said(2, "here.", "here in {city}."), 2),
    "doubled-stop": (lambda: item("here"), before(2, "It rains.."), 2),
    "wrong-marks": (lambda: item("I"), said(6, ": I ", ': "I" '), 6),
    "other-person": (
        lambda: item("here"),
        lambda qs: [replace(q, question=q.question.replace(q.roles["subject"], q.roles["reporter"])) for q in qs],
        0,
    ),
    "no-stop": (lambda: item("here"), lambda qs: [replace(q, question=q.question.rstrip("?")) for q in qs], 0),
    "wrong-truth": (lambda: item("here"), one(3, truth="non-shifted"), 3),
    "repeated-id": (lambda: item("here"), lambda qs: [*qs[:-1], replace(qs[-1], row=qs[0].row)], 0),
    "mojibake": (lambda: item("here"), before(1, "The café is open.".encode().decode("mac-roman")), 1),
    "doubled-quotes": (lambda: item("I"), said(2, '."', '.""'), 2),
    "odd-quotes": (lambda: item("I"), said(2, '."', "."), 2),
    "stray-spaces": (lambda: item("I"), said(1, ". ", " . "), 1),
    "repeated-word": (lambda: item("I"), before(1, "This is the the end."), 1),
    "shared-name": (
        lambda: item("you"),
        one(1, roles={**item("you")[0].roles, "subject": "Ida", "reporter": "Ida"}),
        1,
    ),
    "option-absent": (lambda: item("you"), one(3, options={"non-shifted": "Olga", "shifted": "Petra"}), 3),
    "options-alike": (lambda: item("here"), one(0, options={"non-shifted": "York", "shifted": "New York"}), 0),
    "option-of-other-role": (lambda: item("here"), swapped, 0),
    "unmapped-name": (lambda: item("you"), said(5, name("subject"), lambda q: q.roles["subject"] + "tel"), 5),
    "stranger": (lambda: item("here"), one(0, question="According to the last sentence, where does Bob go?"), 0),
    "other-event": (lambda: item("here"), one(0, question="According to the last sentence, where is the piano?"), 0),
    "wrong-gender": (lambda: item("tomorrow"), before(2, "Himself, HE's a fool."), 2),
    "wrong-type": (lambda: item("I"), one(0, sentence_type="quoted"), 0),
    "indexical-missing": (lambda: item("here"), said(2, "here.", "in town."), 2),
    "indexical-doubled": (lambda: item("here"), said(2, " here.", " here and only here."), 2),
    "indexical-outside": (
        lambda: item("tomorrow"),
        one(2, passage='A. Tomorrow Ida said, "I go."', sentence='Tomorrow Ida said, "I go."'),
        2,
    ),
    "indexical-in-context": (lambda: item("here"), before(1, "Here it is warm."), 1),
    "prime-answers": (lambda: item("I"), before(1, "I am going to do what {reporter} expects: {event}."), 1),
    "verb-changed": (lambda: item("tomorrow"), said(2, "said", "mentioned"), 2),
    "pair-differs": (lambda: item("tomorrow"), said(2, " tomorrow", " quickly tomorrow"), 2),
    "context-differs": (lambda: item("tomorrow"), before(2, "It rains."), 2),
    "marks-differ": (lambda: item("tomorrow"), before(4, "It rains."), 4),
    "same-primes": (lambda: item("tomorrow"), lambda qs: [qs[0], replace(qs[0], row="x", context_prime="shifted")], 1),
    "row-disagrees": (lambda: item("here"), one(3, question="According to the last sentence, where does Ida go?"), 3),
    "missing-cell": (lambda: item("here"), lambda qs: qs[:3], 0),
    "repeated-cell": (lambda: item("here"), lambda qs: [*qs, replace(qs[1], row="x")], 8),
    "unbalanced-gender": (few, men, None),
    "unbalanced-cells": (few, lambda qs: qs[1:], None),
    "unbalanced-options": (few, always_in("Paris"), None),
    "unbalanced-names": (few, lambda qs: [replace(q, roles={**q.roles, "narrator": "Ida"}) for q in qs], None),
    "duplicate": (few, lambda qs: [*qs, replace(qs[0], row="x", item="I/999")], 320),
    "near-duplicate": (few, lambda qs: [*qs, *(replace(q, row=f"{q.row}x", item="I/999") for q in qs[4:8])], 320),
}
"""Code to sound questions, what spoils them, and the place of the row that is meant; ``None``: the whole file."""


@pytest.mark.parametrize("code", CHECKS)
def test_every_code_has_a_failing_input_and_names_its_row(code: str) -> None:
    sound, spoil, place = FAILING[code]
    assert code not in {finding.code for finding in lint(list(sound()))}
    spoilt = spoil(list(sound()))
    if code == "near-duplicate":
        spoilt[320] = replace(spoilt[320], passage=spoilt[320].passage.replace(".", " now.", 1))
    found = [finding for finding in lint(spoilt) if finding.code == code]
    assert found, f"{code} finds nothing"
    wanted = "" if place is None else spoilt[place].row
    assert wanted in {finding.row for finding in found}
    whole = ("option-of-other-role", "other-person", "no-stop")  # spoilt in every row of the item
    if CHECKS[code].scope != "set" and code not in whole:
        assert {finding.row for finding in found} == {wanted}
    assert all(finding.message.startswith(CHECKS[code].message) for finding in found)


def test_no_failing_input_is_for_nothing() -> None:
    assert set(FAILING) == set(CHECKS)
    assert all(check.message[0].isupper() and not check.message.endswith(".") for check in CHECKS.values())


def test_a_sound_csv_in_the_published_format_passes(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "items.csv", item_rows(1))
    questions, notes = read_questions(path)
    assert (lint(questions), notes) == ([], [])
    assert [question.row for question in questions] == ["1-0", "1-1", "1-2", "1-3"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"shifted_option": "Idas"}, "option-absent"),
        ({"question": "According to the last sentence, who will Olga win?"}, "stranger"),
        ({"ground_truth": "shifted"}, "wrong-truth"),
        ({"indexical": "now"}, "unknown-level"),
        ({"renamed_sentence": ""}, "blank-field"),
        ({"renamed_sentence": "I am Noraa. My friend Ida knows him. Ida thinks that I will win."}, "unmapped-name"),
        ({"renamed_sentence": "I am Nora. My friend Ida knows Him. Ida thinks that I will win."}, "wrong-gender"),
        ({"renamed_sentence": "I am Nora. My friend Ida is kind. Ida said that I will win."}, "verb-changed"),
    ],
)
def test_one_spoilt_row_of_a_csv_is_the_one_flagged(tmp_path: Path, change: dict[str, str], code: str) -> None:
    rows = item_rows(1) + item_rows(2)
    rows[4] |= change
    found = lint(read_questions(write_csv(tmp_path / "items.csv", rows))[0])
    assert {finding.row for finding in found if finding.code == code} == {"2-0"}
    assert not [finding for finding in found if finding.row.startswith("1-") and finding.code != "near-duplicate"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("win?", "steal?", "other-event"),
        ("who will win?", "who?", "other-event"),
        ('"I will win".', '"I" will win.', ""),
        ('Ida thinks "I will win".', '"I will win," Ida thinks.', ""),
        ('Ida thinks "I will win".', 'Ida thinks "so", I will win.', "indexical-outside"),
        ("thinks that I will win", "thinks that I shall win", ""),
        ("Nora. My", "Nora, of Noraland. My", ""),
        ("Nora. My", "Nora, of Noratel. My", "unmapped-name"),
        ("Nora. My", "Nora&amp;Co. My", "mojibake"),
        ("Nora. My", "No\u00adra. My", "stray-spaces"),
    ],
)
def test_a_whole_item_spoilt_alike_is_seen(tmp_path: Path, old: str, new: str, code: str) -> None:
    """What stands so in every row that has it: sound variations stay silent, faults are found."""
    rows = [
        {
            **row,
            "question": row["question"].replace(old, new),
            "renamed_sentence": row["renamed_sentence"].replace(old, new),
        }
        for row in item_rows(1)
    ]
    for row in rows:
        row["sentence"] = row["context"] = ""
    found = {finding.code for finding in lint(read_questions(write_csv(tmp_path / "items.csv", rows))[0])}
    assert code in found if code else not found - {"pair-differs", "no-stop"}


def test_levels_of_marks_swapped_in_an_item_are_seen() -> None:
    other = {"plain": "distractor", "distractor": "plain"}
    spoilt = [replace(question, marks=other[question.marks]) for question in item("I")]
    found = {finding.row for finding in lint(spoilt) if finding.code == "wrong-marks"}
    assert len(found) == 8


def test_another_answer_about_tomorrow_is_seen() -> None:
    spoilt = [replace(q, options={"non-shifted": "Paris", "shifted": "did it in the past"}) for q in item("tomorrow")]
    assert {f.code for f in lint(spoilt)} == {"option-of-other-role"}


def test_names_may_be_mapped_in_other_spellings_and_what_is_not_read_is_said(tmp_path: Path) -> None:
    rows = item_rows(1)
    for row, mapping in zip(
        rows, ("Andrew->Nora\nChris → Ida", "Andrew: Nora\nChris: Ida", "", "so so\nChris -> Ida"), strict=True
    ):
        row["name_mapping"] = mapping
    questions, notes = read_questions(write_csv(tmp_path / "items.csv", rows))
    assert questions[0].roles == questions[1].roles == {"narrator": "Nora", "reporter": "Ida"}
    assert [(note.where, note.detail) for note in notes] == [("row 4", "so so\nChris -> Ida")]


def test_verbs_in_the_past_are_tense_and_no_other_word() -> None:
    one, two, *_ = item("here")
    for told, said_ in (("planned", "plans"), ("knew", "knows"), ("took", "takes"), ("was", "am"), ("won", "wins")):
        pair = [
            replace(one, passage=f"C. Ida said that Eva {told} here.", sentence=f"Ida said that Eva {told} here."),
            replace(
                two,
                sentence_type="quoted",
                context_prime=one.context_prime,
                passage=f'C. Ida said, "Eva {said_} here."',
                sentence=f'Ida said, "Eva {said_} here."',
            ),
        ]
        assert "pair-differs" not in {finding.code for finding in lint(pair)}, told


def test_a_male_pronoun_is_no_fault_where_a_man_is_about(tmp_path: Path) -> None:
    rows = item_rows(1)
    for row in rows:
        row["context"] += " My father says he knows."
        row["renamed_sentence"] = row["renamed_sentence"].replace(". Ida th", ". My father says he knows. Ida th")
    assert lint(read_questions(write_csv(tmp_path / "items.csv", rows))[0]) == []


def test_output_is_a_table_with_the_ids_of_the_file() -> None:
    found = [
        Finding("17", "stranger", CHECKS["stranger"].severity, "m"),
        Finding("", "duplicate", CHECKS["duplicate"].severity, "n"),
    ]
    first, second = as_table(found)
    assert first.split() == ["17", "stranger", "changes", "the", "answer", "m"]
    assert second.startswith("(file)")
    assert by_code(found) == [("stranger", "changes the answer", 1, 1), ("duplicate", "weakens the answer", 1, 1)]
    assert found[0].entry == {"row": "17", "code": "stranger", "severity": "changes the answer", "message": "m"}


def test_the_published_set_shows_its_known_faults(published_csv: Path) -> None:
    """Counts found by reading: 44 rows of damaged names, 51 pairs with another verb, 99 contexts with *here*, twice."""
    questions, _ = read_questions(published_csv)
    found = lint(questions)
    rows: dict[str, set[str]] = {}
    for finding in found:
        rows.setdefault(finding.code, set()).add(finding.row)
    items = {code: {q.item for q in questions if q.row in rows[code]} for code in rows}
    assert (len(rows["unmapped-name"]), len(items["unmapped-name"])) == (44, 11)
    assert rows["option-absent"] < rows["unmapped-name"]
    assert rows["stranger"] < rows["unmapped-name"]
    assert len(rows["verb-changed"]) == 102
    assert {q.sentence_type for q in questions if q.row in rows["verb-changed"]} == {"quoted"}
    assert len(rows["indexical-in-context"]) == 198
    assert (len(rows["wrong-gender"]), len(items["wrong-gender"])) == (48, 17)
    assert (len(rows["doubled-quotes"]), len(items["doubled-quotes"])) == (10, 5)
    assert (len(rows["mojibake"]), len(items["mojibake"])) == (14, 5)
    assert next(f.message for f in found if f.code == "unbalanced-gender").endswith(
        "203 items about women, 197 about men"
    )
    quiet = {
        "pair-differs",
        "context-differs",
        "same-primes",
        "missing-cell",
        "other-event",
        "wrong-truth",
        "wrong-type",
    }
    assert not quiet & set(rows)


def test_told_primes_of_the_published_set(published_csv: Path) -> None:
    """31 *I* items were read as saying that the narrator does the deed; the program sees 29."""
    questions, _ = read_questions(published_csv)
    told = {finding.row for finding in lint(questions) if finding.code == "prime-answers"}
    by = Counter((q.indexical, q.context_prime, q.sentence_type) for q in questions if q.row in told)
    assert by["I", "shifted", "non-quoted"] == 29
    assert by["here", "shifted", "non-quoted"] == 0
