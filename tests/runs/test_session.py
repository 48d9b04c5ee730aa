"""What a user asks for, with the defaults filled in."""

from pathlib import Path

import pytest

from deixis.errors import ParticipantError, UsageError
from deixis.participants.hf_load import HfSetting
from deixis.participants.registry import Setting, references
from deixis.records import AnswerMode
from deixis.runs.session import Request, designs, request, run
from deixis.scoring.results import read_results
from tests.runs.scripted import Quiet


def asked(**changes: object) -> Request:
    settings: dict[str, object] = {
        "experiments": (),
        "participants": (),
        "conditions": (),
        "protocol": "corrected",
        "mode": AnswerMode.GENERATE,
        "items": None,
        "limit": None,
        "out": None,
        "seed": 0,
        "settings": {},
        "setting": Setting(),
    }
    return request(**{**settings, **changes})  # type: ignore[arg-type]


def test_nothing_named_is_the_tour() -> None:
    tour = asked()
    assert (tour.experiments, tour.participants, tour.limit) == (("indexicals",), ("gguf:smollm2",), 160)
    assert tour.out == Path("runs/indexicals-bank-corrected-generate")


def test_anything_named_is_asked_whole() -> None:
    assert asked(experiments=("indexicals",)).limit is None
    assert asked(participants=("strategy:oracle",)).limit is None
    assert asked(items=Path("x/my.csv"), mode=AnswerMode.CHOOSE).out == Path("runs/indexicals-my-corrected-choose")
    assert asked(out=Path("there"), limit=3).out == Path("there")


@pytest.mark.parametrize(
    ("changes", "fault", "words"),
    [
        ({"experiments": ("indexical",)}, UsageError, "unknown experiment 'indexical'"),
        ({"participants": ("strategy:x",)}, ParticipantError, "unknown participant 'strategy:x'"),
        ({"limit": 0}, UsageError, "--limit 0 asks nothing"),
        ({"setting": Setting(threads=0)}, UsageError, "--threads 0 cannot work"),
        ({"setting": Setting(hf=HfSetting(batch=0))}, UsageError, "--batch-size 0 cannot work"),
    ],
)
def test_bad_requests_are_refused_at_once(changes: dict[str, object], fault: type[Exception], words: str) -> None:
    with pytest.raises(fault) as caught:
        asked(**changes)
    assert words in str(caught.value)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "m.gguf" for folder in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.touch()
    with pytest.raises(UsageError, match="two participants would both be called 'gguf:m.gguf'"):
        asked(participants=tuple(f"gguf:{path}" for path in paths))


def test_every_reference_participant_comes_along(tmp_path: Path, few_items: Path) -> None:
    changes = {"conditions": ("classic",), "items": few_items, "out": tmp_path, "limit": 4}
    wanted = asked(participants=("strategy:oracle",), **changes)
    turns = run(wanted, designs(wanted), Quiet())
    assert [turn.participant for turn in turns] == list(references("indexicals"))
    assert {turn.new for turn in turns} == {192}
    (results,) = read_results(tmp_path)
    assert set(results.references) == {name.partition(":")[2] for name in references("indexicals")}
    assert all(row.score.credit == 1 for row in results.references["oracle"].rows)
