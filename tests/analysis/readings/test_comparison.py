"""Two readings of one run: what changed, with both denominators and examples of every kind."""

from pathlib import Path

import pytest

from deixis.analysis.readings.comparison import compare, comparison_lines
from deixis.records import Response, Trial
from deixis.scoring.reading import VERSIONS
from deixis.scoring.results import read_results
from deixis.scoring.ways import Way
from tests.scoring.bench import NAME, VAGUE, Judge, design, judged, run_of


def contradictory(trial: Trial) -> str | Response:
    """Denies one option and settles on another; every fourth answer is vague, every other fourth empty."""
    place = design().trials.index(trial) % 4
    right, wrong = trial.options[trial.answer].text, trial.options[(trial.answer + 1) % 4].text
    denied = f'Not "{wrong}". The answer is "{right}".'
    return [denied, f"{right}.", VAGUE, ""][place]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(tmp_path_factory.mktemp("comparison"), contradictory)


def lines(run: Path, one: Way, other: Way, examples: int = 3) -> list[str]:
    (first,), (second,) = (list(read_results(run, way)) for way in (one, other))
    return comparison_lines(first.name, list(compare(first, second)), examples)


def test_what_two_readers_take_otherwise(run: Path) -> None:
    told = lines(run, Way("strict"), Way("published"))
    kinds = [line.split(maxsplit=1) for line in told if " → " in line]
    assert sum(int(count) for count, _ in kinds) == int(told[1].split(": ")[1].split()[0])
    assert {kind for _, kind in kinds} <= {"right → wrong", "wrong → right", "unreadable → right", "unreadable → wrong"}
    assert "right → wrong" in {kind for _, kind in kinds}
    strict, published = (line for line in told if "accuracy" in line)
    assert strict.startswith(f"  {VERSIONS['strict']}: accuracy 0.500 over 128, 1.000 over the 64 readable; ")
    assert "unreadable 32, empty 32" in strict
    assert published.startswith("  published-1: accuracy 0.")
    assert sum(line.startswith("  possessive/") for line in told) == 3
    example = next(place for place, line in enumerate(told) if line.startswith("  possessive/"))
    assert 'Not \\"' in told[example] or 'Not "' in told[example]
    assert "right '" in told[example + 1]
    assert "wrong '" in told[example + 2]
    assert "(substring)" in told[example + 2]


def test_the_number_of_examples_is_asked_for(run: Path) -> None:
    assert not any("possessive/" in line for line in lines(run, Way("strict"), Way("published"), 0))
    assert sum("possessive/" in line for line in lines(run, Way("strict"), Way("published"), 7)) == 7


def test_a_reading_beside_itself_changes_nothing(run: Path) -> None:
    told = lines(run, Way("strict"), Way())
    assert told == [
        "possessive-picture-none:",
        "nothing changed for 1 participants (openai-api/scripted/model-x among them)",
    ]


def test_a_judge_beside_the_reader(tmp_path: Path) -> None:
    run = run_of(tmp_path, contradictory)
    replies = iter(["VERDICT: NONE", "VERDICT: REFUSED", "VERDICT: A", "nonsense"] * 8)
    judged(run, Judge(lambda _prompt: next(replies)))
    told = lines(run, Way(), Way(judge=NAME), 30)
    kinds = dict(reversed(line.split(maxsplit=1)) for line in told if " → " in line)
    assert kinds["unreadable → refused"] == "8"
    assert int(kinds.get("unreadable → right", 0)) + int(kinds.get("unreadable → wrong", 0)) == 8
    assert told[1].endswith("16 of 128 read otherwise")
    assert any(f"+judge-1:{NAME}: refused (judge)" in line for line in told)
    assert any(f"+judge-1:{NAME}: accuracy 0.5" in line for line in told)


def test_a_judge_of_every_text_leaves_what_it_failed_on_out(tmp_path: Path) -> None:
    run = run_of(tmp_path, contradictory, count=16)
    judged(run, Judge(lambda _prompt: "nonsense"), every=True)
    told = lines(run, Way(), Way(judge=NAME, every=True))
    assert any(line.startswith(f"  judge-1:{NAME}: accuracy ") and "errored" in line for line in told)
