"""Answers are taken up again where everything is the same, and never where anything is not."""

import csv
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

import pytest
from PIL import Image

from deixis.errors import SignatureError
from deixis.experiments.experiment import Design
from deixis.experiments.pictures import pictures
from deixis.participants.participant import Abilities, Participant
from deixis.participants.registry import Setting, build
from deixis.records import AnswerMode, Example, Prompt, Response, Trial
from deixis.runs.run import Asked
from deixis.runs.session import designs, request, run
from deixis.store import RunFolder
from tests.runs.scripted import Quiet

NAME = "scripted/model"
Draw = Callable[[str], bytes]


class Counting:
    """Says the first option and keeps what it was asked, its samplings' seeds among it."""

    id = NAME
    abilities = Abilities(pictures=True, choose=True)
    identity = {"weights": "none"}  # noqa: RUF012

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        for prompt in prompts:
            self.asked.append(prompt)
            yield Response(prompt.trial_id, text=prompt.options[0], picture=prompt.picture)

    def close(self) -> None: ...


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """The model that a run asks under the name of one behind an API."""
    participant = Counting()

    def built(name: str, trials: Sequence[Trial], seed: int, setting: Setting, draw: Draw | None = None) -> Participant:
        return participant if name == NAME else build(name, trials, seed, setting, draw)

    monkeypatch.setattr("deixis.runs.session.build", built)
    monkeypatch.setattr("deixis.runs.session.check_ready", lambda name, setting: None)
    monkeypatch.setattr("deixis.runs.session.abilities", lambda name, setting: Counting.abilities)
    return participant


def asked(out: Path, change: Callable[[Prompt], Prompt] | None = None, **changes: object) -> list[Asked]:
    """Which object is in the square, 128 pictures; ``change`` makes its prompts others."""
    settings: dict[str, object] = {
        "experiments": ("checks",),
        "participants": (NAME,),
        "conditions": ("object",),
        "protocol": "corrected",
        "mode": AnswerMode.GENERATE,
        "items": None,
        "limit": None,
        "out": out,
        "seed": 0,
        "settings": {},
        "setting": Setting(),
        "canary": False,
    }
    made = request(**{**settings, **changes})  # type: ignore[arg-type]
    planned = designs(made)
    return run(made, [_changed(design, change) for design in planned] if change else planned, Quiet())


def _changed(design: Design, change: Callable[[Prompt], Prompt]) -> Design:
    return replace(design, pairs=lambda: ((trial, change(prompt)) for trial, prompt in design.pairs()))


