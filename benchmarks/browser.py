"""How large the trial browser's page is, how soon it opens and how soon it filters, in headless Chromium.

    python -m benchmarks.browser [--models 12] [--keep PAGE.html]

Takes the main condition of four experiments, 20,096 trials with their pictures, of which the page holds 20,000, and
scripted models that answer each in words. Compared with the same page with its trials as plain JSON, and with a filter
that makes a row for every trial found, as a list that is not virtual has to.
"""

import argparse
import base64
import gzip
import json
import shutil
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from deixis.experiments import experiment
from deixis.records import Response, Trial
from deixis.report.browser.choosing import MOST, choose, quotas
from deixis.report.browser.entries import Entries, entries
from deixis.report.browser.fragment import fragment
from deixis.report.browser.packing import payload
from deixis.scoring.results import DesignResults, Result, Scored, rows_of
from deixis.scoring.score import score
from deixis.seeds import derived

EXPERIMENTS = ("indexicals", "vocabulary", "possessive", "demonstrative")
FILTERS = (
    ("Text contains", "accordion"),
    ("Text contains", "the right"),
    ("Text contains", ""),
    ("Compared", "differ"),
    ("Compared", "one-wrong"),
    ("Compared", ""),
    ("Right or wrong", "0"),
    ("Participant", "scripted/model-1"),
    ("Error class", "PPE"),
    ("Participant", "anyone"),
)
PUT = """
const [name, value, done] = arguments, root = document.getElementById("trials");
const control = [...root.querySelectorAll("label")].find(one => one.firstChild.textContent === name).lastChild;
const start = performance.now();
control.value = value;
control.dispatchEvent(new Event(control.tagName === "INPUT" ? "input" : "change"));
root.getBoundingClientRect();
done(performance.now() - start);
"""
EVERY_ROW = """
const start = performance.now(), list = document.createElement("div"), rows = [];
for (let at = 0; at < arguments[0]; at++) {
  const [row, id, under] = ["div", "span", "span"].map(tag => document.createElement(tag));
  id.textContent = `possessive/g01-accordion-clipboard/aabb/t0/boy-speaks/${at}`;
  under.textContent = `possessive-main · ${at % 12} of 12 right · answer: I prefer mine`;
  row.append(id, under);
  rows.push(row);
}
list.append(...rows);
document.body.append(list);
list.getBoundingClientRect();
const took = performance.now() - start;
list.remove();
return took;
"""
READY = "return document.getElementById('trials').dataset.ready"
TIMES = """
const [page] = performance.getEntriesByType("navigation");
return [page.loadEventEnd, performance.getEntriesByName("trials-ready")[0].startTime];
"""


def parts(models: int) -> list[Entries]:
    """Return the trials with the answers of scripted models, who are right the more often the higher their number."""
    designs = [experiment(name).design() for name in EXPERIMENTS]
    sizes = [len(design.trials) for design in designs]
    found = []
    for design, room in zip(designs, quotas(sizes, sizes), strict=True):
        ids = frozenset(choose(design.trials, (), room, 0))
        trials = [trial for trial in design.trials if trial.id in ids]
        results = tuple(_answers(f"scripted/model-{number}", trials, number, models) for number in range(models))
        name = f"{design.experiment}-{design.condition}"
        found.append(entries(DesignResults(name, dict(design.signature), (), design.prompts, results), ids))
    return found


def _answers(participant: str, trials: list[Trial], number: int, models: int) -> Result:
    rows = []
    for trial in trials:
        drawn = derived(number, trial.id)
        place = trial.answer if drawn % 100 < 40 + 60 * number // models else drawn // 100 % len(trial.options)
        said = trial.options[place].text
        text = said if drawn % 3 else f"Looking at the scene again ({drawn % 9973}), the right message is: {said}."
        response = Response(trial.id, text=text, finish="stop")
        rows.append(Scored(trial, score(trial, response, "strict", ""), response))
    return Result(participant, {"participant": participant}, rows_of(rows))


def page(made: str) -> str:
    """Return a page with nothing but the browser."""
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>trials</title></head>'
    return f"{head}<body>{made}</body></html>"


def plain(packed: str) -> str:
    """Return the same page with its trials as JSON that is not packed."""
    text = gzip.decompress(base64.b64decode(packed)).decode("ascii").replace("<", "\\u003c")
    unpacking = files("deixis.report.browser").joinpath("script", "unpacking.js").read_text(encoding="utf-8")
    made = str(fragment("PACKED")).replace(unpacking, "const unpacked = async letters => JSON.parse(letters);")
    return page(made.replace("PACKED", text))


def opened(driver: webdriver.Chrome, path: Path) -> list[float]:
    """Open a page three times; return the median milliseconds until it is loaded, and until the trials are there."""
    times = []
    for _ in range(3):
        driver.get("about:blank")
        driver.get(path.as_uri())
        WebDriverWait(driver, 60, 0.02).until(lambda one: one.execute_script(READY))
        times.append(driver.execute_script(TIMES))
    return [median(column) for column in zip(*times, strict=True)]


def chrome() -> webdriver.Chrome:
    """Start a browser without a window."""
    options = webdriver.ChromeOptions()
    for flag in ("headless", "no-sandbox", "disable-gpu", "window-size=1280,1000"):
        options.add_argument(f"--{flag}")
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    return webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=12)
    parser.add_argument("--keep", type=Path, help="where to keep the page")
    asked = parser.parse_args()
    made = parts(asked.models)
    count = sum(part.count for part in made)
    start = time.perf_counter()
    packed = payload(made)
    took = time.perf_counter() - start
    driver = chrome()
    with tempfile.TemporaryDirectory() as name:
        ours, theirs = Path(name) / "ours.html", Path(name) / "plain.html"
        ours.write_text(page(fragment(packed)), encoding="utf-8")
        theirs.write_text(plain(packed), encoding="utf-8")
        if asked.keep:
            asked.keep.write_bytes(ours.read_bytes())
        sizes = [path.stat().st_size / 1e6 for path in (ours, theirs)]
        slow = opened(driver, theirs)
        fast = opened(driver, ours)
        filters: dict[Any, float] = {one: driver.execute_async_script(PUT, *one) for one in FILTERS}
        rows = median(driver.execute_script(EVERY_ROW, count) for _ in range(3))
    driver.quit()
    print(f"{count:,} trials (of {MOST:,} at most), {asked.models} participants; packed in {took:.1f} s")
    print(f"size: {sizes[0]:.1f} MB; as plain JSON {sizes[1]:.1f} MB, ratio {sizes[1] / sizes[0]:.1f}")
    print(f"page loaded after {fast[0]:.0f} ms, trials there after {fast[1]:.0f} ms", end="; ")
    print(f"as plain JSON {slow[0]:.0f} and {slow[1]:.0f} ms")
    for (title, value), milliseconds in filters.items():
        print(f"  {json.dumps([title, value])}: {milliseconds:.0f} ms")
    middle, worst = median(filters.values()), max(filters.values())
    print(f"filters: median {middle:.0f} ms, slowest {worst:.0f} ms", end="; ")
    print(f"a row for every trial: {rows:.0f} ms, ratio {rows / middle:.0f}")


if __name__ == "__main__":
    main()
