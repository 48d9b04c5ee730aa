"""The server through its addresses, on both databases: what a page is told, what is stored, who gets which list."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from deixis.errors import UsageError
from deixis.study.assignment import choose
from deixis.study.database import people, reading
from deixis.study.database.opening import Database
from deixis.study.database.records import Launched
from tests.study.studies import LISTS, Clock, Somebody, answer, client, manifest, plan

PROLIFIC = "?PROLIFIC_PID=P1&STUDY_ID=S&SESSION_ID=X1"


def test_from_arrival_to_the_code(database: Database) -> None:
    web = client(database)
    one = Somebody.arrive(web, PROLIFIC)
    assert web.get(f"/run/{one.token}").text.startswith("<!doctype html>")
    state = one.state()
    assert (state["phase"], state["next"], state["code"]) == ("consent", "consent", None)
    state = one.step("consent")
    assert [item["type"] for item in state["timeline"]] == ["instructions", "trial", "trial"]
    state = one.step("practised")
    assert (state["phase"], state["progress"]) == ("trials", {"done": 0, "total": 5})
    keys = [item["key"] for item in state["timeline"]]
    assert [key for key in keys if key.startswith("check")] == [keys[2]]
    assert one.answers(*keys[:3]).json() == {"stored": keys[:3], "refused": {}}
    assert one.step("finished")["phase"] == "trials", "no end before every answer is stored"
    assert "completion_code" not in one.state()
    assert one.state()["progress"] == {"done": 3, "total": 5}
    done = one.finish()
    assert (done["phase"], done["completion_code"]) == ("done", done["code"])
    (person,) = database.read(reading.people)
    assert (person.status, person.consent_sha256) == ("complete", "c" * 64)


def test_nothing_that_a_page_gets_says_what_is_right(database: Database) -> None:
    one = Somebody.arrive(client(database))
    one.begin()
    item = next(item for item in one.state()["timeline"] if item["type"] == "trial")
    assert set(item) == {
        "type", "key", "part", "block", "order", "presentation", "kind", "options", "picture", "gaze", "size", "title",
        "prompt",
    }  # fmt: skip


def test_the_same_person_comes_back_to_the_same_place(database: Database) -> None:
    web = client(database)
    first, again = Somebody.arrive(web, PROLIFIC), Somebody.arrive(web, PROLIFIC)
    other = Somebody.arrive(web, PROLIFIC.replace("X1", "X2"))
    assert first.token == again.token != other.token
    assert len(database.read(reading.people)) == 2


def test_the_first_answer_stays(database: Database) -> None:
    one = Somebody.arrive(client(database))
    key = one.begin()["timeline"][0]["key"]
    for choice in (1, 1, 3):
        assert one.answers(key, choice=choice).json() == {"stored": [key], "refused": {}}
    assert [stored.answer.choice for stored in database.read(reading.answers)] == [1]
    differed = [event.value for event in database.read(reading.events) if event.kind == "differed"]
    assert differed == [{"key": key, "first": "1", "second": "3"}]


def test_the_newest_page_goes_on_and_the_older_loses_nothing(database: Database) -> None:
    one = Somebody.arrive(client(database))
    keys = [item["key"] for item in one.begin()["timeline"]]
    newer = Somebody(one.web, one.token, "page-2")
    newer.state()
    late = one.answers(keys[0])
    assert (late.status_code, late.json()["error"], late.json()["stored"]) == (409, "elsewhere", [keys[0]])
    assert one.call("step", step="finished").status_code == 409
    assert newer.answers(keys[1]).status_code == 200
    assert len(database.read(reading.answers)) == 2


def test_another_persons_trial_is_refused(database: Database) -> None:
    web = client(database)
    one = Somebody.arrive(web)
    one.begin()
    (mine,) = (person.arm for person in database.read(reading.people))
    other = next(name for name in LISTS if name != mine)
    assert one.answers(f"trial/{other}0").json()["refused"] == {f"trial/{other}0": "not a trial of this session"}
    assert database.read(reading.answers) == []


def test_before_consent_and_after_leaving_nothing_is_taken(database: Database) -> None:
    one = Somebody.arrive(client(database))
    one.state()
    assert one.answers("practice/possessive/1").json()["refused"] == {"practice/possessive/1": "no consent yet"}
    key = one.begin()["timeline"][0]["key"]
    one.answers(key)
    assert one.call("leave", delete=False).json()["phase"] == "left"
    assert one.answers(key).json()["refused"] == {key: "left"}
    assert len(database.read(reading.answers)) == 1
    assert one.call("leave", delete=True).json()["phase"] == "withdrawn"
    assert database.read(reading.answers) == []
    assert one.answers(key).status_code == 410


def test_a_hundred_at_once_are_spread_evenly(database: Database) -> None:
    """Read and written in one transaction: reading first and writing later would send nearly all to one list."""
    many = 100
    tokens = []
    for _ in range(many):
        person = database.write(lambda c: people.arrive(c, database.now, "live"))
        database.write(lambda c, token=person.token: people.consent(c, database.now, token, "c"))
        tokens.append(person.token)

    def assigned(token: str) -> str:
        found = database.write(lambda c: people.assign(c, database.now, token, LISTS, many, 0, "2027"))
        return found.arm if found else ""

    with ThreadPoolExecutor(16) as pool:
        arms = list(pool.map(assigned, tokens))
    assert Counter(arms) == dict.fromkeys(LISTS, many // 4)


def test_a_place_is_freed_by_leaving_and_by_time_and_kept_by_answers(database: Database, clock: Clock) -> None:
    web = client(database)
    eight = [Somebody.arrive(web) for _ in range(8)]
    keys = [one.begin()["timeline"][0]["key"] for one in eight]
    late = Somebody.arrive(web)
    assert late.begin()["phase"] == "full"
    eight[0].call("leave", delete=False)
    assert Somebody.arrive(web).begin()["phase"] == "trials"
    clock.pass_(9)
    for one, key in zip(eight[2:], keys[2:], strict=True):
        one.answers(key)
    clock.pass_(2)
    fresh = Somebody.arrive(web)
    assert fresh.begin()["phase"] == "trials"
    by_token = {person.token: person.arm for person in database.read(reading.people)}
    assert by_token[fresh.token] in {by_token[eight[1].token], *LISTS}
    assert eight[1].state()["phase"] == "trials", "who comes back late keeps the list"


def test_who_comes_to_a_full_study_is_told_before_any_work(database: Database) -> None:
    web = client(database, plan(prolific=True, codes={"screened_out": "F1"}))
    early = Somebody.arrive(web, PROLIFIC.replace("X1", "early"))
    early.state()
    for number in range(8):
        Somebody.arrive(web, PROLIFIC.replace("X1", f"x{number}")).begin()
    late = Somebody.arrive(web, PROLIFIC.replace("X1", "late")).state()
    assert (late["phase"], late["timeline"], late["completion_code"]) == ("full", [], "F1")
    assert early.step("consent")["phase"] == "practice", "who is reading the consent may go on"
    assert early.step("practised")["phase"] == "full"


def test_the_assignment_can_be_replayed_from_the_seed(database: Database) -> None:
    web = client(database, plan(seed=7))
    for number in range(6):
        one = Somebody.arrive(web)
        one.begin()
        if number == 2:
            one.call("leave", delete=False)
    told = [event.value for event in database.read(reading.events) if event.kind == "assigned"]
    assert len(told) == 6
    assert [choose(one["places"], 8, 7, one["number"]) for one in told] == [one["arm"] for one in told]


def test_previews_never_count(database: Database) -> None:
    web = client(database)
    for _ in range(9):
        Somebody.arrive(web, "?preview=look").begin()
    one = Somebody.arrive(web)
    one.begin()
    live = [person for person in database.read(reading.people) if person.mode == "live"]
    assert [person.arm != "" for person in live] == [True]
    assert database.read(lambda c: reading.live_by_arm(c, "live", "2026")).total() == 1  # type: ignore[attr-defined]
    assert web.get("/?preview=guess").status_code == 404


def test_codes_wait_for_their_time(database: Database) -> None:
    codes = {"complete": "C1", "declined": "D1", "screened_out": "F1", "attention": "A1"}
    web = client(database, plan(prolific=True, codes=codes))
    assert web.get("/").status_code == 400
    no = Somebody.arrive(web, PROLIFIC)
    no.state()
    assert no.step("decline")["completion_code"] == "D1"
    one = Somebody.arrive(web, PROLIFIC.replace("X1", "X2"))
    one.begin()
    assert not any(code in web.get(f"/run/{one.token}").text for code in codes.values())
    assert one.finish()["complete"].endswith("cc=C1")


def test_too_late_is_too_late_and_what_was_answered_stays(database: Database, clock: Clock) -> None:
    one = Somebody.arrive(client(database))
    one.answers(one.begin()["timeline"][0]["key"])
    clock.pass_(14)
    assert one.state()["phase"] == "expired"
    assert len(database.read(reading.answers)) == 1


def test_devices_that_are_not_meant_are_told_so(database: Database) -> None:
    one = Somebody.arrive(client(database, plan(devices=("desktop",))))
    assert one.call("state", touch=True, size=[360, 640]).json()["phase"] == "device"
    assert one.call("state", touch=False, size=[1280, 800]).json()["phase"] == "consent"


def test_another_design_is_refused_with_what_differs(database: Database) -> None:
    study = Launched("pilot", "d1", '{"people": 8}', "")
    database.write(lambda c: people.launch(c, "now", study))
    with pytest.raises(UsageError, match="people was 8, is 9"):
        database.write(lambda c: people.launch(c, "now", Launched("pilot", "d2", '{"people": 9}', "")))
    assert database.write(lambda c: people.launch(c, "later", study)).launched_at == "now"


def test_the_researchers_page_is_closed_without_its_token_and_from_elsewhere(database: Database) -> None:
    web = client(database)
    one = Somebody.arrive(web, PROLIFIC)
    one.begin()
    one.finish()
    assert web.get("/researcher/guess").status_code == 404
    assert web.get("/researcher/guess/export.csv").status_code == 404
    page = web.get("/researcher/watch").text
    assert "1 of 8 people have finished" in page
    assert "P1" not in page
    csv = web.get("/researcher/watch/export.csv").text
    assert csv.count("\n") == 1 + 5
    assert "P1" not in csv
    far = client(database)
    far._transport.client = ("203.0.113.9", 1)  # type: ignore[attr-defined]
    assert far.get("/researcher/watch").status_code == 404


def test_every_response_has_the_headers(database: Database) -> None:
    web = client(database)
    for address in ("/", "/nothing", "/web/run.js", "/web/../app.py", "/researcher/watch", "/api/x/state"):
        headers = web.get(address).headers
        assert headers["content-security-policy"].startswith("default-src 'none'"), address
        assert headers["referrer-policy"] == "no-referrer"
    assert web.get(f"/pictures/{'a' * 64}.svg").headers["cache-control"].endswith("immutable")
    assert web.get("/pictures/x.svg").status_code == 404
    assert "set-cookie" not in web.get("/").headers


def test_changes_that_fail_fail_alone(database: Database) -> None:
    """In one group: neighbours of a change that raises are stored all the same."""
    import threading

    held = threading.Event()
    first = database.send(lambda _: held.wait(5))
    web = [
        database.send(lambda c, n=number: people.note(c, "x", "t", f"k{n}") if n != 1 else 1 / 0) for number in range(3)
    ]
    held.set()
    assert first.result()
    assert isinstance(web[1].exception(), ZeroDivisionError)
    assert [web[0].exception(), web[2].exception()] == [None, None]
    assert [event.kind for event in database.read(reading.events)] == ["k0", "k2"]


def test_manifest_is_sound() -> None:
    assert [arm.id for arm in manifest().arms] == list(LISTS)
    assert answer("a")["key"] == "a"
