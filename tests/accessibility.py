"""What axe-core says of a page: the rules of accessibility that a program can check, in a browser that shows it."""

from importlib.resources import files

import pytest
from selenium import webdriver

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")
"""Which rules: levels A and AA of WCAG 2.1, and what axe-core itself counts as good practice."""
_RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {runOnly: {type: "tag", values: arguments[0]}, resultTypes: ["violations"]})
  .then(found => done(found.violations), error => done([{id: "axe", help: String(error), nodes: []}]));
"""


def violations(driver: webdriver.Chrome) -> list[str]:
    """Return every rule that the page as it is shown now breaks, each with the elements that break it.

    Skips where the package axe-core-python, which carries axe-core, is not installed.
    """
    pytest.importorskip("axe_core_python")
    script = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    driver.execute_script(script)
    found = driver.execute_async_script(_RUN, list(TAGS))
    return [
        f"{one['id']}: {one['help']}: " + "; ".join(" ".join(map(str, node["target"])) for node in one["nodes"])
        for one in found
    ]
