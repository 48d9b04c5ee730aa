"""The texts that a study shows, in Markdown as the researcher writes them, as HTML as pages have them. No raw HTML."""

from collections.abc import Mapping
from pathlib import Path

from deixis.errors import UsageError
from deixis.study.settings import Plan

CONSENT, DEBRIEFING = "consent.md", "debriefing.md"


def names(plan: Plan) -> tuple[str, ...]:
    """Return the names of the files, within the folder of the study."""
    return (CONSENT, *(instructions(block.id) for block in plan.design.blocks), DEBRIEFING)


def instructions(block: str) -> str:
    """Return the name of the file with a block's instructions."""
    return f"instructions/{block}.md"


def read_texts(plan: Plan, folder: Path) -> Mapping[str, str]:
    """Return every text by the name of its file; raises :class:`UsageError` for one that cannot be read."""
    found = {}
    for name in names(plan):
        try:
            found[name] = (folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise UsageError(f"cannot read {str(folder / name)!r}; write it, in Markdown and UTF-8") from None
    return found


def html(text: str) -> str:
    """Return Markdown as HTML; what is HTML in it is shown as text, pictures of elsewhere are left out."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  (not needed by most commands)

    return str(MarkdownIt("commonmark", {"html": False}).disable("image").render(text))
