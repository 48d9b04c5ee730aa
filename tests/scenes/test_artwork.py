"""Pictures of objects: installed sets, and folders of one's own with everything that can be wrong with them."""

import csv
import io
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.errors import SceneError
from deixis.scenes.drawing.artwork import Folder, artwork
from deixis.scenes.drawing.layout import OBJECT, TILE, TILE_TOP, tile_left
from deixis.scenes.drawing.rooms import TABLE
from deixis.scenes.picture import Picture, for_models
from deixis.scenes.png import key_of
from deixis.scenes.raster import Pixels, pixels
from deixis.scenes.space import scenes
from deixis.scenes.studio import Studio

NAMES = ("cup", "hat", "pen", "toy")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#102030"/></svg>'
Rows = list[dict[str, str]]


def manifest(folder: Path, rows: Rows) -> None:
    with (folder / "manifest.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["group", "name", "plural", "article", "file"])
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    """A sound folder of four SVG drawings; its rows."""
    for name in NAMES:
        (tmp_path / f"{name}.svg").write_text(SVG)
    found = [
        {"group": "1", "name": name, "plural": f"{name}s", "article": "a", "file": f"{name}.svg"} for name in NAMES
    ]
    manifest(tmp_path, found)
    return found


def tile(studio: Studio, place: int) -> Pixels:
    with Image.open(io.BytesIO(studio.png(Picture("room", NAMES)))) as image:
        left = tile_left("even", place)
        return np.asarray(image)[TILE_TOP : TILE_TOP + TILE, left : left + TILE]


def test_the_installed_sets_have_every_object() -> None:
    for name in ("twemoji", "openmoji"):
        try:
            art = artwork(name)
            _ = art.version
        except SceneError as error:
            pytest.skip(str(error))
        for thing in art.things.things:
            assert art.draw(thing, 0, 0).startswith("<svg")
        assert art.attribution.startswith("Object pictures: ")
        assert art.licence.startswith("CC BY")


def test_a_set_that_is_not_there_is_named() -> None:
    with pytest.raises(SceneError, match="no pictures 'emoji'; there is twemoji, openmoji, or give a folder"):
        artwork("emoji")
    with pytest.raises(SceneError, match="no pictures ''"):
        artwork("")


def test_a_folder_of_ones_own_serves_every_task(tmp_path: Path, rows: Rows) -> None:
    (tmp_path / "ATTRIBUTION.txt").write_text("Drawn by hand.\n")
    art = Folder(tmp_path)
    studio = Studio(art)
    assert art.attribution == "Drawn by hand."
    assert len(art.version) == 16
    every = list(scenes("vocabulary", art.things))
    assert len(every) == 12 * 4 * 4
    assert every[0].objects[0] in NAMES
    assert len(studio.key(for_models(every[0]))) == 64
    assert (tile(studio, 0)[TILE // 2, TILE // 2] == [0x10, 0x20, 0x30]).all()


def png(path: Path, image: Image.Image, **settings: object) -> None:
    image.save(path, **settings)  # type: ignore[arg-type]


def test_odd_pictures_are_read_as_they_look(tmp_path: Path, rows: Rows) -> None:
    """A tall one with transparency, a palette, an EXIF rotation, a grey one: upright, unstretched, in their colours."""
    tall = Image.new("RGBA", (50, 200), (0, 0, 0, 0))
    tall.paste((200, 0, 0, 255), (0, 0, 50, 100))
    png(tmp_path / "cup.png", tall)
    png(tmp_path / "hat.png", Image.new("RGB", (30, 30), (0, 0, 255)).convert("P"))
    turned = Image.new("RGB", (200, 100), (10, 10, 10))
    turned.paste((250, 250, 0), (0, 0, 20, 100))  # a yellow left edge, which the tag turns into the upper one
    exif = Image.Exif()
    exif[0x0112] = 6
    png(tmp_path / "pen.png", turned, exif=exif)
    png(tmp_path / "toy.png", Image.new("L", (1, 1), 128))
    for row in rows:
        row["file"] = row["file"].replace("svg", "png")
    manifest(tmp_path, rows)
    studio = Studio(Folder(tmp_path))
    cloth = [int(TABLE[i : i + 2], 16) for i in (1, 3, 5)]
    middle = TILE // 2
    first = tile(studio, 0)
    assert (first[middle - 20, middle] == [200, 0, 0]).all()
    assert (first[middle + 20, middle] == cloth).all()  # its transparent half
    assert (first[middle, middle - 30] == cloth).all()  # not stretched
    assert (tile(studio, 1)[middle, middle] == [0, 0, 255]).all()
    third = tile(studio, 2)
    assert (third[12, middle] == [250, 250, 0]).all()
    assert (third[middle, middle] == [10, 10, 10]).all()
    assert (third[middle, middle - 40] == cloth).all()  # upright: 100 wide, 200 high
    assert (tile(studio, 3)[middle, middle] == [128, 128, 128]).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"file": "none.svg"}, "no file"),
        ({"file": "../cup.svg"}, "lies outside"),
        ({"file": "broken.png"}, "cannot read the picture"),
        ({"file": "broken.svg"}, "is no SVG"),
        ({"file": "text.svg"}, "has text, which needs a font"),
        ({"file": "linked.svg"}, "refers to another file"),
        ({"file": "sizeless.svg"}, "has no size; give it a viewBox"),
        ({"file": "huge.png"}, "give it fewer than 40 million"),
        ({"file": "bomb.png"}, "give it fewer than 40 million"),
        ({"file": "deep.svg"}, "has more than 200 elements within one another"),
        ({"file": "empty.svg"}, "shows nothing"),
        ({"file": "clear.png"}, "shows nothing"),
        ({"file": "narrow.png"}, "is 1 x 4000, too narrow to be seen"),
        ({"file": "sixteen.png"}, "has more than 8 bits a channel"),
        ({"file": "single.svg"}, "refers to another file, 'other.svg#a'"),
        ({"file": "style.svg"}, "refers to another file"),
        ({"file": "page.svg"}, "its root is 'html'"),
        ({"file": "nul\0"}, "no file can be called"),
        ({"file": "x" * 400}, "no file"),
        ({"group": "²"}, "row 1 has the group '²'"),
        ({"name": ""}, "row 1 has nothing in name"),
        ({"group": "one"}, "row 1 has the group 'one'"),
        ({"name": "pen"}, "has the object 'pen' twice"),
        ({"name": "pencil"}, "has 'pen' inside 'pencil' in group 1"),
        ({"group": "2"}, "has 3 objects in group 1; a group has 4"),
    ],
)
def test_what_is_wrong_with_a_folder_is_one_line(
    tmp_path: Path, rows: Rows, change: dict[str, str], words: str
) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    (tmp_path / "broken.svg").write_text("<svg")
    (tmp_path / "text.svg").write_text('<svg viewBox="0 0 9 9"><text>cup</text></svg>')
    (tmp_path / "linked.svg").write_text('<svg viewBox="0 0 9 9"><use href="other.svg#a"/></svg>')
    (tmp_path / "sizeless.svg").write_text("<svg><rect/></svg>")
    (tmp_path / "deep.svg").write_text(f'<svg viewBox="0 0 9 9">{"<g>" * 9999}{"</g>" * 9999}</svg>')
    (tmp_path / "empty.svg").write_text('<svg viewBox="0 0 9 9"/>')
    (tmp_path / "single.svg").write_text("<svg viewBox='0 0 9 9'><use href='other.svg#a'/></svg>")
    (tmp_path / "style.svg").write_text('<svg viewBox="0 0 9 9"><style>@import "x.css";</style></svg>')
    (tmp_path / "page.svg").write_text("<html/>")
    Image.new("RGBA", (9, 9)).save(tmp_path / "clear.png")
    Image.new("RGB", (1, 4000)).save(tmp_path / "narrow.png")
    Image.new("I;16", (9, 9), 30_000).save(tmp_path / "sixteen.png")
    if change.get("file") == "huge.png":
        Image.new("1", (8000, 6000)).save(tmp_path / "huge.png")
    if change.get("file") == "bomb.png":
        header = (60_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
        chunk = b"IHDR" + header
        parts = [b"\x89PNG\r\n\x1a\n"]
        for part, length in ((chunk, 13), (b"IDAT", 0), (b"IEND", 0)):
            parts += [length.to_bytes(4, "big"), part, zlib.crc32(part).to_bytes(4, "big")]
        (tmp_path / "bomb.png").write_bytes(b"".join(parts))
    rows[0] |= change
    manifest(tmp_path, rows)
    with pytest.raises(SceneError) as caught:
        Folder(tmp_path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_manifest_is_said(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="a folder of pictures has a table of that name"):
        Folder(tmp_path)
    for raw, words in (
        (b"group;name;plural;article;file\n", "lacks the columns group, name, plural, article, file"),
        ("group,name,plural,article,file\n1,caf\xe9,x,a,x.svg\n".encode("latin-1"), "is not text in UTF-8"),
        (b'group,name,plural,article,file\n1,"cup\n', "save it as CSV"),
    ):
        (tmp_path / "manifest.csv").write_bytes(raw)
        with pytest.raises(SceneError, match=words):
            Folder(tmp_path)


def test_drawings_keep_their_styles_to_themselves(tmp_path: Path, rows: Rows) -> None:
    """Classes of one name, an inherited fill, a quoted reference: each drawing is rendered alone."""
    for name, colour in zip(NAMES[:2], ("red", "blue"), strict=True):
        (tmp_path / f"{name}.svg").write_text(
            f'<svg viewBox="0 0 9 9"><style>.k{{fill:{colour}}}</style><rect class="k" width="9" height="9"/></svg>'
        )
    (tmp_path / "pen.svg").write_text('<svg viewBox="0 0 9 9" fill="#00ff00"><rect width="9" height="9"/></svg>')
    (tmp_path / "toy.svg").write_text(
        "<svg viewBox='0 0 9 9' stroke-width='3'><defs><linearGradient id='g'><stop stop-color='#ffff00'/>"
        "</linearGradient></defs><rect width='9' height='9' fill=\"url('#g')\"/></svg>"
    )
    studio = Studio(Folder(tmp_path))
    seen = [tile(studio, place)[TILE // 2, TILE // 2].tolist() for place in range(4)]
    assert seen == [[255, 0, 0], [0, 0, 255], [0, 255, 0], [255, 255, 0]]
    picture = Picture("room", NAMES)
    assert key_of(pixels(studio.svg(picture))) == studio.key(picture)


def test_an_svg_without_view_box_has_its_size(tmp_path: Path, rows: Rows) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.svg").write_text(
            '<svg width="20px" height="20"><defs><linearGradient id="a"><stop stop-color="#00f"/></linearGradient>'
            '</defs><rect width="20" height="20" fill="url(#a)"/></svg>'
        )
    studio = Studio(Folder(tmp_path))
    for place in range(4):  # four gradients of one name on one page
        assert (tile(studio, place)[TILE // 2, TILE // 2] == [0, 0, 255]).all()
    assert OBJECT == 104
