"""Tests that look: what is where in the pixels, that shortcuts give the same pixels, and the same everywhere."""

import io
import subprocess
import sys
import zlib
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from deixis.errors import SceneError
from deixis.scenes.drawing.document import document
from deixis.scenes.drawing.layout import BUBBLE, CENTRES, HEIGHT, LABEL_Y, TILE, TILE_TOP, WIDTH, above, eyes, tile_left
from deixis.scenes.drawing.letters import written
from deixis.scenes.drawing.rooms import BACKGROUNDS, TABLE
from deixis.scenes.drawing.signs import BLINK, GREEN, RED, gaze
from deixis.scenes.drawing.unrelated import POOL
from deixis.scenes.picture import Picture, empty, for_comprehension, for_models, for_people
from deixis.scenes.png import key_of
from deixis.scenes.raster import Pixels, pixels
from deixis.scenes.scene import SIDES, TASKS, Scene
from deixis.scenes.space import sample, scenes
from deixis.scenes.studio import Studio

STUDIO = Studio()
PAIRS = Scene("possessive", ("broom", "ring"), "aabb", 2, "boy", "girl")
VOCABULARY = Scene("vocabulary", ("apple", "broom", "paperclip", "ring"), "dcba", 1, "girl", "boy")
FOUR = Scene("demonstrative", ("ring",), "aaaa", 3, "boy", "girl", "beach")
SAMPLE = [scene for task in TASKS for scene in sample(list(scenes(task)), task, 6, 0)]
GOLDEN = Path(__file__).with_name("golden.txt")


def seen(picture: Picture) -> Pixels:
    with Image.open(io.BytesIO(STUDIO.png(picture))) as image:
        assert (image.mode, image.size) == ("RGB", (WIDTH, HEIGHT))
        return np.asarray(image)


