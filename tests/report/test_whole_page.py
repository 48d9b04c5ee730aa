"""The whole page in a browser, from the file: people, models and references; and pages with little on them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from deixis.report.page import write_report
from tests.accessibility import violations
from tests.report.runs import Says, asked, planned

_WIDER = "return document.documentElement.scrollWidth - innerWidth"
_UNFOLD = "for (const fold of document.querySelectorAll('details')) fold.open = true"
_OPEN = "return [...document.querySelectorAll('details[open]')].length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs: people and a model on scenes, people on ratings; and another model on the same scenes."""
    folder, other = (tmp_path_factory.mktemp(name, numbered=False) for name in ("one", "other"))
    asked(folder, "possessive", Says(), people=2)
    asked(folder, "comprehension", people=2)
    asked(other, "possessive", Says("demo/other"))
    return write_report([folder, other], folder)[0]


@pytest.fixture(scope="module")
def chrome(chromium: str) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(120)  # axe-core reads every element, and takes long where cores are shared
    yield driver
    driver.quit()


def visit(chrome: webdriver.Chrome, page: Path, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chrome.get("about:blank")
    for kind in ("browser", "performance"):
        chrome.get_log(kind)
    chrome.get(page.as_uri())
    WebDriverWait(chrome, 20, 0.02).until(
        lambda d: d.execute_script("return document.querySelector('#trials').dataset.ready")
    )


def requested(chrome: webdriver.Chrome) -> set[str]:
    """Return the addresses that were asked for since the visit, what is in the page itself left out."""
    told = [json.loads(one["message"])["message"] for one in chrome.get_log("performance")]
    urls = [one["params"]["request"]["url"] for one in told if one["method"] == "Network.requestWillBeSent"]
    return {url for url in urls if not url.startswith(("data:", "about:"))}


@pytest.mark.parametrize("width", [1280, 360])
def test_a_page_is_whole_by_itself_and_open_to_everybody(chrome: webdriver.Chrome, page: Path, width: int) -> None:
    visit(chrome, page, width)
    assert chrome.execute_script(_WIDER) <= 0
    chrome.execute_script(_UNFOLD)
    assert violations(chrome) == []
    assert chrome.execute_script(_WIDER) <= 0
    assert chrome.get_log("browser") == []
    assert requested(chrome) == {page.as_uri()}


def test_on_paper_the_tables_are_open_and_nothing_is_cut_off(chrome: webdriver.Chrome, page: Path) -> None:
    visit(chrome, page, 718)  # what A4 leaves between the margins
    before = chrome.execute_script(_OPEN)
    chrome.execute_script(f"addEventListener('beforeprint', () => {{ window.seen = (() => {{ {_OPEN} }})(); }});")
    chrome.execute_cdp_cmd("Page.printToPDF", {})
    assert chrome.execute_script("return window.seen") > before
    assert chrome.execute_script(_OPEN) == before
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    chrome.execute_script("for (const fold of document.querySelectorAll('details.printed')) fold.open = true")
    try:
        assert chrome.execute_script(_WIDER) <= 0
    finally:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_design_that_two_runs_hold_is_told_with_its_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in ("one", "other"):
        assert f"possessive, people, corrected, run {name}" in text
    assert "comprehension, people, corrected, run" not in text
    assert "2 people (simulated)" in text


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("planned", "Nothing has been asked yet: these runs hold no answer of anybody."),
        ("errored", "No model and no person has given an answer that counts in these runs."),
        ("people", "people:simulated is right in "),
        ("one", "demo/mine is right in 0.25 [0.13, 0.42] of possessive"),
    ],
)
def test_a_page_with_little_on_it_says_so(chrome: webdriver.Chrome, tmp_path: Path, kind: str, words: str) -> None:
    make = {
        "planned": lambda: planned(tmp_path),
        "errored": lambda: asked(tmp_path, "possessive", Says(words="")),
        "people": lambda: asked(tmp_path, "comprehension", people=2),
        "one": lambda: asked(tmp_path, "possessive", Says()),
    }
    found, _ = write_report([make[kind]()], tmp_path)
    visit(chrome, found, 360)
    assert chrome.execute_script("return document.querySelector('.answer').innerText").startswith(words)
    chrome.execute_script(_UNFOLD)
    assert chrome.execute_script(_WIDER) <= 0
    assert kind in ("people", "one") or violations(chrome) == []  # these have nothing that the page above lacks
    assert chrome.get_log("browser") == []
    assert chrome.execute_script("return [...document.images].filter(one => !one.naturalWidth).length") == 0
