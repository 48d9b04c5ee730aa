"""Pictures of one's own on their way to a provider: what arrives has the pixels that were meant.

They come in twice: as drawings of objects, ``--set art=FOLDER``, and as files that a ``draw`` of one's own returns.
"""

import csv
import gc
import io
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from deixis.errors import SceneError
from deixis.experiments import experiment
from deixis.participants.registry import Setting
from deixis.records import AnswerMode, Example, Prompt
from deixis.runs.session import designs, request, run
from deixis.scenes.png import key_of
from tests.participants.chat_server import ChatServer
from tests.runs.scripted import Quiet

pytest.importorskip("inspect_ai", reason="needs the package inspect-ai (pip install 'deixis[api]')")
from deixis.participants.api import Api, Client

NAME = "openai-api/scripted/model-x"
Array = NDArray[np.uint8]
Files = Mapping[str, bytes]
"""Name of an object with its suffix, to the file."""
SHADES = np.linspace(20, 235, 6).astype(np.uint8)


def pattern() -> Array:
    """40 high, 60 wide, six blocks of one shade each in RGBA: no turn and no mirror leaves it alike."""
    shades = np.kron(SHADES.reshape(2, 3), np.ones((20, 20), np.uint8))
    return np.stack([shades, 255 - shades, shades // 2, np.full_like(shades, 255)], axis=-1)


def grey() -> Array:
    found = pattern()
    found[..., 1] = found[..., 2] = found[..., 0]
    return found


def holed(rgba: Array) -> Array:
    """The first block is not to be seen."""
    found = rgba.copy()
    found[:20, :20, 3] = 0
    return found


def saved(image: Image.Image, kind: str = "PNG", **settings: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **settings)
    return file.getvalue()


def plain(rgba: Array) -> bytes:
    """What is meant, in the one form that leaves no question open: nothing under what is not seen."""
    bare = rgba.copy()
    bare[bare[..., 3] == 0] = 0
    return saved(Image.fromarray(bare))


def palette(rgba: Array) -> Image.Image:
    """The same in a palette, the first block's colour first."""
    colours = [rgba[20 * row, 20 * column, :3] for row in range(2) for column in range(3)]
    index = np.kron(np.arange(6, dtype=np.uint8).reshape(2, 3), np.ones((20, 20), np.uint8))
    image = Image.fromarray(index, "L")
    image.putpalette(np.concatenate(colours).tobytes())
    return image


def sixteen(rgba: Array, channels: int) -> bytes:
    """A PNG of 16 bits a channel, written by hand: 3 RGB, 4 RGBA."""
    rows, columns, _ = rgba.shape
    wide = np.repeat(rgba[..., :channels], 2, axis=-1).reshape(rows, -1)  # v * 257: both bytes the same
    raw = np.hstack([np.zeros((rows, 1), np.uint8), wide]).tobytes()
    head = struct.pack(">IIBBBBB", columns, rows, 16, {3: 2, 4: 6}[channels], 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(raw)), (b"IEND", b"")]
    parts = [struct.pack(">I", len(d)) + kind + d + struct.pack(">I", zlib.crc32(kind + d)) for kind, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


_RGB, _GREY = pattern()[..., :3], grey()[..., 0]
_HALF = (_GREY > 128).astype(np.uint8) * 255
ODD: Mapping[str, tuple[bytes, Array]] = {
    "cup.png": (saved(palette(pattern())), pattern()),
    "hat.png": (saved(palette(pattern()), transparency=0), holed(pattern())),
    "pen.png": (saved(palette(pattern()), transparency=bytes([0, 255, 255, 255, 255, 255])), holed(pattern())),
    "toy.png": (saved(Image.fromarray(_RGB), transparency=tuple(_RGB[0, 0].tolist())), holed(pattern())),
    "bag.png": (saved(Image.fromarray(_GREY)), grey()),
    "key.png": (saved(Image.fromarray(_GREY), transparency=int(_GREY[0, 0])), holed(grey())),
    "map.png": (saved(Image.fromarray(holed(grey())).convert("LA")), holed(grey())),
    "saw.png": (saved(Image.fromarray(holed(pattern()))), holed(pattern())),
    "axe.png": (saved(Image.fromarray(_HALF).convert("1")), np.dstack([_HALF] * 3 + [np.full_like(_HALF, 255)])),
    "bed.png": (sixteen(pattern(), 3), pattern()),
    "car.png": (sixteen(holed(pattern()), 4), holed(pattern())),
    "fan.gif": (saved(palette(pattern()), "GIF"), pattern()),
}
"""Own files with the pixels that each means."""
TURNS: Mapping[int, Callable[[Array], Array]] = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: lambda a: np.rot90(a, 1),
}
"""What an orientation in EXIF asks for, from the definition of its value: where row 0 and column 0 are to be."""


def folder(path: Path, files: Files) -> Path:
    path.mkdir()
    with (path / "manifest.csv").open("w", newline="", encoding="utf-8") as table:
        writer = csv.writer(table)
        writer.writerow(["group", "name", "plural", "article", "file"])
        for place, (name, data) in enumerate(files.items()):
            (path / name).write_bytes(data)
            noun = name.partition(".")[0]
            writer.writerow([1 + place // 4, noun, f"{noun}s", "a", name])
    return path


def key_in(file: bytes) -> str:
    with Image.open(io.BytesIO(file)) as image:
        return key_of(np.asarray(image.convert("RGB")))


def meant(art: Path) -> dict[str, str]:
    """The pictures of the checks by trial, with a set of drawings."""
    prompts = experiment("checks").design(None, "object", settings={"art": str(art)}).prompts
    return {prompt.trial_id: str(prompt.picture) for prompt in prompts}


def arrived(art: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The same as ``deixis run --set art=FOLDER`` sends them; by the trial whose answer names the picture."""
    monkeypatch.setenv("SCRIPTED_API_KEY", "none")
    with ChatServer() as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        made = request(
            experiments=["checks"],
            participants=[NAME],
            conditions=["object"],
            protocol="corrected",
            mode=AnswerMode.GENERATE,
            items=None,
            limit=None,
            out=out,
            seed=0,
            settings={"art": str(art)},
            setting=Setting(client=Client(1)),
            canary=False,
        )
        planned = designs(made)
        prompts = planned[0].prompts
        run(made, planned, Quiet())
        came = {(one.text, key_in(file)) for one in server.requests for file in one.pictures}
    assert len(came) == len(prompts)
    return {p.trial_id: key for p in prompts for text, key in came if text == p.user and key == p.picture}


def test_own_drawings_in_every_kind_of_file_arrive_as_they_are_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Palettes, greys and 16 bits, each with and without transparency: the same pixels as plain RGBA."""
    odd = folder(tmp_path / "odd", {name: file for name, (file, _) in ODD.items()})
    bare = folder(
        tmp_path / "bare", {f"{name.partition('.')[0]}.png": plain(pixels) for name, (_, pixels) in ODD.items()}
    )
    came = arrived(odd, tmp_path / "run", monkeypatch)
    assert came == meant(odd)
    assert came == meant(bare)
    assert len(set(came.values())) == len(ODD)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_own_photographs_arrive_upright_however_they_were_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """All eight orientations of EXIF, 6 (a telephone held upright) and 2 (a mirror) among them."""
    names = ["cup", "hat", "pen", "toy", "bag", "key", "map", "saw"]
    held, upright = {}, {}
    for name, (orientation, turn) in zip(names, TURNS.items(), strict=True):
        exif = Image.Exif()
        exif[0x0112] = orientation
        file = saved(Image.fromarray(_RGB), kind, exif=exif)
        with Image.open(io.BytesIO(file)) as image:
            assert image.getexif()[0x0112] == orientation
            decoded = np.asarray(image)
        held[f"{name}.{kind.lower()}"] = file
        upright[f"{name}.png"] = saved(Image.fromarray(np.ascontiguousarray(turn(decoded))))
    art = folder(tmp_path / "held", held)
    came = arrived(art, tmp_path / "run", monkeypatch)
    assert came == meant(art)
    assert came == meant(folder(tmp_path / "upright", upright))


def test_grey_of_16_bits_is_refused_since_it_would_lose_half(tmp_path: Path) -> None:
    files = {f"{name}.png": plain(pattern()) for name in ("cup", "hat", "pen")}
    deep = saved(Image.fromarray(np.full((9, 9), 30_000, np.uint16)))
    with pytest.raises(SceneError, match="has more than 8 bits a channel"):
        meant(folder(tmp_path / "deep", {**files, "toy.png": deep}))


def sent(pictures: Mapping[str, bytes], prompts: list[Prompt], monkeypatch: pytest.MonkeyPatch) -> list[list[bytes]]:
    """What a ``draw`` of one's own is made to, question by question."""
    monkeypatch.setenv("SCRIPTED_API_KEY", "none")
    with ChatServer() as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        participant = Api(NAME, pictures.__getitem__, Client(1))
        try:
            answers = list(participant.respond(prompts, AnswerMode.GENERATE))
        finally:
            participant.close()
        assert [answer.error for answer in answers] == [None] * len(prompts)
        assert [answer.picture for answer in answers] == [prompt.picture for prompt in prompts]
        return [received.pictures for received in server.requests]


def asked(name: str, picture: str, examples: tuple[Example, ...] = ()) -> Prompt:
    return Prompt(name, "", f"What is {name}?", ("a", "b"), picture=picture, examples=examples)


def test_files_that_a_draw_of_ones_own_returns_arrive_byte_for_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody in between makes them anew, so that a hash of their pixels stays true, whatever is in them."""
    files = {name: file for name, (file, _) in ODD.items() if name.endswith("png")}
    exif = Image.Exif()
    exif[0x0112] = 6
    files["turned"] = saved(Image.fromarray(_RGB), exif=exif)
    files["large"] = saved(Image.fromarray(np.random.default_rng(0).integers(0, 256, (1200, 1600, 3), np.uint8)))
    by_key = {f"{key_in(file)}/{name}": file for name, file in files.items()}
    prompts = [asked(key, key) for key in by_key]
    came = sent(by_key, prompts, monkeypatch)
    assert came == [[file] for file in by_key.values()]
    assert [key_in(file) for (file,) in came] == [str(prompt.picture).partition("/")[0] for prompt in prompts]


def test_pictures_of_examples_come_before_that_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    by_key = {key_in(file): file for file in (ODD[name][0] for name in ("cup.png", "bag.png", "axe.png"))}
    first, second, third = by_key
    prompt = asked("x", third, (Example("one", first), Example("two", second), Example("none")))
    assert sent(by_key, [prompt], monkeypatch) == [list(by_key.values())]


def test_pictures_are_let_go_once_they_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of 150,000 would fill the memory with what a client keeps of each call."""
    from inspect_ai.model import ContentImage

    files = {str(n): saved(Image.fromarray(np.full((9, 9, 3), n, np.uint8))) for n in range(60)}
    monkeypatch.setenv("SCRIPTED_API_KEY", "none")
    with ChatServer() as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        participant = Api(NAME, files.__getitem__, Client(2))
        answers = participant.respond([asked(name, name) for name in files], AnswerMode.GENERATE)
        assert sum(next(answers).error is None for _ in files) == 60
        gc.collect()
        kept = sum(isinstance(thing, ContentImage) for thing in gc.get_objects())
        answers.close()  # type: ignore[attr-defined]
        participant.close()
    assert kept < 15
