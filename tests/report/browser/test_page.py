"""The browser in a browser: filters, keys, links, hostile text, narrow windows, accessibility."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from deixis.report.browser.entries import Entries
from tests.accessibility import violations
from tests.report.browser.samples import NASTY, POSSESSIVE, page, sample

LINK = "#trial=" + quote(f"possessive/in-context/corrected/{POSSESSIVE[1]}", safe="")


@pytest.fixture(scope="module")
def parts() -> list[Entries]:
    return sample()


@pytest.fixture(scope="module")
def address(parts: list[Entries], tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page(parts), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def chrome(chromium: str) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(120)  # axe-core reads every element, and takes long where cores are shared
    yield driver
    driver.quit()


@pytest.fixture
def opened(chrome: webdriver.Chrome, address: str) -> webdriver.Chrome:
    """The page, unpacked, in a window of 1000 pixels."""
    return visit(chrome, address, 1000)


def visit(chrome: webdriver.Chrome, address: str, width: int) -> webdriver.Chrome:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chrome.get("about:blank")
    chrome.get(address)
    WebDriverWait(chrome, 20, 0.02).until(
        lambda d: d.execute_script("return document.querySelector('#trials').dataset.ready")
    )
    return chrome


def one(driver: webdriver.Chrome, css: str) -> WebElement:
    return driver.find_element(By.CSS_SELECTOR, f"#trials {css}")


def field(driver: webdriver.Chrome, title: str) -> WebElement:
    return one(driver, "form").find_element(By.XPATH, f".//label[span='{title}']/*[self::select or self::input]")


def choose(driver: webdriver.Chrome, **chosen: str) -> int:
    """Set fields by their titles (spaces as underscores) and return how many trials are found."""
    for title, words in chosen.items():
        control = field(driver, title.replace("_", " "))
        if control.tag_name == "select":
            Select(control).select_by_visible_text(words)
        else:
            control.send_keys(words)
    return found(driver)


def found(driver: webdriver.Chrome) -> int:
    return int(one(driver, ".trials-count").text.split()[0])


def active(driver: webdriver.Chrome) -> str:
    """What a screen reader hears of the row where the keys are."""
    row = driver.find_element(By.ID, one(driver, ".trials-list").get_attribute("aria-activedescendant"))
    return f"{row.get_attribute('aria-posinset')}/{row.get_attribute('aria-setsize')}"


def test_the_page_opens_under_the_strictest_policy(opened: webdriver.Chrome) -> None:
    assert opened.get_log("browser") == []
    assert one(opened, ".trials-count").text == "34 of 34 trials found."
    assert "Twemoji" in one(opened, ".trials-attribution").text
    allowed = opened.execute_script("return document.querySelector('meta[http-equiv]').content")
    assert allowed.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in allowed


@pytest.mark.parametrize(
    ("chosen", "count"),
    [
        ({"Condition": "in-context"}, 2),
        ({"Participant": "demo/right"}, 32),
        ({"Participant": "demo/mine", "Right_or_wrong": "right"}, 8),
        ({"Participant": "demo/mine", "Error_class": "PPE"}, 8),
        ({"Participant": "demo/mine", "Error_class": "Double"}, 8),
        ({"Participant": "demo/nasty", "Outcome": "errored"}, 1),
        ({"Outcome": "unreadable"}, 1),
        ({"Right_or_wrong": "not counted"}, 1),
        ({"Participant": "every model and person", "Right_or_wrong": "wrong"}, 0),
        ({"Participant": "anyone, references too"}, 34),
        ({"Participant": "strategy:oracle", "Right_or_wrong": "right"}, 34),
        ({"Participant": "demo/mine", "Compared": "wrong where the other is right", "With": "demo/right"}, 24),
        ({"Participant": "demo/mine", "Compared": "right where the other is wrong", "With": "demo/right"}, 0),
        ({"Participant": "demo/mine", "Compared": "another choice than the other", "With": "demo/right"}, 24),
        ({"Participant": "demo/mine", "Compared": "both wrong", "With": "demo/nasty"}, 0),
        ({"Text_contains": "ACCORDION-hammer"}, 16),
        ({"Text_contains": "boy owns it"}, 32),
        ({"Text_contains": "onerror="}, 1),
        ({"Text_contains": "onerror=", "Look_in": "prompts"}, 0),
        ({"Text_contains": "green square", "Look_in": "answers"}, 0),
        ({"Text_contains": "onerror=", "Participant": "demo/mine"}, 0),
        ({"Text_contains": "out of order"}, 1),
    ],
    ids=str,
)
def test_filters(opened: webdriver.Chrome, chosen: dict[str, str], count: int) -> None:
    assert choose(opened, **chosen) == count
    one(opened, "form > button").click()
    assert found(opened) == 34


def test_where_participants_disagree(opened: webdriver.Chrome, parts: list[Entries]) -> None:
    """Against a plain count over the answers of models and people."""
    main = parts[0]
    asked = [answers for answers in main.participants if not answers.participant.startswith("strategy:")]
    mine = [answers.participant for answers in asked].index("demo/mine")
    rows = []
    for row in range(main.count):
        readings = [main.readings[one.reading[row]] if one.reading[row] >= 0 else None for one in asked]
        rows.append([r.credit if r and r.outcome != "errored" else None for r in readings])
    counted = [([c for c in row if c is not None], row[mine]) for row in rows]
    expected = {
        "some right, some wrong": sum(0 < sum(row) < len(row) for row, _ in counted),
        "all right": sum(sum(row) == len(row) for row, _ in counted),
        "only one wrong": sum(sum(row) == len(row) - 1 > 0 for row, _ in counted),
        "only one right": sum(sum(row) == 1 < len(row) for row, _ in counted),
    }
    assert expected["only one right"] > 0
    choose(opened, Condition="main")
    for words, count in expected.items():
        assert choose(opened, Compared=words) == count, words
    choose(opened, Participant="demo/mine")
    alone = sum(sum(row) == len(row) - 1 > 0 and own == 0 for row, own in counted)
    assert alone > 0
    assert choose(opened, Compared="only this one wrong") == alone


def test_factors_are_those_of_the_designs_that_are_left(opened: webdriver.Chrome) -> None:
    opened.execute_script("document.querySelector('#trials .trials-factors').open = true")
    assert choose(opened, speaker="boy") == 18
    assert choose(opened, target="0") == 6
    assert one(opened, ".trials-factors summary").text == "Factors (2 set)"
    titles = [span.text for span in opened.find_elements(By.CSS_SELECTOR, "#trials .trials-factors label span")]
    assert titles[-1] == "place of the right option"
    assert titles[:-1] == ["group", "target", "speaker", "gazer", "perspective", "arrangement", "distance"]
    choose(opened, Condition="in-context")
    assert found(opened) == 2
    places = [choose(opened, place_of_the_right_option=words) for words in ("first", "second", "third", "fourth")]
    assert sum(places) == 2


def test_what_needs_a_participant_waits_for_one(opened: webdriver.Chrome) -> None:
    option = field(opened, "Compared").find_element(By.CSS_SELECTOR, "option[value=alone-wrong]")
    assert not option.is_enabled()
    assert not field(opened, "With").is_enabled()
    choose(opened, Participant="demo/mine", Compared="both wrong")
    assert option.is_enabled()
    assert field(opened, "With").is_enabled()
    choose(opened, Participant="any model or person")
    assert Select(field(opened, "Compared")).first_selected_option.text == "not"


def test_keys_move_open_and_lead_back(opened: webdriver.Chrome) -> None:
    box = one(opened, ".trials-list")
    assert active(opened) == "1/34"
    rows = opened.find_elements(By.CSS_SELECTOR, "#trials [role=option]")
    assert len(rows) < 34, "only the rows in sight are in the page"
    for keys, where in (
        (Keys.ARROW_DOWN, "2/34"),
        (Keys.END, "34/34"),
        (Keys.ARROW_DOWN, "34/34"),
        (Keys.HOME, "1/34"),
        (Keys.ARROW_UP, "1/34"),
        (Keys.PAGE_DOWN + Keys.PAGE_UP, "1/34"),
        (Keys.ARROW_DOWN * 2, "3/34"),
    ):
        box.send_keys(keys)
        assert active(opened) == where, keys
    box.send_keys(Keys.ENTER)
    heading = opened.switch_to.active_element
    assert (heading.tag_name, heading.text) == ("h3", POSSESSIVE[2])
    assert opened.current_url.endswith(quote(f"possessive/main/corrected/{POSSESSIVE[2]}", safe=""))
    heading.send_keys(Keys.ESCAPE)
    assert opened.switch_to.active_element == box
    box.send_keys(Keys.END, " ")
    assert opened.switch_to.active_element.text == POSSESSIVE[1]
    assert one(opened, "[aria-selected=true]").get_attribute("aria-posinset") == "34"


def test_previous_and_next_follow_the_list(opened: webdriver.Chrome) -> None:
    one(opened, "[role=option]").click()
    one(opened, "[data-step='1']").click()
    assert one(opened, "h3").text == POSSESSIVE[1]
    assert opened.switch_to.active_element.text == "Next"
    for _ in range(2):
        one(opened, "[data-step='-1']").click()
    assert one(opened, "h3").text == POSSESSIVE[0]
    one(opened, "[data-back]").click()
    assert opened.switch_to.active_element == one(opened, ".trials-list")


def test_what_a_model_wrote_stays_text(opened: webdriver.Chrome) -> None:
    one(opened, "[role=option]").click()
    texts = [shown.get_attribute("textContent") for shown in opened.find_elements(By.CSS_SELECTOR, "#trials pre")]
    assert NASTY in texts
    assert opened.find_elements(By.CSS_SELECTOR, "#trials pre *") == []
    assert opened.title == "trials"
    assert opened.get_log("browser") == []


def test_a_trial_is_shown_in_full(opened: webdriver.Chrome) -> None:
    one(opened, "[role=option]").click()
    shown = one(opened, ".trials-shown").text
    image = one(opened, "figure img")
    assert opened.execute_script("return arguments[0].decode().then(() => arguments[0].naturalWidth)", image) == 896
    assert "a green square on the first object" in image.get_attribute("alt")
    for words in (
        "possessive, condition main, protocol corrected",
        "speaker boy · gazer boy · perspective I",
        "You’ll play the role of the boy in the scene.",
        "I prefer mine right answer",
        "Models (4)",
        "People (1)",
        "Reference participants (1)",
        "chose first: I prefer mine · rule exact · reader strict-2",
        "outcome unreadable",
        "-0.250",
        "margin 1.750, probability outside the options 0.036",
        "−∞",
    ):
        assert words in shown, words
    reasoning = one(opened, ".trials-answers details")
    assert (reasoning.text, reasoning.find_element(By.TAG_NAME, "pre").get_attribute("textContent")) == (
        "Reasoning",
        "The boy owns it.",
    )
    one(opened, "[data-step='1']").click()
    assert "out of order" in one(opened, ".trials-shown").text


def test_a_link_opens_its_trial(chrome: webdriver.Chrome, address: str) -> None:
    opened = visit(chrome, address + LINK, 1000)
    assert one(opened, "h3").text == POSSESSIVE[1]
    assert "condition in-context" in one(opened, ".trials-shown").text
    assert len(opened.find_elements(By.CSS_SELECTOR, "#trials figure.trials-small img")) == 4
    opened.execute_script("location.hash = '#trial=possessive/main/corrected/' + arguments[0]", POSSESSIVE[9])
    WebDriverWait(opened, 5, 0.02).until(lambda _: one(opened, "h3").text == POSSESSIVE[9])
    opened.execute_script("location.hash = '#trial=' + arguments[0]", POSSESSIVE[5])
    WebDriverWait(opened, 5, 0.02).until(lambda _: one(opened, "h3").text == POSSESSIVE[5])
    opened.execute_script("location.hash = '#trial=no/such%'")
    WebDriverWait(opened, 5, 0.02).until(lambda _: "no/such% is not in this page" in one(opened, ".trials-shown").text)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_narrow_window_needs_no_sideways_scrolling_and_rules_are_kept(
    chrome: webdriver.Chrome, address: str, width: int
) -> None:
    opened = visit(chrome, address, width)
    assert violations(opened) == []
    opened.execute_script("for (const box of document.querySelectorAll('#trials details')) box.open = true")
    one(opened, ".trials-list").send_keys(Keys.ENTER)
    opened.execute_script("for (const box of document.querySelectorAll('#trials details')) box.open = true")
    assert violations(opened) == []
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    choose(opened, Text_contains="nothing has this")
    assert found(opened) == 0
    assert violations(opened) == []


def test_a_browser_that_cannot_unpack_says_so(chrome: webdriver.Chrome, address: str) -> None:
    source = {"source": "delete window.DecompressionStream"}
    script = chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
    chrome.get("about:blank")
    chrome.get(address)
    WebDriverWait(chrome, 10, 0.02).until(lambda _: "cannot unpack the trials" in one(chrome, ".trials-count").text)
    assert not one(chrome, "form").is_displayed()
    chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_trials_that_are_elsewhere_are_counted(chrome: webdriver.Chrome, parts: list[Entries], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page([replace(parts[0], of=6144)]), encoding="utf-8")
    opened = visit(chrome, path.as_uri(), 1000)
    assert one(opened, ".trials-count").text == (
        "32 of 32 trials found. The page holds 32 of 6,144 trials; the others are in the run folder."
    )
