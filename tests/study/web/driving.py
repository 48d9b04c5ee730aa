"""Somebody at the page of a study: opens it, reads, answers by mouse, touch or keys, and is as slow as people are."""

import json
import time
from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SEEN = 0.27
"""Seconds that somebody looks before answering: more than the quarter that is too soon."""
_KIND = """
const study = document.getElementById("study");
for (const kind of ["scene-choice", "text-choice", "scene-rating", "ending"]) {
  if (study.querySelector("." + kind)) return kind;
}
return study.querySelector(".actions") ? "page" : "waiting";
"""


def browser(chromium: str) -> webdriver.Chrome:
    """Start a browser without a window that writes down what its console says."""
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))


def resize(driver: webdriver.Chrome, width: int, height: int, *, touch: bool = False) -> None:
    """Make the window a computer's or a phone's."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})


def motion(driver: webdriver.Chrome, *, reduced: bool) -> None:
    """Ask for less motion, or no longer."""
    value = "reduce" if reduced else "no-preference"
    feature = {"features": [{"name": "prefers-reduced-motion", "value": value}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)


class Person:
    """One page of a study in one window of a browser."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        self.address = address

    def arrive(self, *, anew: bool = True) -> "Person":
        """Open the page; ``anew`` as somebody whom the browser does not know."""
        self.driver.get(self.address)
        if anew:
            self.driver.execute_script("localStorage.clear()")
            self.driver.get("about:blank")
            self.driver.get(self.address)
        return self.settle()

    def settle(self) -> "Person":
        """Wait until there is something to do, and look at it for a moment."""
        WebDriverWait(self.driver, 20, 0.02).until(lambda _: self.kind != "waiting")
        time.sleep(SEEN)
        return self

    @property
    def kind(self) -> str:
        """What the page shows: page, one of the three kinds of trials, ending, or waiting."""
        return str(self.driver.execute_script(_KIND))

    @property
    def heading(self) -> str:
        """The heading."""
        return self.one("h1").text

    def one(self, css: str) -> WebElement:
        """The first element that fits."""
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css: str) -> list[WebElement]:
        """Every element that fits."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def after(self, action: Callable[[], Any]) -> "Person":
        """Do something, and wait until the page shows something else."""
        before = self.one("h1")
        action()
        WebDriverWait(self.driver, 20, 0.02).until(lambda _: gone(before))
        return self.settle()

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def turn(self) -> "Person":
        """Press the main button of a page to read."""
        return self.after(self.one(".actions .main").click)

    def choose(self, place: int = 0) -> "Person":
        """Choose an option with the pointer."""
        return self.after(self.all(".option")[place].click)

    def rate(self, ratings: tuple[int, ...] = (7, 5, 3, 1)) -> "Person":
        """Rate all objects with the pointer and go on."""
        for row, value in zip(self.all(".rating"), ratings, strict=True):
            row.find_elements(By.TAG_NAME, "input")[value - 1].click()
        return self.after(self.one(".ratings button").click)

    def answer(self) -> "Person":
        """Do what the page asks for, whatever it is."""
        acts = {"page": self.turn, "scene-choice": self.choose, "text-choice": self.choose, "scene-rating": self.rate}
        return acts[self.kind]()

    def until(self, done: Callable[["Person"], bool]) -> "Person":
        """Go on answering until something is so."""
        for _ in range(200):
            if done(self):
                return self
            self.answer()
        raise AssertionError(f"the study never came so far: {self.heading}")

    def to(self, kind: str) -> "Person":
        """Go on until a page of a kind is there."""
        return self.until(lambda person: person.kind == kind)

    def leave(self, way: str) -> "Person":
        """Stop taking part: keep or delete."""
        self.one("button.stop").click()
        return self.after(self.one(f"dialog [data-way={way}]").click)

    def lines(self) -> list[dict[str, Any]]:
        """What the host without a server has kept."""
        script = (
            "return Object.keys(localStorage).filter(k => k.includes(':lines:')).map(k => localStorage[k]).join('')"
        )
        return [json.loads(line) for line in self.driver.execute_script(script).splitlines()]

    def answers(self) -> list[dict[str, Any]]:
        """The answers among them."""
        return [line for line in self.lines() if line["type"] == "answer"]

    def overflow(self) -> int:
        """By how many pixels the page is too wide."""
        return int(self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth"))


def wait(true: Callable[[], object], seconds: float = 15) -> None:
    """Wait until something is so."""
    limit = time.time() + seconds
    while not true():
        assert time.time() < limit, "it never came to that"
        time.sleep(0.05)


def gone(element: WebElement) -> bool:
    """Whether an element is no longer in the page."""
    try:
        return not element.is_enabled()
    except StaleElementReferenceException:
        return True


TAB, ENTER, SPACE = Keys.TAB, Keys.ENTER, Keys.SPACE
