"""What is written: every picture once, a table that leads to it, a card that says whose drawings it holds."""

import csv
import hashlib
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.errors import SceneError, UsageError
from deixis.scenes.album import Wanted, entries
from deixis.scenes.drawing.artwork import artwork
from deixis.scenes.gallery import write_gallery
from deixis.scenes.render import COLUMNS, render
from deixis.scenes.scene import TASKS, from_id
from deixis.scenes.truth import right

ART = artwork("twemoji")
VOCABULARY = "vocabulary/g03/bdac/t0/girl-speaks/girl-gazes"


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_loose_files_are_named_by_their_pixels(tmp_path: Path) -> None:
    trials, pictures = render(Wanted("possessive", limit=40), ART, tmp_path)
    rows = table((tmp_path / "trials.csv").read_text(encoding="utf-8"))
    assert tuple(rows[0]) == COLUMNS
    assert (trials, len(rows)) == (40, 40)
    files = sorted(tmp_path.glob("*.png"))
    assert len(files) == pictures == len({row["file"] for row in rows})
    for path in files:
        with Image.open(path) as image:
            size = image.width.to_bytes(4, "big") + image.height.to_bytes(4, "big")
            assert path.stem == hashlib.sha256(size + np.asarray(image.convert("RGB")).tobytes()).hexdigest()
    for row in rows:
        scene = from_id(row["trial_id"])
        assert row["sentence"] == str(right(scene))
        assert [row[f"object_{place}"] for place in range(1, 5)] == list(scene.objects)
        assert (row["speaker"], row["gazer"], row["target"]) == (scene.speaker, scene.gazer, str(scene.target))
    card = (tmp_path / "CARD.md").read_text(encoding="utf-8")
    assert "Twemoji" in card
    assert "CC BY 4.0" in card
    assert f"Trials: 40. Distinct pictures: {pictures}," in card
    assert "settings: limit 40" in card
    with pytest.raises(SceneError, match="holds pictures already; name another folder or take them away"):
        render(Wanted("possessive", limit=2), ART, tmp_path)


def test_a_zip_holds_the_same_and_is_the_same_again(tmp_path: Path) -> None:
    wanted = Wanted("demonstrative", limit=20, seed=4)
    render(wanted, ART, tmp_path / "folder")
    for name in ("a.zip", "b.zip"):
        render(wanted, ART, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert {info.compress_type for info in packed.infolist()} == {zipfile.ZIP_STORED}
        for info in packed.infolist():
            assert packed.read(info) == (tmp_path / "folder" / info.filename).read_bytes()
        assert len(packed.namelist()) == len(list((tmp_path / "folder").iterdir()))
    with pytest.raises(SceneError, match="is there already; name another file"):
        render(wanted, ART, tmp_path / "a.zip")


@pytest.mark.parametrize("task", TASKS)
def test_settings_change_what_is_drawn(task: str) -> None:
    plain = {entry.picture for entry in entries(Wanted(task, limit=60), ART.things)}
    for change in ({"version": "people"}, {"version": "comprehension"}, {"squares": "all"}, {"boy": "right"}):
        changed = {entry.picture for entry in entries(Wanted(task, limit=60, **change), ART.things)}  # type: ignore[arg-type]
        assert not plain & changed, change
    if task == "possessive":
        every = [
            entries(Wanted(task, arrangement=arrangement), ART.things) for arrangement in ("blocks", "alternating")
        ]
        blocks, alternating = ({entry.scene.pattern for entry in some if entry.scene} for some in every)
        assert not blocks & alternating
    drawn = [[entry.id for entry in entries(Wanted(task, limit=60, seed=seed), ART.things)] for seed in (0, 1)]
    assert drawn[0] != drawn[1]


def test_pictures_for_people_are_as_many_as_scenes() -> None:
    assert len({e.picture for e in entries(Wanted("possessive", "people"), ART.things)}) == 6144


def test_baselines(tmp_path: Path) -> None:
    assert render(Wanted("empty"), ART, tmp_path / "e") == (1, 1)
    assert render(Wanted("unrelated"), ART, tmp_path / "u") == (12, 12)
    (row, *_) = table((tmp_path / "u" / "trials.csv").read_text())
    assert (row["trial_id"], row["sentence"]) == ("unrelated-room", "")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted("possesive"), "no task 'possesive'; there is vocabulary, possessive, demonstrative, empty, unrelated"),
        (Wanted("possessive", "dogs"), "no version 'dogs'; there is models, people, comprehension"),
        (Wanted("possessive", squares="few"), "no squares 'few'"),
        (Wanted("possessive", arrangement="mixed"), "no arrangement 'mixed'"),
        (Wanted("possessive", boy="top"), "no boy 'top'"),
        (Wanted("possessive", limit=0), "--limit 0 draws nothing"),
        (Wanted("possessive", "people", "all"), "squares 'all' changes nothing of these pictures; leave it out"),
        (Wanted("vocabulary", arrangement="alternating"), "arrangement 'alternating' changes nothing"),
        (Wanted("empty", boy="up"), "boy 'up' changes nothing"),
        (Wanted("unrelated", limit=3), "limit 3 changes nothing"),
    ],
)
def test_what_there_is_not_is_named(wanted: Wanted, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        list(entries(wanted, ART.things))
    assert words in str(caught.value)


def test_places_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in ("file", "file/below", "file/x.zip"):
        with pytest.raises(SceneError, match=r"cannot write .*; name another place with --out"):
            render(Wanted("empty"), ART, tmp_path / place)
    with pytest.raises(SceneError, match="cannot write"):
        write_gallery(ART, tmp_path / "file" / "gallery.html")


def test_a_zip_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "p.zip.part").write_text("precious")

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render(Wanted("empty"), ART, tmp_path / "p.zip", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["p.zip.part"]


def test_a_baselines_card_claims_no_scene(tmp_path: Path) -> None:
    render(Wanted("unrelated"), ART, tmp_path)
    card = (tmp_path / "CARD.md").read_text(encoding="utf-8")
    assert "Twemoji" not in card
    assert "A boy" not in card


def test_the_gallery_is_one_page_with_everything(tmp_path: Path) -> None:
    text = write_gallery(ART, tmp_path).read_text(encoding="utf-8")
    assert text.count("<img ") == 3 + 3 + 4 + 2 + 3 + 6 + 13 + 128
    assert 'src="http' not in text
    assert "script" not in text
    for figure in (*range(5, 17),):
        assert f"(like Figure {figure})" in text
    assert "CC BY 4.0" in text
