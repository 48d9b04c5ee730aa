"""The page in Chromium, from a folder: by keyboard, mouse and touch, narrow, in a hurry, for everybody."""

import gzip
import json
import time
from datetime import datetime
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deixis.study import web
from tests.accessibility import violations
from tests.study.web import driving, samples
from tests.study.web.driving import ENTER, SEEN, SPACE, TAB, Person

ANSWERS = 10
"""One of practice, four of production and their check, two texts, two ratings."""
FIELDS = set(
    "key presentation choice ratings rt_ms input client_ms order hidden_ms blurs trusted travel_px size motion "
    "loads".split()
)


def active(person: Person) -> str:
    """What has the focus: its tag, or the letter of the row it is in."""
    script = "const a = document.activeElement; return a.closest('.rating')?.querySelector('legend') || a"
    found = person.driver.execute_script(script)
    return str(found.text.split()[-1] if found.tag_name == "legend" else found.tag_name.upper())


def test_whole_study_by_keyboard_alone(person: Person) -> None:
    for _ in range(40):
        if person.kind == "ending":
            break
        assert active(person) == "H1", "the heading is read out first"
        if person.kind == "page":
            person.after(lambda: person.press(TAB, ENTER))
        elif person.kind == "text-choice":
            person.after(lambda: person.press(TAB, TAB, SPACE))
        elif person.kind == "scene-choice":
            person.after(lambda: person.press("2"))
        elif "8" in person.heading:  # as radio buttons are: tab to a row, arrows within it
            for row in "ABCD":
                person.press(TAB)
                assert active(person) == row
                person.press(SPACE, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
            person.after(lambda: person.press(ENTER))
        else:  # by number, from the first row down
            person.press("7", "6", "5", "4")
            assert active(person) == "BUTTON"
            person.after(lambda: person.press(ENTER))
    answers = person.answers()
    assert len(answers) == ANSWERS
    assert {answer["input"] for answer in answers} == {"key"}
    assert {answer["choice"] for answer in answers if answer["ratings"] is None} == {1}
    assert [answer["ratings"] for answer in answers if answer["ratings"]] == [[3, 3, 3, 3], [7, 6, 5, 4]]
    assert person.heading == "You have finished. Thank you!"


def test_whole_study_by_touch_and_what_is_recorded(person: Person) -> None:
    driving.resize(person.driver, 360, 640, touch=True)
    began = time.time()
    person.arrive()

    def tap(css: str) -> None:
        time.sleep(0.1)  # sooner than this it would be a double tap
        box = person.one(css).rect
        point = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            person.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    targets = {"page": ".actions .main", "scene-choice": ".option", "text-choice": ".option"}
    while person.kind != "ending":
        if person.kind == "scene-rating":
            for place in range(4):
                tap(f".rating[data-place='{place}'] label:nth-of-type(4)")
            person.after(lambda: tap(".ratings button"))
        else:
            person.after(lambda: tap(targets[person.kind]))
    answers = person.answers()
    assert len(answers) == ANSWERS
    for answer in answers:
        assert set(answer) == FIELDS | {"type", "server_at"}
        assert answer["input"] == "touch"
        assert answer["trusted"] is True
        assert 250 <= answer["rt_ms"] < 1000 * (time.time() - began)
        assert began - 1 < answer["client_ms"] / 1000 < time.time() + 1
        assert answer["size"] == [360, 640]
        assert (answer["presentation"], answer["loads"], answer["blurs"], answer["hidden_ms"]) == (1, 1, 0, 0)
        shown = "still" if answer["key"].startswith(("production", "practice", "check")) else "none"
        assert answer["motion"] == shown
    assert [answer["order"] for answer in answers[1:]] == list(range(1, ANSWERS))
    assert [answer["ratings"] for answer in answers[-2:]] == [[4] * 4] * 2


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_every_page_keeps_the_rules_and_fits(person: Person, width: int, height: int) -> None:
    driving.resize(person.driver, width, height, touch=width < 400)
    person.arrive()
    seen = set()
    while True:
        kind = person.kind
        if kind not in seen or kind == "page":
            assert violations(person.driver) == [], person.heading
            assert person.overflow() <= 0, person.heading
        if kind in {"scene-choice", "scene-rating"} and kind not in seen:
            last = person.one(".option:last-child, .ratings button").rect
            assert last["y"] + last["height"] <= height, "the whole trial is in sight"
            low = "return Math.min(...[...document.querySelectorAll('#study button')].map(b => b.offsetHeight))"
            assert person.driver.execute_script(low) >= 48
        if kind == "scene-rating" and kind not in seen:
            sizes = person.driver.execute_script(
                "return [...document.querySelectorAll('.rating input')].flatMap(i => [i.offsetWidth, i.offsetHeight])"
            )
            assert min(sizes) >= 24
        if kind == "scene-choice" and kind not in seen:
            person.one("button.stop").click()
            assert violations(person.driver) == []
            assert person.overflow() <= 0
            person.one("dialog [data-way=back]").click()
        if kind == "ending":
            break
        seen.add(kind)
        person.answer()


def test_a_double_click_answers_one_trial(person: Person) -> None:
    person.to("scene-choice")
    before = len(person.answers())
    ActionChains(person.driver).double_click(person.all(".option")[0]).perform()
    time.sleep(2 * SEEN)
    assert len(person.answers()) == before + 1
    ActionChains(person.driver).move_to_element(person.all(".option")[1]).click().perform()
    time.sleep(SEEN)
    assert len(person.answers()) == before + 2


def test_a_double_click_on_a_page_answers_no_trial(person: Person) -> None:
    person.turn()
    spot = person.one(".actions .main")
    ActionChains(person.driver).double_click(spot).perform()
    person.settle()
    assert (person.kind, person.answers()) == ("scene-choice", [])


def test_an_answer_within_a_quarter_of_a_second_is_none(person: Person) -> None:
    """Two keys at once: the second falls on the next trial and is too soon."""
    person.to("scene-choice")
    script = """
      const target = document.body;
      const press = () => target.dispatchEvent(new KeyboardEvent("keydown", {key: "1", code: "Digit1", bubbles: true}));
      const done = arguments[arguments.length - 1];
      press();
      let presses = 0;
      const began = performance.now();
      const timer = setInterval(() => {
        presses += 1;
        if (performance.now() - began < 200) press(); else { clearInterval(timer); done(presses); }
      }, 10);
    """
    assert person.driver.execute_async_script(script) > 10
    assert len(person.answers()) == 1
    assert person.answers()[0]["trusted"] is False


KEYS = (
    ({"key": "!", "code": "Digit1", "shiftKey": True}, 0),
    ({"key": "1", "code": "Digit1", "repeat": True}, 0),
    ({"key": "1", "code": "Digit1", "ctrlKey": True}, 0),
    ({"key": "1", "code": "Digit1", "altKey": True}, 0),
    ({"key": "1", "code": "Digit1", "metaKey": True}, 0),
    ({"key": "5", "code": "Digit5"}, 0),
    ({"key": "0", "code": "Digit0"}, 0),
    ({"key": "a", "code": "KeyA"}, 0),
    ({"key": "1", "code": "Digit1"}, 1),
    ({"key": "2", "code": "Numpad2"}, 1),
    ({"key": "&", "code": "Digit1"}, 1),
    ({"key": "1", "code": "Digit1", "shiftKey": True}, 1),
)
"""Keys, and whether they answer. In France digits need shift, and without it the key of 1 writes another sign."""


def test_number_keys(person: Person) -> None:
    person.to("scene-choice")
    script = "document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, ...arguments[0]}))"
    expected = 0
    for event, counts in KEYS:
        person.driver.execute_script(script, event)
        expected += counts
        assert len(person.answers()) == expected, event
        time.sleep(SEEN * 1.2 * counts)
    assert [answer["choice"] for answer in person.answers()] == [0, 1, 0, 0]


def test_number_keys_can_be_turned_off_and_rest_in_the_dialogue(person: Person) -> None:
    person.to("scene-choice")
    person.one("button.keys").click()
    person.one("h1").click()
    person.press("1")
    assert person.answers() == []
    person.one("button.keys").click()
    person.one("button.stop").click()
    person.press("1")
    assert person.answers() == []
    person.press(Keys.ESCAPE)
    assert active(person) == "BUTTON", "the focus goes back to where it was"
    person.one("h1").click()
    person.after(lambda: person.press("1"))
    assert len(person.answers()) == 1


def test_the_gaze_line_blinks_four_times_and_stays(person: Person) -> None:
    driving.motion(person.driver, reduced=False)
    watch = """
      window.seen = [];
      new MutationObserver(found => { for (const one of found) {
        seen.push([one.target.classList.contains("hidden"), performance.now()]);
      }}).observe(document.querySelector(".gaze"), {attributeFilter: ["class"]});
    """
    person.arrive().to("scene-choice")
    person.driver.execute_script(watch)
    time.sleep(4.4)
    seen = person.driver.execute_script("return window.seen")
    assert [hidden for hidden, _ in seen] == [True, False] * 4
    times = [at for _, at in seen]
    assert all(abs(b - a - 300) < 120 for a, b in zip(times[::2], times[1::2], strict=True))
    assert all(abs(b - a - 700) < 120 for a, b in zip(times[1::2], times[2::2], strict=False))
    line = person.one(".gaze").rect
    picture = person.one(".scene img").rect
    assert {k: round(v) for k, v in line.items()} == {k: round(v) for k, v in picture.items()}
    person.choose()
    assert {answer["motion"] for answer in person.answers()} == {"blinked"}


def test_ratings_that_are_missing_are_asked_for(person: Person) -> None:
    person.to("scene-rating")
    before = len(person.answers())
    rows = person.all(".rating")
    rows[0].find_elements(By.TAG_NAME, "input")[0].click()
    rows[2].find_elements(By.TAG_NAME, "input")[6].click()
    person.one(".ratings button").click()
    assert person.one(".missing").text == "Please choose a number for B and D."
    assert active(person) == "B"
    assert violations(person.driver) == []
    assert len(person.answers()) == before
    rows[1].find_elements(By.TAG_NAME, "input")[1].click()
    rows[3].find_elements(By.TAG_NAME, "input")[2].click()
    person.after(person.one(".ratings button").click)
    assert person.answers()[-1]["ratings"] == [1, 2, 7, 3]
    assert person.answers()[-1]["input"] == "mouse"
    assert person.answers()[-1]["travel_px"] > 0


def test_declining_records_nothing(person: Person) -> None:
    person.after(person.all(".actions button")[1].click)
    assert person.heading == "You are not taking part"
    assert [line["type"] for line in person.lines()] == ["end"]
    assert person.all("button.stop:not([hidden])") == []
    assert violations(person.driver) == []


def test_stopping_is_two_things(person: Person) -> None:
    person.to("scene-choice").choose().choose()
    assert len(person.answers()) == 2
    person.leave("keep")
    assert person.heading == "You have left the study"
    assert len(person.answers()) == 2
    code = person.lines()[0]["code"]
    assert f"Your code is {code}" in person.one("#study").text
    assert person.settle().arrive(anew=False).heading == "You have left the study"

    person.arrive().to("scene-choice").choose()
    person.leave("delete")
    assert person.heading == "You have left, and your answers are deleted"
    assert [line["type"] for line in person.lines()] == ["withdrawn"]
    assert person.arrive(anew=False).heading == "You have left, and your answers are deleted"


def test_going_on_after_a_reload(person: Person) -> None:
    person.to("scene-choice").choose().choose()
    where = person.heading
    code = person.one("footer .code").text
    person.arrive(anew=False)
    assert (person.heading, person.one("footer .code").text) == (where, code)
    person.choose()
    last = person.answers()[-1]
    assert (last["presentation"], last["loads"], len(person.answers())) == (2, 2, 3)


def test_the_window_opened_last_goes_on(person: Person) -> None:
    driver = person.driver
    person.to("scene-choice").choose()
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    newer = Person(driver, person.address).arrive(anew=False)
    newer.choose()
    driver.switch_to.window(first)
    assert person.settle().heading == "The study is open in another window"
    assert violations(driver) == []
    person.one(".actions .main").click()
    time.sleep(2 * SEEN)
    assert person.settle().kind == "scene-choice"
    second = next(handle for handle in driver.window_handles if handle != first)
    driver.switch_to.window(second)
    assert newer.heading == "The study is open in another window"
    driver.close()
    driver.switch_to.window(first)
    person.choose()
    assert len({answer["key"] for answer in person.answers()}) == len(person.answers()) == 3


def test_a_host_that_fails_loses_nothing(person: Person) -> None:
    """Answers wait in the outbox while the host answers nothing, with a notice, and arrive once when it does again."""
    person.to("scene-choice").choose()
    person.driver.execute_script("""
      const answers = deixisHost.answers;
      deixisHost.answers = list => window.well ? answers(list) : Promise.reject(new Error("no"));
    """)
    for _ in range(3):
        person.choose()
    assert len(person.answers()) == 1
    assert "You are offline" in person.one("#banner").text
    assert violations(person.driver) == []
    waiting = "return Object.keys(localStorage).filter(key => key.includes(':answer:')).length"
    assert person.driver.execute_script(waiting) == 3
    person.driver.execute_script("window.well = true; window.dispatchEvent(new Event('online'))")
    time.sleep(SEEN)
    assert len(person.answers()) == 4
    assert person.driver.execute_script(waiting) == 0
    assert person.one("#banner").text == ""


def test_the_outbox_removes_only_what_is_named(person: Person) -> None:
    script = """
      const done = arguments[arguments.length - 1];
      const store = deixis.storage("test"), sent = [], refused = [];
      const send = async list => {
        const keys = list.map(one => one.key);
        sent.push(keys.join(""));
        if (sent.length === 1) return {stored: ["a"], refused: {b: "unknown trial"}};
        if (sent.length === 2) throw new Error("lost on the way");
        if (keys.includes("x")) throw Object.assign(new Error("not well formed"), {refuses: true});
        return {stored: keys, refused: {}};
      };
      for (const key of ["a", "b", "c", "x"]) store.put("answer:" + key, JSON.stringify({key}));
      const box = deixis.outbox(store, send, {refused: (key, reason) => refused.push(key + ": " + reason)});
      const began = performance.now();
      box.flush().then(() => done({sent, refused, waiting: box.waiting, took: performance.now() - began}));
    """
    told = person.driver.execute_async_script(script)
    assert told["sent"] == ["abcx", "cx", "cx", "c", "x"]
    assert told["refused"] == ["b: unknown trial", "x: not well formed"]
    assert told["waiting"] == []
    assert 240 < told["took"] < 2000


def test_a_browser_that_keeps_nothing_still_runs(person: Person) -> None:
    source = {"source": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"}
    script = person.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
    try:
        person.arrive().to("text-choice")
        assert person.driver.execute_script("return localStorage.length") == 0
        progress = person.one("progress")
        assert (progress.get_attribute("value"), progress.get_attribute("max")) == ("5", "9")
    finally:
        person.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_words_of_a_study_never_become_markup(chrome: webdriver.Chrome, tmp_path: Path, person: Person) -> None:
    written, files = samples.manifest(2, 1, 1)
    nasty = "<img src=x onerror=\"document.title='bad'\">{name}"
    for stimulus in written["stimuli"].values():
        stimulus.update({"options": [nasty] * len(stimulus["options"]), "title": nasty, "prompt": nasty})
        stimulus.update({key: nasty for key in ("passage", "question") if key in stimulus})
        stimulus.update({"labels": [nasty, "B", "C", "D"]} if "labels" in stimulus else {})
    written["title"] = "sample"
    other = Person(chrome, samples.folder(tmp_path, (written, files)).as_uri()).arrive()
    while other.kind != "ending":
        if other.kind != "page":
            assert nasty in other.one("#study").text
        other.answer()
    assert chrome.title == "sample"
    assert len(other.answers()) == 6


def test_the_answers_are_saved_as_a_file_and_the_next_person_begins(person: Person, tmp_path: Path) -> None:
    person.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    person.to("scene-choice").choose()
    person.leave("keep")
    code = person.lines()[0]["code"]
    person.one(".ending .main").click()
    file = tmp_path / f"sample-{code}.jsonl"
    limit = time.time() + 10
    while not file.exists() and time.time() < limit:
        time.sleep(0.05)
    saved = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert saved == person.lines()
    assert [line["type"] for line in saved] == ["session", "answer", "session", "end"]
    assert (saved[0]["arm"], saved[2]["arm"], saved[0]["study"]) == (None, "1", "sample")
    datetime.fromisoformat(saved[0]["started"])
    person.all(".ending button")[-1].click()
    time.sleep(SEEN)
    person.settle()
    assert person.heading == "Taking part"
    person.turn()
    assert code not in person.one("footer .code").text
    assert len(person.lines()) > len(saved), "what the person before gave is kept"


def test_the_first_page_is_small() -> None:
    sent = [gzip.compress(data) for data in web.contents().values()] + [gzip.compress(web.page().encode())]
    assert sum(map(len, sent)) < 60_000


def test_nothing_of_the_page_asks_others() -> None:
    for name, data in web.contents().items():
        if name != web.LIBRARY:
            assert b"http://" not in data.replace(b"http://www.w3.org/2000/svg", b""), name
            assert b"https://" not in data, name
        assert b"sourceMappingURL" not in data
    assert "style=" not in web.page()
    assert "<script>" not in web.page()
