"""Reviews: what is drawn, what a reviewer sees, what comes back, how far two agree."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deixis.errors import ItemsError, UsageError
from deixis.items.reading import bank_questions
from deixis.items.review.agreement import comparison, findings, kappa, objections, report
from deixis.items.review.sample import draw
from deixis.items.review.sheet import COLUMNS, KEY, read_sheet, read_sheets, write_sheet

BANK = bank_questions()
Rows = list[dict[str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_sheet(draw(BANK, 0.02, 0), tmp_path / "review", "bank")
    return tmp_path / "review"


def rows_of(folder: Path) -> Rows:
    with (folder / "sheet.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def filled(folder: Path, name: str, rows: Rows, columns: tuple[str, ...] = COLUMNS) -> Path:
    path = folder / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def sound(folder: Path) -> Rows:
    """Answers of somebody who finds nothing wrong."""
    key = json.loads((folder / KEY).read_text())["rows"]
    leaning = {name: str(1 + entry["options"].index(entry["prime"])) for name, entry in key.items()}
    return [
        {**row, "leaning": leaning[row["review_id"]], "grammatical": "yes", "pair_minimal": "Y"}
        for row in rows_of(folder)
    ]


def test_a_quarter_is_a_hundred_questions_an_indexical() -> None:
    cases = draw(BANK, 0.25, 0)
    assert Counter(case.question.indexical for case in cases) == dict.fromkeys(("I", "you", "here", "tomorrow"), 100)
    cells = Counter((c.question.indexical, c.question.sentence_type, c.question.context_prime) for c in cases)
    assert set(cells.values()) == {25}
    items = {case.question.item: case.question for case in cases}
    assert set(Counter((q.indexical, q.gender) for q in items.values()).values()) == {12, 13}
    assert set(Counter((q.indexical, q.marks) for q in items.values()).values()) == {12, 13}
    assert [case.id[:5] for case in cases[:2]] == ["r001-", "r002-"]
    assert draw(BANK, 0.25, 0) == cases != draw(BANK, 0.25, 1)


def test_a_sheet_tells_nothing_of_the_cells(folder: Path) -> None:
    text = (folder / "sheet.csv").read_text() + (folder / "review.html").read_text()
    assert not [level for level in ("non-shifted", "distractor", "here/0", "I/0") if level in text]
    first = Counter(case.order[0] == case.question.context_prime for case in draw(BANK, 0.25, 0))
    assert 160 < first[True] < 240  # the order of options says nothing either
    for row in rows_of(folder):
        assert row["last_sentence"] not in row["context"]
        assert ('"' in row["last_sentence"]) != ('"' in row["other_version"])


def test_a_sound_sheet_comes_back_sound(folder: Path) -> None:
    sheet = read_sheet(filled(folder, "ida", sound(folder)))
    assert (sheet.reviewer, sheet.notes) == ("ida", ())
    assert all(judgement.leaning == judgement.prime for judgement in sheet.judgements)
    lines = list(findings(sheet))
    assert lines[0] == "ida: 32 questions"
    assert "  grammatical: 32 of 32, I 8 of 8, you 8 of 8, here 8 of 8, tomorrow 8 of 8" in lines
    assert list(objections([sheet])) == []


def test_what_is_left_open_is_counted_and_said(folder: Path) -> None:
    rows = sound(folder)
    rows[0] |= {"leaning": "", "grammatical": ""}
    sheet = read_sheet(filled(folder, "half", rows[:-2]))
    assert sheet.notes == (
        "2 rows of the key are not in the sheet; they count as not read",
        "leaning is left open in 1 of 32 rows; they count as not read",
        "grammatical is left open in 1 of 32 rows; they count as not read",
    )
    assert "  grammatical: 29 of 29" in "\n".join(findings(sheet))


def test_judgements_alone_are_enough_and_a_spreadsheets_numbers_are_read(folder: Path) -> None:
    rows = [{**row, "leaning": row["leaning"] + ".0"} for row in sound(folder)]
    sheet = read_sheet(filled(folder, "short", rows, ("review_id", "leaning", "grammatical", "pair_minimal")))
    assert sheet.judgements == read_sheet(filled(folder, "long", sound(folder))).judgements


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"grammatical": "maybe"}, "has 'maybe' in grammatical of r001-"),
        ({"grammatical": "1"}, "; write one of yes, y, true, no, n, false, or nothing"),
        ({"leaning": "3"}, "has '3' in leaning of r001-"),
        ({"review_id": "r999"}, "row 1 has the review_id 'r999', which its key does not know"),
        ({"review_id": "SECOND"}, "row 2 repeats the review_id 'r002-"),
    ],
)
def test_bad_values_are_one_line(folder: Path, change: dict[str, str], words: str) -> None:
    rows = sound(folder)
    rows[0] |= {name: value.replace("SECOND", rows[1]["review_id"]) for name, value in change.items()}
    with pytest.raises(ItemsError) as caught:
        read_sheet(filled(folder, "bad", rows))
    assert words in str(caught.value)


def test_sheets_need_their_key_and_belong_together(folder: Path, tmp_path: Path) -> None:
    path = filled(folder, "ida", sound(folder))
    with pytest.raises(ItemsError, match=r"no '.*key.json'; put the sheet into the folder"):
        read_sheet(filled(tmp_path, "lost", sound(folder)))
    with pytest.raises(ItemsError, match="is given twice"):
        read_sheets([path, path])
    write_sheet(draw(BANK, 0.02, 1), tmp_path / "other", "bank")
    with pytest.raises(ItemsError, match="is of another review"):
        read_sheets([path, filled(tmp_path / "other", "nora", sound(tmp_path / "other"))])
    with pytest.raises(ItemsError, match="it is a sheet of another review, or the column was changed"):
        read_sheet(filled(folder, "strayed", sound(tmp_path / "other")))
    with pytest.raises(ItemsError, match="is given twice"):
        read_sheets([path, path.parent / ".." / path.parent.name / path.name])
    (tmp_path / "other" / KEY).write_text('{"rows": {"r001": {"question": "x"}}}')
    with pytest.raises(ItemsError, match=r"cannot read .*key.json|lacks parts"):
        read_sheet(tmp_path / "other" / "nora.csv")
    with pytest.raises(ItemsError, match="holds a review already"):
        write_sheet(draw(BANK, 0.02, 1), folder, "bank")


@pytest.mark.parametrize("share", [0, -1, 1.5])
def test_a_share_is_a_share(share: float) -> None:
    with pytest.raises(UsageError, match="is no share"):
        draw(BANK, share, 0)


def test_items_without_pairs_cannot_be_reviewed() -> None:
    with pytest.raises(ItemsError, match="no item has a quoted and a non-quoted question"):
        draw([question for question in BANK if question.sentence_type == "quoted"], 0.25, 0)


def test_kappa_by_hand() -> None:
    """20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: p_o = .7, p_e = .5, κ = .4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(pairs) == pytest.approx(0.4)
    assert kappa([("y", "y")] * 9) is None
    assert kappa([]) is None
    assert kappa([("y", "n"), ("n", "y")]) == pytest.approx(-1)


