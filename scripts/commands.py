"""Write docs/commands.md from the --help texts, or check that it is up to date (``--check``)."""

import os
import sys
from pathlib import Path

from typer.testing import CliRunner

from deixis.cli.app import app

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
COMMANDS = ("", "run", "score", "report", "trials", "show", "participants", "items import")
HEAD = """# Commands

What `--help` says, for every command. Written by `scripts/commands.py`; `scripts/check` fails where it is out of date.
Data goes to stdout, talk to stderr, progress bars only to a terminal. Exit codes: 0 fine, 1 a check failed, 2 used
wrongly, 3 the run ended with trials unanswered.
"""


def page() -> str:
    """Return the page as it should be."""
    os.environ.update(COLUMNS="100", TERMINAL_WIDTH="100", NO_COLOR="1")
    parts = [HEAD]
    for command in COMMANDS:
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
