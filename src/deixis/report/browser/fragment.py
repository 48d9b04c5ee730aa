"""The browser as a piece of a page: markup, style, trials and script in one; and the policy such a page can have."""

import base64
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from urllib.parse import quote

from markupsafe import Markup

_SCRIPTS = ("unpacking", "trials", "finding", "listing", "showing", "asking", "start")
"""Parts of the script in their order."""


def fragment(payload: str) -> Markup:
    """Return the section ``trials`` of a page around what :func:`~deixis.report.browser.packing.payload` gave.

    Nothing in it refers to anything outside. One of it can stand in a page.
    """
    shown = files("deixis.report.browser").joinpath("browser.html").read_text(encoding="utf-8")
    for name, text in (("style", style()), ("payload", payload), ("script", script())):
        shown = shown.replace(f"{{{{ {name} }}}}", text)
    return Markup(shown)  # noqa: S704  (our own files, and letters of Base64)


def style() -> str:
    """Return the style sheet."""
    return files("deixis.report.browser").joinpath("browser.css").read_text(encoding="utf-8")


def script() -> str:
    """Return the whole script; no name of it is seen outside."""
    folder = files("deixis.report.browser").joinpath("script")
    parts = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS]
    return "(() => {\n" + "\n".join(['"use strict";', *parts]) + "})();\n"


def anchor(signature: Mapping[str, str | int], trial_id: str) -> str:
    """Return the link within the page that opens a trial of a design; several runs of one design share the first's."""
    name = "/".join(str(signature[part]) for part in ("experiment", "condition", "protocol"))
    return "#trial=" + quote(f"{name}/{trial_id}", safe="/")


def policy(page: str) -> str:
    """Return the strictest content security policy under which a page works whose every part is in it.

    Scripts and style sheets are known by their hashes, so nothing else can run; ``style`` attributes do not count.
    """
    sources = {
        name: " ".join(dict.fromkeys(f"'sha256-{_hashed(text)}'" for text in found)) or "'none'"
        for name, found in (
            ("script-src", re.findall(r"<script>(.*?)</script>", page, re.DOTALL)),
            ("style-src", re.findall(r"<style>(.*?)</style>", page, re.DOTALL)),
        )
    }
    named = "; ".join(f"{name} {source}" for name, source in sources.items())
    return f"default-src 'none'; {named}; img-src data:; base-uri 'none'; form-action 'none'"


def _hashed(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()