def test_two_reviewers_are_compared_and_every_disagreement_is_listed(folder: Path) -> None:
    rows = sound(folder)
    one = filled(folder, "ida", rows)
    rows[0] |= {"grammatical": "no", "comment": "a comma is missing"}
    rows[1] |= {"leaning": "0"}
    rows[2] |= {"comment": "a fine scene"}
    sheets = read_sheets([one, filled(folder, "nora", rows)])
    lines = list(comparison(*sheets))
    assert lines[0] == "ida and nora: 32 questions"
    assert lines[1] == "  grammatical: the same answer in 31 of 32 (0.969), κ 0.00"
    assert lines[2].endswith("κ not defined, no answer varies")
    first = next(iter(json.loads((folder / KEY).read_text())["rows"].values()))["question"]
    assert f"  {first}: grammatical: ida yes, nora no ('a comma is missing')" in lines
    told = "\n".join(report(sheets))
    assert "not sound to somebody: 2 questions" in told
    assert f"  {first}: nora not grammatical ('a comma is missing')" in told
    assert "no leaning: 1; against the prime: 0" in told
    assert "comments on what was found sound: 1" in told
    assert "nora ('a fine scene')" in told


def _other_tab(browser: webdriver.Chrome) -> None:
    """Answer the last question in another tab meanwhile."""
    here = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(_PAGES[here])
    browser.execute_script("place = rows.length - 1; show();")
    browser.find_element(By.TAG_NAME, "body").send_keys("1", "y", "y")
    browser.close()
    browser.switch_to.window(here)


_PAGES: dict[str, str] = {}


@pytest.fixture
def browser(chromium: str, folder: Path, tmp_path: Path) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.add_experimental_option("prefs", {"download.default_directory": str(tmp_path / "saved")})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.get((folder / "review.html").as_uri())
    _PAGES[driver.current_window_handle] = driver.current_url
    yield driver
    driver.quit()


def test_the_page_is_worked_by_keyboard_keeps_answers_and_saves_a_sheet(
    browser: webdriver.Chrome, folder: Path, tmp_path: Path
) -> None:
    answers = sound(folder)
    body = browser.find_element(By.TAG_NAME, "body")
    assert not browser.find_element(By.ID, "sentence").is_displayed()  # first the context alone
    for row in answers[:3]:
        body.send_keys(row["leaning"], "y")
        assert browser.find_element(By.ID, "sentence").is_displayed()
        body.send_keys("n")
    assert browser.find_element(By.ID, "place").text.endswith(", 4 of 32; 3 done.")
    body.send_keys("2", "1", "n", Keys.BACKSPACE, Keys.BACKSPACE)  # a choice is changed, then all is taken back
    assert not browser.find_element(By.ID, "sentence").is_displayed()
    _other_tab(browser)
    body.send_keys("c")
    browser.switch_to.active_element.send_keys('a "comma", n 1')
    browser.refresh()
    assert browser.find_element(By.ID, "place").text.endswith(", 4 of 32; 4 done.")  # goes on where it was
    browser.find_element(By.ID, "save").click()
    saved = tmp_path / "saved" / "my-name.csv"
    for _ in range(100):
        if saved.exists():
            break
        browser.implicitly_wait(0.1)
        browser.find_elements(By.ID, "nothing")
    assert browser.get_log("browser") == []
    saved.rename(folder / "ida.csv")
    judgements = read_sheet(folder / "ida.csv").judgements
    assert [(j.leaning == j.prime, j.grammatical, j.pair_minimal) for j in judgements[:3]] == [(True, "yes", "no")] * 3
    assert judgements[3].comment == 'a "comma", n 1'
    assert {j.grammatical for j in judgements[3:-1]} == {""}
    assert judgements[-1].grammatical == "yes"  # what the other tab answered