def where(image: Pixels, colour: str) -> Any:
    """Rows and columns of the pixels that have a colour."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return np.nonzero((image == wanted).all(2))


def pictures() -> list[Picture]:
    found = [for_models(scene, squares) for scene, squares in product(SAMPLE, ("target", "all", "none"))]
    found += [for_people(scene) for scene in SAMPLE] + [for_people(PAIRS, line=False)]
    found += [for_comprehension(scene, "You prefer that one") for scene in SAMPLE[6:]]
    return [*found, empty(), *map(Picture, POOL)]


def test_cut_and_pasted_is_pixel_for_pixel_what_is_drawn_whole() -> None:
    for picture in pictures():
        assert (seen(picture) == pixels(STUDIO.svg(picture))).all(), picture


def test_files_are_sound_and_named_by_their_pixels() -> None:
    for picture in pictures()[::9]:
        content, image = STUDIO.png(picture), seen(picture)
        assert STUDIO.key(picture) == key_of(image)
        data, place = b"", 8
        while place < len(content):
            length = int.from_bytes(content[place : place + 4], "big")
            kind, body = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
            assert int.from_bytes(content[place + 8 + length : place + 12 + length], "big") == zlib.crc32(kind + body)
            data += body if kind == b"IDAT" else b""
            place += 12 + length
        rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(HEIGHT, 1 + 3 * WIDTH)  # checks the Adler sum
        assert (rows[:, 1:].reshape(HEIGHT, WIDTH, 3) == image).all()
        assert not rows[:, 0].any()


@pytest.mark.parametrize("scene", SAMPLE, ids=lambda scene: scene.id())
def test_the_square_is_at_the_target_and_nowhere_else(scene: Scene) -> None:
    picture = for_models(scene)
    rows, columns = where(seen(picture), GREEN)
    left = tile_left(picture.row, scene.target)
    assert (rows.min(), rows.max()) == (TILE_TOP + 1, TILE_TOP + TILE - 2)
    assert (columns.min(), columns.max()) == (left + 1, left + TILE - 2)
    assert len(rows) == 118**2 - 106**2  # a ring six pixels wide
    assert len(where(seen(for_models(scene, "none")), GREEN)[0]) == 0


def test_no_object_background_or_child_has_the_squares_colour() -> None:
    groups = STUDIO.art.things.groups.values()
    for members in groups:
        assert len(where(seen(Picture("room", tuple(t.name for t in members))), GREEN)[0]) == 0
    for background in BACKGROUNDS:
        assert len(where(seen(Picture(background)), GREEN)[0]) == 0


@pytest.mark.parametrize("scene", [PAIRS, VOCABULARY, FOUR], ids=lambda scene: scene.task)
def test_with_all_squares_nothing_overlaps(scene: Scene) -> None:
    picture = for_models(scene, "all")
    image, bare = seen(picture), seen(for_models(scene, "none"))
    lefts = [tile_left(picture.row, place) for place in range(4)]
    assert all(after - before >= TILE + 4 for before, after in zip(lefts, lefts[1:], strict=False))
    assert len(where(image, GREEN)[0]) == 4 * (118**2 - 106**2)
    for left in lefts:
        inside = np.s_[TILE_TOP + 8 : TILE_TOP + TILE - 8, left + 8 : left + TILE - 8]
        assert (image[inside] == bare[inside]).all()
    cloth = [int(TABLE[i : i + 2], 16) for i in (1, 3, 5)]
    between = [*range(lefts[0] + TILE, lefts[1]), lefts[0] - 1, lefts[3] + TILE]
    assert (image[TILE_TOP : TILE_TOP + TILE, between] == cloth).all()


@pytest.mark.parametrize("boy", SIDES)
def test_a_gaze_ends_above_its_target_and_crosses_no_object(boy: str) -> None:
    for row, gazer, target in product(CENTRES, ("boy", "girl"), range(4)):
        picture = Picture("room", ("apple", "broom", "paperclip", "ring"), row, boy, gazer=gazer, target=target)
        with_line, without = seen(picture), seen(Picture("room", picture.objects, row, boy))
        rows, columns = np.nonzero((with_line != without).any(2))
        assert rows.max() < TILE_TOP  # the tiles, and all objects with them, are untouched
        red_rows, red_columns = where(with_line, RED)
        end = red_columns[red_rows >= above(row, target)[1] + 2]
        assert abs(end.mean() - CENTRES[row][target]) < 3
        start = eyes(boy if gazer == "boy" else SIDES[1 - SIDES.index(boy)])
        nearest = np.hypot(rows - start[1], columns - start[0]).min()
        assert nearest < 3
        line = gaze("left" if start[0] < WIDTH / 2 else "right", row, target)
        assert (line.start, line.end) == (start, above(row, target))


@pytest.mark.parametrize(("speaker", "boy"), list(product(("boy", "girl"), SIDES)))
def test_a_bubble_covers_neither_eyes_nor_objects(speaker: str, boy: str) -> None:
    objects = ("apple", "broom", "paperclip", "ring")
    for says in ("", "You prefer that one"):
        with_bubble = seen(Picture("room", objects, boy=boy, speaker=speaker, says=says))
        rows, columns = np.nonzero((with_bubble != seen(Picture("room", objects, boy=boy))).any(2))
        assert rows.max() < min(eyes(side)[1] for side in SIDES) - 30
        assert rows.min() >= BUBBLE[1] - 3
        assert columns.min() > 0
        assert columns.max() < WIDTH - 1
        side = boy if speaker == "boy" else SIDES[1 - SIDES.index(boy)]
        assert bool(columns.mean() < WIDTH / 2) is (side == "left")


def test_labels_are_under_their_objects() -> None:
    for scene in (PAIRS, FOUR):
        with_labels = for_comprehension(scene, "I prefer mine")
        bare = Picture(scene.background, scene.objects, with_labels.row, speaker=scene.speaker, says="I prefer mine")
        rows, columns = np.nonzero((seen(with_labels) != seen(bare)).any(2))
        assert rows.min() >= TILE_TOP + TILE
        for centre in CENTRES[with_labels.row]:
            own = columns[abs(columns - centre) < 30]
            assert abs(own.mean() - centre) < 2
        assert all(min(abs(column - centre) for centre in CENTRES[with_labels.row]) < 20 for column in columns)
        assert abs(rows.mean() - LABEL_Y) < 3


def test_for_models_the_children_depend_on_nobodys_role() -> None:
    for speaker, gazer in product(("boy", "girl"), repeat=2):
        one = Scene(**{**{name: getattr(PAIRS, name) for name in PAIRS.__slots__}, "speaker": speaker, "gazer": gazer})
        assert for_models(one) == for_models(PAIRS)


def test_the_children_stand_at_their_ends_and_face_each_other() -> None:
    """The boy's blue and the girl's pink; mirrored, each is the other end's mirror image."""
    for boy in SIDES:
        image = seen(Picture("room", boy=boy))
        blue, pink = where(image, "#2F7FD1")[1], where(image, "#D6336C")[1]
        assert bool(blue.mean() < WIDTH / 2) is (boy == "left")
        assert bool(pink.mean() < WIDTH / 2) is (boy == "right")
    left, right = seen(Picture("snow", boy="left")), seen(Picture("snow", boy="right"))
    mirrored = right[:, ::-1]
    assert (np.abs(left[200:640, :170].astype(int) - mirrored[200:640, :170]).max(2) > 40).mean() < 0.02


