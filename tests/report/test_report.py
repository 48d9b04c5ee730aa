"""The report: what the page says, what the files hold, and that a browser can work it."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from deixis.errors import StoreError
from deixis.experiments import experiment
from deixis.participants.registry import Setting, build, references
from deixis.published.printed import figure2
from deixis.records import AnswerMode, Response
from deixis.report.numbers import csv_rows, text_tables
from deixis.report.page import write_report
from deixis.runs.run import ask
from deixis.scoring.results import read_results
from deixis.store import RunFolder
from tests.accessibility import violations
from tests.runs.scripted import Quiet, Scripted

NASTY = '</script><img src=x onerror="document.title=1">'


class Nasty(Scripted):
    """Answers the first question with markup, leaves the second without words."""

    def respond(self, prompts, mode):
        for place, response in enumerate(super().respond(prompts, mode)):
            texts = {0: NASTY, 1: ""}
            yield Response(response.trial_id, text=texts.get(place, response.text), finish="stop")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, few_items: Path) -> Path:
    """A run of every reference participant and one scripted model on 48 items, 384 questions."""
    path = tmp_path_factory.mktemp("run")
    design = experiment("indexicals").design(few_items, "main", "corrected", 0)
    part = RunFolder(path).design("indexicals-main")
    part.keep(design.signature, ["repaired: a fault: 1 in 1 items (I/001)"], design.trials, design.prompts)
    for name in references("indexicals"):
        ask(part, design, build(name, design.trials, 0, Setting()), AnswerMode.CHOOSE, None, Quiet())
    ask(part, design, Nasty(), AnswerMode.GENERATE, 40, Quiet())
    write_report([path], path)
    return path


def test_the_page_needs_nothing_beside_it(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.findall(
        r'(?:src|href)="(?!data:|figures/|numbers\.csv|errors\.csv|tables/|#)[^"]*"', page.replace("\\u003c", "")
    )
    for words in ("GPT-4o", "strategy:oracle", "repaired: a fault", "data=", "reader=strict-2", "test:scripted"):
        assert words in page
    assert NASTY not in page


def test_figures_come_in_three_formats(folder: Path) -> None:
    names = {path.stem for path in (folder / "figures").iterdir()}
    assert {"references", "difficulty", "indexicals-main-models", "indexicals-main-errors"} < names
    assert len(names) == 10
    for name in names:
        assert (folder / "figures" / f"{name}.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
        assert (folder / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (folder / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_the_same_run_gives_the_same_figures(folder: Path, tmp_path: Path) -> None:
    write_report([folder], tmp_path)
    for path in (folder / "figures").glob("*.svg"):
        assert (tmp_path / "figures" / path.name).read_bytes() == path.read_bytes()


def test_numbers_are_one_row_a_participant_and_cell(folder: Path) -> None:
    lines = (folder / "numbers.csv").read_text(encoding="utf-8").splitlines()
    assert lines == csv_rows(read_results(folder))
    rows = list(csv.DictReader(lines))
    assert lines[0] == (
        "experiment,condition,protocol,participant,indexical,sentence_type,context_prime,marks,"
        "n,answered,correct,accuracy,accuracy_readable"
    )
    assert len(rows) == 12 * 32
    for row in rows:
        if row["participant"] == "strategy:oracle":
            assert (row["n"], row["answered"], row["correct"], row["accuracy"]) == ("12", "12", "12", "1")
        if row["participant"] == "strategy:last-mentioned" and row["indexical"] == "tomorrow":
            assert (row["n"], row["answered"], row["accuracy"], row["accuracy_readable"]) == ("12", "0", "0", "")


def test_tables_for_a_terminal_name_everyone(folder: Path) -> None:
    told = "\n".join(text_tables(read_results(folder)))
    assert all(name in told for name in (*references("indexicals"), "test:scripted"))
    assert "unreadable 1, empty 1" in told
    assert "(ties 96)" in told
    assert "accuracy by cell, plain marks" in told
    assert "accuracy by cell, distractor marks" in told
    (table,) = re.findall(r"error classes: .*\nparticipant +n +Correct +Shift +Unshift +Tie +NFI\n((?:.+\n)+)", told)
    assert len(table.splitlines()) == 12


def test_published_values_are_the_figures() -> None:
    assert len(figure2()) == 64
    here = {(c.model, c.sentence_type, c.context_prime): c.accuracy for c in figure2() if c.indexical == "here"}
    assert here["GPT-4o", "quoted", "non-shifted"] == 0.37
    assert here["Claude 3.5 Sonnet", "non-quoted", "shifted"] == 0.0


def test_a_page_that_cannot_be_written_is_said(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot write the report"):
        write_report([folder], tmp_path / "file")


@pytest.fixture
def browser(chromium: str, folder: Path) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(120)  # axe-core reads every element, and takes long where cores are shared
    driver.set_window_size(420, 900)
    driver.get((folder / "report.html").as_uri())
    yield driver
    driver.quit()


def test_a_reader_can_sort_filter_and_open(browser: webdriver.Chrome) -> None:
    assert browser.title == "deixis report"
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 420

    table = browser.find_element(By.CSS_SELECTOR, "table.sortable")
    heading = table.find_elements(By.CSS_SELECTOR, "th button")[1]
    for ascending in (True, False):
        browser.execute_script("arguments[0].click()", heading)
        rows = [
            [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td, th")]
            for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")
        ]
        accuracies = [float(row[1]) for row in rows]
        assert accuracies == sorted(accuracies, reverse=not ascending)
        assert (rows[-1] if ascending else rows[0])[0] == "strategy:oracle"


def test_the_page_is_open_to_everybody(browser: webdriver.Chrome) -> None:
    """On a phone and on a desktop, folded parts open: no fault that axe finds, nothing wider than the screen."""
    for width in (360, 1280):
        browser.set_window_size(width, 900)
        browser.execute_script("for (const fold of document.querySelectorAll('details')) fold.open = true")
        assert browser.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0
        assert violations(browser) == []
    assert browser.get_log("browser") == []


def test_a_link_into_a_folded_part_opens_it(browser: webdriver.Chrome) -> None:
    fold = browser.find_element(By.CSS_SELECTOR, "#tables details")
    inside = fold.find_element(By.CSS_SELECTOR, "[id]").get_attribute("id")
    assert not fold.get_property("open")
    browser.execute_script("location.hash = arguments[0]", inside)
    WebDriverWait(browser, 5).until(lambda _: fold.get_property("open"))


def test_answers_of_models_are_text(browser: webdriver.Chrome) -> None:
    WebDriverWait(browser, 10).until(lambda b: "384" in b.find_element(By.CSS_SELECTOR, ".trials-count").text)
    search = browser.find_element(By.CSS_SELECTOR, "#trials input[type=search]")
    search.send_keys("onerror=")
    WebDriverWait(browser, 5).until(lambda b: "1 " in b.find_element(By.CSS_SELECTOR, ".trials-count").text)
    browser.find_element(By.CSS_SELECTOR, ".trials-row").click()
    WebDriverWait(browser, 5).until(lambda b: NASTY in b.find_element(By.CSS_SELECTOR, ".trials-shown").text)
    assert browser.title == "deixis report"
