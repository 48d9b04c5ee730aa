"""Write docs/commands.md from the --help texts, or check that it is up to date (``--check``)."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from deixis.cli.app import app

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
HEAD = """# Commands

What `--help` says, for every command. Written by `scripts/commands.py`; `scripts/check` fails where it is out of date.
Data goes to stdout, talk to stderr, progress bars only to a terminal. Exit codes: 0 fine, 1 a check failed, 2 used
wrongly, 3 the run ended with trials unanswered.
"""


def commands(group: Any, name: str = "") -> Iterator[str]:
    """Yield every command by its words, a group before its members."""
    yield name
    for word, command in getattr(group, "commands", {}).items():
        yield from commands(command, f"{name} {word}".strip())


def page() -> str:
    """Return the page as it should be."""
    os.environ.update(COLUMNS="100", TERMINAL_WIDTH="100", NO_COLOR="1")
    parts = [HEAD]
    for command in commands(get_command(app)):
        shown = CliRunner().invoke(app, [*command.split(), "--help"], prog_name="deixis").output
        text = "\n".join(line.rstrip() for line in shown.strip().splitlines())
        parts.append(f"## {f'deixis {command}'.strip()}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def main() -> None:
    """Write or check the page."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("docs/commands.md is out of date; run scripts/commands.py")


if __name__ == "__main__":
    main()