def lab(colours: Any) -> Any:
    """CIE Lab under D65, from sRGB."""
    linear = np.where(colours <= 10.31475, colours / 255 / 12.92, ((colours / 255 + 0.055) / 1.055) ** 2.4)
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    xyz = linear @ np.transpose(to_xyz) / [0.95047, 1, 1.08883]
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack(
        [116 * root[..., 1] - 16, 500 * (root[..., 0] - root[..., 1]), 200 * (root[..., 1] - root[..., 2])], -1
    )


def test_every_object_stands_out_from_the_table() -> None:
    """Of every outline, three pixels wide, nine tenths differ from the cloth by more than 20 in Lab."""
    cloth = np.array([int(TABLE[i : i + 2], 16) for i in (1, 3, 5)], float)
    weakest = {}
    for members in STUDIO.art.things.groups.values():
        image = seen(Picture("room", tuple(thing.name for thing in members)))
        for place, thing in enumerate(members):
            left = tile_left("even", place)
            tile = image[TILE_TOP : TILE_TOP + TILE, left : left + TILE].astype(float)
            solid = np.abs(tile - cloth).max(2) > 0
            # the outer pixel is blended with the cloth: look at the three within it
            inner, rings = solid, []
            for _ in range(4):
                padded = np.pad(inner, 1)
                worn = inner & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
                rings.append(inner & ~worn)
                inner = worn
            outline = rings[1] | rings[2] | rings[3]
            far = np.linalg.norm(lab(tile[outline]) - lab(cloth), axis=1) > 20
            weakest[thing.name] = far.mean()
    assert len(weakest) == 128
    assert min(weakest.values()) > 0.9, min(weakest, key=lambda name: weakest[name])


def test_blinking_is_slow_enough_for_everybody() -> None:
    """WCAG 2.3.1: no more than three flashes a second."""
    assert 1000 / (BLINK.shown_ms + BLINK.hidden_ms) <= 3
    assert min(BLINK.shown_ms, BLINK.hidden_ms) > 0


def test_no_document_needs_a_font_or_another_file() -> None:
    for picture in pictures():
        text = document(picture, STUDIO.art)
        assert "<text" not in text
        assert "font" not in text
        assert 'href="http' not in text
    with pytest.raises(SceneError, match="no strokes for 'ß'"):
        written("heiß", 0, 0, 100)


def test_unknown_backgrounds_are_named() -> None:
    with pytest.raises(SceneError, match="no background 'moon'; there is room, kitchen"):
        STUDIO.png(Picture("moon"))


KINDS = {
    "vocabulary": for_models(VOCABULARY),
    "possessive": for_models(PAIRS),
    "demonstrative": for_models(FOUR),
    "all squares": for_models(PAIRS, "all"),
    "no squares": for_models(PAIRS, "none"),
    "people": for_people(PAIRS),
    "people, no line": for_people(FOUR, line=False),
    "comprehension": for_comprehension(FOUR, "You prefer that one"),
    "boy at the right": for_models(Scene("possessive", ("broom", "ring"), "abab", 0, "boy", "boy", boy="right")),
    "snow": Picture("snow"),
    "empty": empty(),
    "unrelated": Picture("unrelated-waves"),
}


def test_the_same_pixels_as_ever() -> None:
    """A dozen pictures by their keys; a change here is a new version of the pictures."""
    kept = dict(line.split("  ", 1)[::-1] for line in GOLDEN.read_text().splitlines())
    assert {name: STUDIO.key(picture) for name, picture in KINDS.items()} == kept


def test_the_same_pixels_in_another_process_and_order() -> None:
    code = (
        "from tests.scenes.test_pictures import KINDS; from deixis.scenes.studio import Studio; s = Studio();"
        "print({n: s.key(p) for n, p in reversed(KINDS.items())} == "
        + repr({name: STUDIO.key(picture) for name, picture in KINDS.items()})
        + ")"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_4608_pictures_differ_in_their_pixels() -> None:
    """Dong et al., Appendix D, less what cannot be seen: 1,536 a task, no two of them the same to the last pixel."""
    everything: set[str] = set()
    for task in TASKS:
        wanted = list(dict.fromkeys(for_models(scene) for scene in scenes(task)))
        STUDIO.prepare(wanted)
        found = {STUDIO.key(picture) for picture in wanted}
        assert len(found) == 1536
        everything |= found
    assert len(everything) == 4608
