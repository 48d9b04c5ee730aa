"""The page at other hosts, each with a stand-in for what the host itself brings."""

import json
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from tests.study.web import driving, samples
from tests.study.web.driving import Person

JATOS = """
  const kept = JSON.parse(sessionStorage.jatos || '{"data": {}, "batch": {}, "results": "", "ended": []}');
  const keep = () => { sessionStorage.jatos = JSON.stringify(kept); return Promise.resolve(); };
  let conflicts = 2;
  window.jatos = {
    onLoad: begin => setTimeout(begin, 50),
    get studySessionData() { return kept.data; },
    setStudySessionData(data) { kept.data = JSON.parse(JSON.stringify(data)); return keep(); },
    batchSession: {
      get: key => kept.batch[key],
      set(key, value) {
        if (conflicts-- > 0) return Promise.reject(new Error("somebody was faster"));
        kept.batch[key] = value;
        return keep();
      },
    },
    appendResultData(text) { kept.results += text; return keep(); },
    endStudyWithoutRedirect(well) { kept.ended.push(well); return keep(); },
    abortStudyWithoutRedirect() { kept.results = ""; kept.ended.push("aborted"); return keep(); },
  };
"""
PIPE = """
  let lost = 1;
  window.fetch = (address, {body}) => {
    if (lost-- > 0) return Promise.reject(new TypeError("no connection"));
    const files = JSON.parse(localStorage.piped || "[]");
    files.push([address, JSON.parse(body)]);
    localStorage.piped = JSON.stringify(files);
    return Promise.resolve(new Response(JSON.stringify({message: "Success"}), {status: 201}));
  };
"""
PAVLOVIA = """
  window.commands = [];
  window.jsPsychPavlovia = class {
    static info = {name: "pavlovia", version: "1", parameters: {command: {default: "init"}}, data: {}};
    constructor(jsPsych) { this.jsPsych = jsPsych; }
    trial(display, trial) { commands.push([trial.command, this.jsPsych.data.get().csv()]); this.jsPsych.finishTrial(); }
  };
"""


@pytest.fixture
def made() -> tuple[dict[str, Any], dict[str, bytes]]:
    """A short study with two lists."""
    written, files = samples.manifest(2, 0, 0)
    written["lists"]["2"] = written["lists"]["1"]
    written["host"] = {"experiment": "abc"}
    return written, files


def opened(chrome: webdriver.Chrome, folder: Path, made: Any, host: str, script: str) -> Person:
    driving.resize(chrome, 1000, 800)
    driving.motion(chrome, reduced=True)
    return Person(chrome, samples.folder(folder, made, host, script).as_uri()).arrive()


def test_jatos(chrome: webdriver.Chrome, tmp_path: Path, made: Any) -> None:
    person = opened(chrome, tmp_path, made, "jatos", JATOS)

    def kept() -> dict[str, Any]:
        return json.loads(chrome.execute_script("return sessionStorage.jatos"))

    person.until(lambda one: "1 of 3" in one.heading).choose()
    assert sorted(kept()["batch"]["deixis-arms"].values()) == [1]
    before = kept()["results"].splitlines()
    assert [json.loads(line)["type"] for line in before] == ["session", "answer", "session", "answer"]
    where = person.heading
    person.arrive(anew=False)
    assert person.heading == where, "a reload goes on"
    person.to("ending")
    lines = [json.loads(line) for line in kept()["results"].splitlines()]
    assert len({line["key"] for line in lines if line["type"] == "answer"}) == 4
    assert lines[-1]["type"] == "end"
    assert kept()["ended"] == [True]


def test_jatos_gives_the_place_back_and_deletes(chrome: webdriver.Chrome, tmp_path: Path, made: Any) -> None:
    person = opened(chrome, tmp_path, made, "jatos", JATOS)
    chrome.execute_script("sessionStorage.clear()")
    person.arrive().until(lambda one: "1 of 3" in one.heading).choose().leave("delete")
    kept = json.loads(chrome.execute_script("return sessionStorage.jatos"))
    assert list(kept["batch"]["deixis-arms"].values()) == [0]
    assert (kept["results"], kept["ended"]) == ("", ["aborted"])
    chrome.execute_script("sessionStorage.clear()")


def test_datapipe(chrome: webdriver.Chrome, tmp_path: Path, made: Any) -> None:
    person = opened(chrome, tmp_path, made, "datapipe", PIPE).to("ending")
    assert person.heading == "You have finished. Thank you!"
    files = json.loads(chrome.execute_script("return localStorage.piped"))
    assert {address for address, _ in files} == {"https://pipe.jspsych.org/api/data/"}
    assert {body["experimentID"] for _, body in files} == {"abc"}
    names = [body["filename"] for _, body in files]
    assert len(set(names)) == len(names) > 1
    lines = [[json.loads(line) for line in body["data"].splitlines()] for _, body in files]
    assert {first["type"] for first, *_ in lines} == {"session"}
    keys = [line["key"] for file in lines for line in file if line["type"] == "answer"]
    assert len(keys) == len(set(keys)) == 4


def test_pavlovia(chrome: webdriver.Chrome, tmp_path: Path, made: Any) -> None:
    opened(chrome, tmp_path, made, "pavlovia", PAVLOVIA).to("ending")
    (first, _), (last, table) = chrome.execute_script("return window.commands")
    assert (first, last) == ("init", "finish")
    assert table.count('"answer"') == 4
    assert '"design_sha256"' in table.splitlines()[0]


def test_cognition(chrome: webdriver.Chrome, tmp_path: Path, made: Any) -> None:
    """It stores what jsPsych records, and the page there is not ours."""
    path = samples.folder(tmp_path, made, "cognition")
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("<body>")] + "<body></body></html>", encoding="utf-8")
    Person(chrome, path.as_uri()).arrive().to("ending")
    rows = chrome.execute_script("return deixis.jsPsych.data.get().filter({type: 'answer'}).values()")
    assert len({row["key"] for row in rows}) == len(rows) == 4
    assert {row["arm"] for row in rows} <= {"1", "2"}
    assert {row["study"] for row in rows} == {"sample"}
