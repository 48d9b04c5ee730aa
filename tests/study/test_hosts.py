"""Packages for other hosts hold the same page, the same design, nothing of what is right, and say what is lost."""

import json
import re
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.study import web
from deixis.study.folder import Study
from deixis.study.hosts.jatos import folder_of, jatos, uuid_of
from deixis.study.hosts.others import PAVLOVIA, cognition, datapipe
from deixis.study.hosts.packing import HOSTS, pack
from deixis.study.hosts.telling import LOSSES
from tests.study.people import made, trials_in


@pytest.fixture
def study() -> Study:
    try:
        web.contents()
    except UsageError as error:
        pytest.skip(str(error))
    return made("production-vocabulary")


def packed(study: Study, host: str, out: Path) -> dict[str, bytes]:
    """The files of a package by their path."""
    written = pack(study, host, out / "package", "AbCd1234" if host == "datapipe" else "")
    if written.is_dir():
        return {str(p.relative_to(written)): p.read_bytes() for p in written.rglob("*") if p.is_file()}
    with zipfile.ZipFile(written) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def manifest_in(files: dict[str, bytes]) -> dict[str, object]:
    script = next(data for name, data in files.items() if name.endswith("manifest.js")).decode("ascii")
    found: dict[str, object] = json.loads(script.removeprefix("window.deixisManifest = ").rstrip().removesuffix(";"))
    return found


@pytest.mark.parametrize("host", HOSTS)
def test_a_package_holds_the_study_and_nothing_of_what_is_right(study: Study, host: str, tmp_path: Path) -> None:
    files = packed(study, host, tmp_path)
    manifest = manifest_in(files)
    manifest.pop("host")
    assert manifest == json.loads(json.dumps(study.manifest.to_json()))
    everything = b"\n".join(data for name, data in files.items() if not name.endswith("jspsych.js")).decode()
    for trial in trials_in(str(study.folder)).values():
        assert trial.id not in everything
    assert "gazes" not in everything


@pytest.mark.parametrize("host", HOSTS)
def test_a_readme_says_what_is_lost_which_design_it_is_and_how_answers_come_back(
    study: Study, host: str, tmp_path: Path
) -> None:
    files = packed(study, host, tmp_path)
    text = next(data for name, data in files.items() if name.endswith("README.md")).decode()
    assert study.manifest.design_sha256 in text
    assert "deixis study import pilot FILES" in text
    assert sum(line in text for line in LOSSES.values()) >= 6
    assert ("We have not tried this host" in text) == (host != "static")


@pytest.mark.parametrize("host", ["static", "jatos", "pavlovia", "datapipe"])
def test_everything_that_the_page_asks_for_is_there(study: Study, host: str, tmp_path: Path) -> None:
    files = packed(study, host, tmp_path)
    root = f"{folder_of('pilot')}/" if host == "jatos" else ""
    page = files[f"{root}index.html"].decode()
    asked = re.findall(r'<script defer src="([^"]+)"', page) + re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    theirs = {"jatos": {"jatos.js"}, "pavlovia": set(PAVLOVIA)}.get(host, set())
    assert {name for name in asked if root + name not in files} == theirs
    assert f"web/host-{host}.js" in asked
    assert asked.index("web/jspsych.js") < asked.index(f"web/host-{host}.js")
    if host == "pavlovia":
        assert asked.index("web/jspsych.js") < asked.index(PAVLOVIA[0]) < asked.index("web/host-pavlovia.js")
    pictures = {one.picture for one in study.manifest.stimuli.values()}
    assert {name.removeprefix(f"{root}pictures/") for name in files if "pictures/" in name} == pictures


def test_a_static_page_may_ask_nobody_else(study: Study, tmp_path: Path) -> None:
    page = packed(study, "static", tmp_path)["index.html"].decode()
    assert "default-src 'none'; script-src 'self'" in page
    assert "http" not in re.sub(r"http-equiv", "", page)


def test_a_jatos_archive_is_one_jas_and_one_folder(study: Study) -> None:
    data = jatos(study.plan, study.manifest, dict.fromkeys(("a.svg",), b"<svg/>"))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        names = archive.namelist()
        properties = json.loads(archive.read("pilot.jas"))
    assert [name for name in names if name.endswith(".jas")] == ["pilot.jas"]
    assert {name.split("/")[0] for name in names} == {"pilot.jas", "deixis_pilot"}
    found = properties["data"]
    assert (properties["version"], found["dirName"], found["uuid"]) == ("3", "deixis_pilot", str(uuid_of("pilot")))
    (component,) = found["componentList"]
    assert component["reloadable"] is True
    assert f"deixis_pilot/{component['htmlFilePath']}" in names
    assert len({found["uuid"], component["uuid"], found["batchList"][0]["uuid"]}) == 3
    assert data == jatos(study.plan, study.manifest, dict.fromkeys(("a.svg",), b"<svg/>"))


def test_the_completion_code_is_there_only_with_prolific(study: Study) -> None:
    plan = replace(study.plan, prolific=True, codes={"complete": "C0DE1234"})
    for declared, wanted in ((plan, True), (replace(plan, prolific=False), False)):
        files = cognition(declared, study.manifest, {})
        assert (b"C0DE1234" in files["1-manifest.js"]) is wanted


def test_cognition_takes_scripts_alone_in_an_order(study: Study, tmp_path: Path) -> None:
    files = packed(study, "cognition", tmp_path)
    assert sorted(files) == ["1-manifest.js", "2-pictures.js", "3-deixis.js", "README.md", "study.css", "task-code.js"]
    script = files["3-deixis.js"].decode()
    places = [script.index(part) for part in ("deixis.picture = load", "deixisPictures", "The host cognition.run")]
    assert places == sorted(places)
    assert files["2-pictures.js"].count(b"data:image/svg+xml;base64,") == 36
    assert b"deixisTurn" in files["task-code.js"]


@pytest.mark.parametrize("name", ["", "a b", "<script>"])
def test_datapipe_needs_an_experiment(study: Study, name: str) -> None:
    with pytest.raises(UsageError, match="give --experiment ID"):
        datapipe(study.plan, study.manifest, {}, name)


def test_a_folder_with_something_else_is_left_alone(study: Study, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("two years")
    with pytest.raises(UsageError, match="is no package of 'pilot' and not empty"):
        pack(study, "static", tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    pack(study, "static", tmp_path / "new")
    pack(study, "static", tmp_path / "new")
    other = replace(study, manifest=replace(study.manifest, study="other"))
    with pytest.raises(UsageError, match="is no package of 'other'"):
        pack(other, "static", tmp_path / "new")
    with pytest.raises(UsageError, match="says nothing to static"):
        pack(study, "static", tmp_path / "new", "AbCd")