def content(out: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_the_same_command_asks_nothing_however_often_it_comes(tmp_path: Path, counting: Counting) -> None:
    asked(tmp_path)
    assert len(counting.asked) == len({prompt.trial_id for prompt in counting.asked}) == 128
    before = content(tmp_path)
    for _ in range(3):
        assert {turn.new for turn in asked(tmp_path)} == {0}
    assert len(counting.asked) == 128
    assert content(tmp_path) == before


def test_another_folder_is_another_run_with_the_same_questions(tmp_path: Path, counting: Counting) -> None:
    asked(tmp_path / "one")
    asked(tmp_path / "other")
    assert counting.asked[:128] == counting.asked[128:]
    one, other = (
        RunFolder(tmp_path / name).design("checks-object").answers(NAME).path.read_bytes() for name in ("one", "other")
    )
    assert one == other


OTHERWISE: tuple[tuple[dict[str, object], str], ...] = (
    ({"protocol": "published"}, "protocol was 'corrected' and is now 'published'"),
    ({"seed": 1}, "seed was 0 and is now 1"),
    ({"mode": AnswerMode.CHOOSE}, "answer was 'generate' and is now 'choose'"),
    ({"settings": {"boy": "right"}}, "boy was 'left' and is now 'right'"),
    ({"settings": {"order": "fixed"}}, "order was 'counterbalanced' and is now 'fixed'"),
)


def test_what_is_asked_otherwise_is_refused(tmp_path: Path, counting: Counting) -> None:
    asked(tmp_path)
    before = content(tmp_path)
    for changes, told in OTHERWISE:
        with pytest.raises(SignatureError, match=told):
            asked(tmp_path, **changes)  # type: ignore[arg-type]
    assert len(counting.asked) == 128
    assert content(tmp_path) == before


CHANGES: dict[str, Callable[[Prompt], Prompt]] = {
    "user": lambda p: replace(p, user=p.user.replace("?", " ?", 1) + "\n"),
    "system": lambda p: replace(p, system="You are a helpful assistant."),
    "then": lambda p: replace(p, then="Which?"),
    "picture": lambda p: replace(p, picture=str(p.picture)[::-1]),
    "examples": lambda p: replace(p, examples=(Example("The cup is in the square."),)),
    "options": lambda p: replace(p, options=p.options[::-1]),
    "temperature": lambda p: replace(p, temperature=0.7),
    "max_tokens": lambda p: replace(p, max_tokens=p.max_tokens + 1),
    "shared": lambda p: replace(p, shared=(1,)),
    "seed": lambda p: replace(p, seed=p.seed + 1),
    "trial_id": lambda p: replace(p, trial_id=f"{p.trial_id}/x"),
}
"""Every part of what a participant gets, changed in the smallest way."""


def test_every_part_of_a_prompt_has_a_change() -> None:
    assert set(CHANGES) == {field.name for field in fields(Prompt)}


def test_a_wording_a_picture_or_a_sampling_that_changed_is_refused(tmp_path: Path, counting: Counting) -> None:
    """As after an upgrade that says nothing of it: the table's hash tells, though every name is the same."""
    asked(tmp_path)
    for change in CHANGES.values():
        with pytest.raises(SignatureError, match=r"made otherwise: data was '\w+' and is now '\w+'; name another"):
            asked(tmp_path, change)
    assert len(counting.asked) == 128


def test_one_letter_in_one_of_the_questions_is_enough(tmp_path: Path, counting: Counting) -> None:
    asked(tmp_path)
    last = counting.asked[-1].trial_id
    with pytest.raises(SignatureError, match="data was"):
        asked(tmp_path, lambda p: replace(p, user=p.user.replace("e", "é", 1)) if p.trial_id == last else p)


def test_drawings_made_anew_in_the_same_folder_are_refused(tmp_path: Path, counting: Counting) -> None:
    art, out = tmp_path / "art", tmp_path / "run"
    art.mkdir()
    names = ("cup", "hat", "pen", "toy")
    with (art / "manifest.csv").open("w", newline="", encoding="utf-8") as table:
        rows = [("group", "name", "plural", "article", "file"), *((1, n, f"{n}s", "a", f"{n}.png") for n in names)]
        csv.writer(table).writerows(rows)
    for place, name in enumerate(names):
        Image.new("RGB", (30, 30), (50 * place, 90, 120)).save(art / f"{name}.png")

    def in_a_new_process() -> list[Asked]:
        pictures.cache_clear()  # a process opens a folder once
        return asked(out, settings={"art": str(art)})

    in_a_new_process()
    first = [prompt.picture for prompt in counting.asked]
    Image.open(art / "cup.png").save(art / "cup.png", compress_level=0)  # other bytes, the same pixels
    in_a_new_process()
    assert len(counting.asked) == len(first) == 4
    with Image.open(art / "cup.png") as image:
        image.putpixel((15, 15), (255, 255, 255))
        image.save(art / "cup.png")
    with pytest.raises(SignatureError, match=r"items was '.*art \(\w+\)' and is now '.*art \(\w+\)'; data was"):
        in_a_new_process()
    assert len(counting.asked) == 4


def test_a_model_that_is_known_otherwise_is_refused(
    tmp_path: Path, counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(tmp_path)
    for identity in ({"weights": "other"}, {"weights": "none", "template": "other"}, {}):
        monkeypatch.setattr(counting, "identity", identity)
        with pytest.raises(SignatureError, match=r"(weights|template) was .* and is now"):
            asked(tmp_path)
    assert len(counting.asked) == 128


def test_another_version_of_the_program_is_refused(
    tmp_path: Path, counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(tmp_path)
    monkeypatch.setattr("deixis.runs.run.__version__", "99.0")
    with pytest.raises(SignatureError, match=r"deixis was '.*' and is now '99.0'"):
        asked(tmp_path)


def test_a_model_file_of_the_same_name_with_other_bytes_is_refused(
    tmp_path: Path, few_items: Path, smollm2: Path
) -> None:
    path = tmp_path / "m.gguf"
    shutil.copyfile(smollm2, path)

    def turn() -> Asked:
        return asked(
            tmp_path / "run",
            experiments=("indexicals",),
            conditions=("classic",),
            participants=(f"gguf:{path}",),
            items=few_items,
            limit=1,
        )[-1]

    first = turn()
    assert (first.participant, first.new) == ("gguf:m.gguf", 1)
    with path.open("r+b") as file:
        file.seek(-1, 2)
        (last,) = file.read(1)
        file.seek(-1, 2)
        file.write(bytes([last ^ 1]))
    with pytest.raises(SignatureError, match=r"weights was '\w{16}' and is now '\w{16}'"):
        turn()
