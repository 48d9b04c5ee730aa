"""People who answered a study, made by hand: what export, run folders and joins are tested with."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from deixis.records import Trial
from deixis.study.data.gathering import Gathering, gather, trials_by_key
from deixis.study.database.connection import Connection
from deixis.study.database.opening import open_database
from deixis.study.database.records import COMPLETE, Answer, Person, StoredAnswer
from deixis.study.database.schema import ANSWERS, PEOPLE
from deixis.study.folder import Study, new_study, open_study
from deixis.study.manifest import part_of
from deixis.study.settings import read_plan

Choosing = Callable[[Trial], int | tuple[int, ...]]
TIME = "2026-03-01T10:00:00.000Z"


@cache
def made(design: str) -> Study:
    """A study with nothing to fill in that matters here, made once for all tests."""
    folder = Path(mkdtemp(prefix="deixis-study-")) / "pilot"
    settings: dict[str, str] = {}
    new_study(folder, design, name="pilot", seed=1, people=None, protocol="corrected", settings=settings)
    return open_study(folder)


@cache
def trials_in(folder: str) -> Mapping[str, Trial]:
    """The trials of a study by their keys."""
    return trials_by_key(read_plan(Path(folder)))


def right(trial: Trial) -> int | tuple[int, ...]:
    """Answers as the trial has it."""
    if trial.experiment != "comprehension":
        return trial.answer
    return tuple(7 if place in trial.meant else 1 for place in range(len(trial.options)))


def first(trial: Trial) -> int | tuple[int, ...]:
    """Always the option at the left, or everything alike."""
    return 0 if trial.experiment != "comprehension" else (4, 4, 4, 4)


def somebody(
    study: Study,
    code: str,
    arm: str = "",
    choose: Choosing = right,
    *,
    status: str = COMPLETE,
    mode: str = "live",
    most: int | None = None,
    rt_ms: float = 2500.0,
) -> tuple[Person, list[StoredAnswer]]:
    """Somebody with a list who answered practice, trials and checks, in the person's own order; at most ``most``."""
    manifest = study.manifest
    name = arm or manifest.arms[0].id
    person = Person(
        code, f"token-{code}", mode, status, name, seed=7, arrived_at=TIME, consented_at=TIME, assigned_at=TIME,
        completed_at=TIME if status == COMPLETE else "", consent_sha256="c" * 64, size="1280x800", motion="any",
    )  # fmt: skip
    trials = trials_in(str(study.folder))
    practice = [(block, key) for block, page in manifest.blocks.items() for key in page.practice]
    asked = [*practice, *manifest.order_of(manifest.arm(name), person.seed, code)]
    found = []
    for place, (block, key) in enumerate(asked[: None if most is None else len(practice) + most]):
        said = choose(trials[key])
        order = place + 1 if place < len(practice) else place + 1 - len(practice)
        answer = Answer(
            key, said if isinstance(said, int) else None, said if isinstance(said, tuple) else (), rt_ms=rt_ms + place,
            order=order, input="mouse", size="1280x800", motion="blinked", travel_px=12.4,
        )  # fmt: skip
        found.append(StoredAnswer(code, part_of(key), block, answer, f"2026-03-01T10:{place:02d}:00.000Z"))
    return person, found


def together(study: Study, *people: tuple[Person, Sequence[StoredAnswer]], mode: str = "") -> Gathering:
    """Gather people as their database would."""
    answers = [one for _, own in people for one in own]
    every = [person for person, _ in people]
    return gather(study.plan, study.manifest, every, answers, mode, trials_in(str(study.folder)))


def stored(path: Path, *people: tuple[Person, Sequence[StoredAnswer]], prolific: bool = False) -> Path:
    """Write people into a database."""
    database = open_database(path)

    def change(connection: Connection) -> None:
        for person, answers in people:
            row = [getattr(person, name) for name in PEOPLE]
            _insert(connection, "participant", PEOPLE, row)
            if prolific:
                identity = (person.code, "prolific", f"pid-{person.code}", f"session-{person.code}")
                _insert(connection, "identity", ("participant", "provider", "external_id", "session_id"), identity)
            for one in answers:
                own = {name: getattr(one.answer, name, None) for name in ANSWERS}
                own |= {"participant": person.code, "trial_key": one.answer.key, "part": one.part, "block": one.block}
                own |= {"position": one.answer.order, "ratings": ",".join(map(str, one.answer.ratings))}
                own |= {"server_at": one.server_at, "trusted": 1}
                _insert(connection, "response", ANSWERS, [own[name] for name in ANSWERS])

    database.write(change)
    database.close()
    return path


def _insert(connection: Connection, table: str, names: Sequence[str], values: Sequence[object]) -> None:
    sql = f"insert into {table} ({', '.join(names)}) values ({', '.join('?' * len(names))})"  # noqa: S608
    connection.run(sql, values)
