"""A browser for the tests of a file, and a small study in a folder."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from deixis.errors import UsageError
from deixis.study.web import content
from tests.study.web import driving, samples


@pytest.fixture(scope="session")
def library() -> None:
    """The library that the pages run with."""
    try:
        content("jspsych.js")
    except UsageError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def chrome(chromium: str, library: None) -> Iterator[webdriver.Chrome]:
    """One browser for all tests of a file."""
    driver = driving.browser(chromium)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def study(library: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a study of all three kinds that needs no server."""
    return samples.folder(tmp_path_factory.mktemp("study")).as_uri()


@pytest.fixture
def person(chrome: webdriver.Chrome, study: str) -> Iterator[driving.Person]:
    """Somebody new at a computer."""
    driving.resize(chrome, 1280, 800)
    driving.motion(chrome, reduced=True)
    chrome.get_log("browser")
    yield driving.Person(chrome, study).arrive()
    assert [entry["message"] for entry in chrome.get_log("browser")] == []
