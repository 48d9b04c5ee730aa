"""The thirteen ways in which studies in browsers lose answers, against the real server. None of them loses any here."""

import time
from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.study.web import driving
from tests.study.web.driving import ENTER, SEEN, TAB, Person
from tests.study.web.serving import TRIALS, Server

OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
ONLINE = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


@pytest.fixture(scope="module")
def server(library: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def somebody(chrome: webdriver.Chrome, server: Server, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody who comes from Prolific, at the first trial after the practice."""
    driving.resize(chrome, 1000, 800)
    driving.motion(chrome, reduced=True)
    chrome.execute_cdp_cmd("Network.enable", {})
    network(chrome, offline=False)
    person = Person(chrome, server.arrival(request.node.name)).arrive()
    yield person.until(lambda one: one.heading == f"Question 1 of {TRIALS}")
    network(chrome, offline=False)


def network(chrome: webdriver.Chrome, *, offline: bool) -> None:
    chrome.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE if offline else ONLINE)


def some(person: Person, number: int = 3) -> Person:
    """Answer some trials."""
    for _ in range(number):
        person.choose()
    return person


def finish(person: Person) -> None:
    """Answer whatever is left, to the very end."""
    person.to("ending")
    assert person.heading == "You have finished. Thank you!"


def whole(server: Server, person: Person) -> None:
    """Every trial has one row, and the page knows the way back."""
    keys = server.stored(person)
    assert len(keys) == len(set(keys)) == TRIALS
    assert "cc=" in (person.one(".ending a.main").get_attribute("href") or "")


def test_plain(server: Server, somebody: Person) -> None:
    finish(somebody)
    whole(server, somebody)


def test_by_keyboard_alone(server: Server, somebody: Person) -> None:
    while somebody.kind == "scene-choice":
        somebody.after(lambda: somebody.press("2"))
    somebody.after(lambda: somebody.press(TAB, ENTER))
    assert somebody.kind == "ending"
    whole(server, somebody)


def test_reload(server: Server, somebody: Person) -> None:
    some(somebody).driver.refresh()
    assert somebody.settle().heading == f"Question 4 of {TRIALS}"
    finish(somebody)
    whole(server, somebody)


def test_tab_closed_and_the_same_link_in_another_browser(server: Server, somebody: Person) -> None:
    some(somebody)
    assert somebody.arrive(anew=True).heading == f"Question 4 of {TRIALS}"
    finish(somebody)
    whole(server, somebody)


def test_tab_closed_within_the_click(server: Server, somebody: Person) -> None:
    """The page goes away in the very event that answers; what it kept or sent is there."""
    some(somebody, 2)
    somebody.driver.execute_script("""
      document.addEventListener("click", () => location.replace("about:blank"));
      document.querySelector(".option").click();
    """)
    time.sleep(SEEN)
    assert somebody.arrive(anew=False).heading == f"Question 4 of {TRIALS}"
    finish(somebody)
    whole(server, somebody)


def test_offline_for_three_trials(server: Server, somebody: Person) -> None:
    some(somebody, 1)
    network(somebody.driver, offline=True)
    some(somebody)
    assert "You are offline" in somebody.one("#banner").text
    assert len(server.stored(somebody)) == 1
    network(somebody.driver, offline=False)
    driving.wait(lambda: len(server.stored(somebody)) == 4)
    driving.wait(lambda: not somebody.one("#banner").text)
    finish(somebody)
    whole(server, somebody)


def test_offline_to_the_end(server: Server, somebody: Person) -> None:
    """It is not over before everything is stored."""
    network(somebody.driver, offline=True)
    some(somebody, TRIALS - 1)
    somebody.all(".option")[0].click()
    time.sleep(1)
    assert "no connection" in somebody.one("#study").text
    assert server.stored(somebody) == []
    network(somebody.driver, offline=False)
    somebody.settle()
    finish(somebody)
    whole(server, somebody)


def test_offline_closed_and_opened_again_online(server: Server, somebody: Person) -> None:
    some(somebody, 1)
    network(somebody.driver, offline=True)
    some(somebody, 3)
    somebody.driver.get("about:blank")
    network(somebody.driver, offline=False)
    assert somebody.arrive(anew=False).heading == f"Question 5 of {TRIALS}"
    finish(somebody)
    whole(server, somebody)


def test_back_forward_and_opened_again_after_the_end(server: Server, somebody: Person) -> None:
    finish(somebody)
    somebody.driver.get("about:blank")
    somebody.driver.back()
    assert somebody.settle().kind == "ending"
    somebody.driver.forward()
    assert somebody.arrive(anew=True).kind == "ending"
    whole(server, somebody)


def test_two_tabs(server: Server, somebody: Person) -> None:
    """Two browsers share nothing, as two addresses do: the server says whose turn it is."""
    driver = somebody.driver
    some(somebody, 1)
    older = driver.current_window_handle
    driver.switch_to.new_window("tab")
    newer = Person(driver, somebody.address.replace("127.0.0.1", "localhost")).arrive(anew=True)
    assert newer.heading == f"Question 2 of {TRIALS}"
    some(newer, 1)
    mine = driver.current_window_handle
    driver.switch_to.window(older)
    somebody.choose()
    driving.wait(lambda: somebody.heading == "The study is open in another window")
    driver.close()
    driver.switch_to.window(mine)
    finish(newer)
    whole(server, newer)


def test_server_killed_and_started_again(server: Server, somebody: Person) -> None:
    some(somebody, 2)
    server.kill()
    some(somebody, 2)
    assert "You are offline" in somebody.one("#banner").text
    server.start()
    driving.wait(lambda: not somebody.one("#banner").text)
    finish(somebody)
    whole(server, somebody)


def test_a_clock_three_years_off(server: Server, somebody: Person) -> None:
    script = "const off = 3 * 365 * 864e5, now = Date.now; Date.now = () => now() + off;"
    added = somebody.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        somebody.arrive(anew=False)
        finish(somebody)
    finally:
        somebody.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    whole(server, somebody)
    for answer in server.rows(somebody):
        assert 250 <= answer["rt_ms"] < 20_000
        assert answer["client_ms"] / 1000 > time.time() + 2 * 365 * 86_400


def test_a_double_click(server: Server, somebody: Person) -> None:
    before = somebody.heading
    webdriver.ActionChains(somebody.driver).double_click(somebody.all(".option")[0]).perform()
    time.sleep(3 * SEEN)
    assert (before, somebody.heading) == (f"Question 1 of {TRIALS}", f"Question 2 of {TRIALS}")
    finish(somebody)
    whole(server, somebody)


def test_leaving_offline_happens_even_if_the_page_is_closed(server: Server, somebody: Person) -> None:
    some(somebody)
    link = somebody.driver.current_url
    network(somebody.driver, offline=True)
    somebody.one("button.stop").click()
    somebody.one("dialog [data-way=delete]").click()
    assert somebody.heading == "One moment, please"
    somebody.driver.get("about:blank")
    network(somebody.driver, offline=False)
    assert Person(somebody.driver, link).arrive(anew=False).heading == "You have left, and your answers are deleted"
    assert server.stored(somebody) == []
