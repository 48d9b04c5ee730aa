"""A crowd with every fault goes through the real server, and nothing is lost; what it finds out is not always good."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deixis.cli.app import main
from deixis.errors import UsageError
from deixis.study.assignment import choose
from deixis.study.database import reading
from deixis.study.database.opening import Database, open_database, stamp
from deixis.study.database.records import Event, StoredAnswer
from deixis.study.folder import Study, new_study, open_study
from deixis.study.robots.clock import VirtualClock
from deixis.study.robots.crowd import served, simulate
from deixis.study.robots.faults import FAULTS, faults_of
from deixis.study.robots.knowing import Knowing
from deixis.study.robots.line import Line
from deixis.study.robots.outcome import Outcome, outcome
from deixis.study.robots.robot import Robot
from deixis.study.server.serving import launch

ASKED = 16 + 2 + 2
"""Trials, practice and checks of the vocabulary study."""
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("studies") / "pilot"
    new_study(folder, "production-vocabulary", name="pilot", seed=0, people=12, protocol="corrected", settings={})
    return open_study(folder)


def crowd(
    study: Study, path: Path, people: int, dropout: float = 0, faults: tuple[str, ...] = ()
) -> tuple[Outcome, Database]:
    clock = VirtualClock(start=START)
    database = open_database(path, clock)
    found = simulate(study, database, clock, people=people, dropout=dropout, faults=faults, seed=1, told=lambda _: None)
    return found, database


@pytest.fixture(scope="module")
def even(study: Study, tmp_path_factory: pytest.TempPathFactory, library: None) -> Iterator[tuple[Outcome, Database]]:
    """Twelve people without faults, of whom three in ten leave."""
    found, database = crowd(study, tmp_path_factory.mktemp("even") / "simulated.db", people=12, dropout=0.3)
    yield found, database
    database.close()


def test_lists_end_even_where_people_leave(even: tuple[Outcome, Database]) -> None:
    """Places of those who go without a word are held for ten minutes, then given to somebody else."""
    found, database = even
    assert found.sound, found.wrong
    assert [line.complete for line in found.lists] == [3, 3, 3, 3]
    assert found.spread == 0
    assert found.funnel["finished"] == 12 < found.funnel["assigned"] <= found.funnel["consented"]
    assert {person.mode for person in found.people} == {"simulated"}
    complete = {person.code for person in found.people if person.status == "complete"}
    assert Counter(one.person for one in database.read(reading.answers) if one.person in complete) == dict.fromkeys(
        complete, ASKED
    )


def test_times_are_those_of_people(even: tuple[Outcome, Database]) -> None:
    """No robot waits, and by the clock of the study each takes some minutes."""
    found, _ = even
    assert found.minutes > 10 * found.seconds / 60
    took = [
        (datetime.fromisoformat(one.completed_at) - datetime.fromisoformat(one.consented_at)).total_seconds() / 60
        for one in found.people
        if one.completed_at
    ]
    assert all(0.4 < minutes < 8 for minutes in took)


def test_every_list_is_drawn_again_from_seed_and_events(study: Study, even: tuple[Outcome, Database]) -> None:
    """Who is at work, who has finished and who has gone, replayed from the log alone, gives the same lists."""
    found, database = even
    events = database.read(reading.events)
    told = [event for event in events if event.kind == "assigned"]
    assert len(told) == found.funnel["assigned"]
    arms = [arm.id for arm in study.manifest.arms]
    drawn = [choose(event.value["places"], 12, study.plan.seed, number) for number, event in enumerate(told)]
    assert drawn == [event.value["arm"] for event in told]
    assert all(one.status != "withdrawn" for one in found.people), (
        "their events are gone, and who held a place with them"
    )
    answers = database.read(reading.answers)
    for event in told:
        assert event.value["places"] == replayed(events, answers, event, arms, study.plan.idle_minutes)


def replayed(
    events: list[Event], answers: list[StoredAnswer], until: Event, arms: list[str], idle: float
) -> dict[str, int]:
    """Count what was taken when somebody was assigned: by who has finished, or answered in the last ten minutes."""
    held: dict[str, tuple[str, str]] = {}
    finished = set()
    for event in events[: events.index(until)]:
        if event.kind == "assigned":
            held[event.person] = (event.value["arm"], event.at)
        elif event.kind == "complete":
            finished.add(event.person)
        elif event.kind == "left":
            held.pop(event.person, None)
    places = dict.fromkeys(arms, 0)
    for person, (arm, at) in held.items():
        last = max([at, *(one.server_at for one in answers if one.person == person and one.server_at <= until.at)])
        lease = stamp(datetime.fromisoformat(last) + timedelta(minutes=idle))
        places[arm] += person in finished or lease > until.at
    return places


def test_a_study_with_every_fault_loses_nothing(study: Study, tmp_path: Path, library: None) -> None:
    found, database = crowd(study, tmp_path / "simulated.db", people=16, dropout=0.2, faults=tuple(FAULTS))
    database.close()
    assert found.sound, found.wrong
    assert found.funnel["finished"] == 16
    assert found.acknowledged == found.stored
    assert found.sent > found.stored
    assert len(dict(found.faults)) > 5


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_by_itself(study: Study, tmp_path: Path, library: None, fault: str) -> None:
    """One robot: every trial is there once, whatever goes wrong."""
    clock = VirtualClock(start=START)
    database = open_database(tmp_path / "simulated.db", clock)
    long = replace(study, plan=replace(study.plan, resume_within_minutes=1000))
    with served(long, database, launch(long, database)) as port:
        robot = Robot(Line("127.0.0.1", port), 1, 0, long.plan, Knowing(long.plan, 0), fault)
        waited = 0.0
        for wait in robot.take_part():
            waited += wait
            clock.reach(waited)
    found = outcome(study.manifest, database, [robot], waited / 60, 1.0)
    database.close()
    assert found.sound, found.wrong
    assert (robot.phase, found.stored, found.acknowledged) == ("done", ASKED, ASKED)
    more = {"double-click": 1, "two-tabs": 1, "replay": ASKED}
    assert found.sent == ASKED + more.get(fault, 0)
    assert (fault == "late") == (waited > 600)


def test_what_is_lost_or_altered_is_found(study: Study, tmp_path: Path, library: None) -> None:
    clock = VirtualClock(start=START)
    database = open_database(tmp_path / "simulated.db", clock)
    with served(study, database, launch(study, database)) as port:
        robot = Robot(Line("127.0.0.1", port), 1, 0, study.plan, Knowing(study.plan, 0))
        for _ in robot.take_part():
            pass
        gone, other, *_ = robot.acknowledged
        database.write(lambda c: c.run("delete from response where trial_key = ?", (gone,)))
        database.write(lambda c: c.run("update response set choice = 1 - min(choice, 1) where trial_key = ?", (other,)))
    found = outcome(study.manifest, database, [robot], 1.0, 1.0)
    database.close()
    assert (found.lost, found.altered, found.doubled, found.sound) == (1, 1, 0, False)


def test_a_server_that_is_gone_is_told_in_one_line(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deixis.study.robots.line._WAIT", 0)
    robot = Robot(Line("127.0.0.1", 9), 1, 0, study.plan, Knowing(study.plan, 0))
    assert list(robot.take_part()) == []
    assert len(robot.wrong) == 1
    assert robot.wrong[0].startswith("the server is gone")


def test_people_made_up_answer_checks_as_asked_unless_careless(study: Study) -> None:
    knowing = Knowing(study.plan, 0)
    checks = [key for key, shown in study.manifest.stimuli.items() if shown.check]
    failed = Counter[int]()
    for number in range(1, 81):
        failed[number] += sum(knowing.answer(number, key)["choice"] != knowing.right[key] for key in checks)
    assert len(checks) == 2
    assert 0 <= sum(count > 0 for count in failed.values()) <= 2, "one in forty is careless"


def test_faults_by_name() -> None:
    assert faults_of("all") == tuple(FAULTS)
    assert faults_of("none") == ()
    assert faults_of("offline, clock") == ("offline", "clock")
    with pytest.raises(UsageError, match="no fault 'flood'; there is slow, fast, double-click"):
        faults_of("flood")


def test_the_clock_goes_on_only_when_told() -> None:
    waited: list[float] = []
    clock = VirtualClock(speed=60, start=START, wait=waited.append)
    assert clock() == START
    clock.reach(120)
    clock.reach(60)
    assert (clock() - START).total_seconds() == 120
    assert waited == [2.0]


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> object:
    monkeypatch.setattr("sys.argv", ["deixis", "study", "simulate", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_the_command_says_what_became_of_them(
    study: Study, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], library: None
) -> None:
    """The database lies in the study's folder, never that of people, and is made anew."""
    for _ in range(2):
        assert run(monkeypatch, study.folder, "--people", 2, "--dropout", 0, "--faults", "none", "--seed", 4) == 0
    told = capsys.readouterr().out.splitlines()[-10:]
    answers = f"answers  sent {2 * ASKED}, acknowledged {2 * ASKED}, stored {2 * ASKED}; lost 0, altered 0, doubled 0, "
    assert "people   arrived 2, consented 2, assigned 2, finished 2" in told
    assert told[-3].startswith(answers)
    assert told[-1].endswith(f"--database {study.folder / 'simulated.db'} --out RUN'")
    assert not (study.folder / "study.db").exists()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("--dropout", "1", "--dropout 1 is no share below 1"),
        ("--people", "0", "--people 0 asks nobody"),
        ("--speed", "-1", "--speed -1 is no factor"),
        ("--faults", "flood", "no fault 'flood'"),
        ("--out", "study.toml", "is there already"),
    ],
)
def test_what_cannot_be_is_refused(
    study: Study, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    assert run(monkeypatch, study.folder, name, study.folder / value if name == "--out" else value) == 2
    assert said in capsys.readouterr().err
