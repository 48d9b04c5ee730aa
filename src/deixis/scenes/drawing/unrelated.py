"""Pictures that have nothing to do with any scene: no table, no child, no object. For the baseline of that name."""

from collections.abc import Mapping

from deixis.scenes.drawing.layout import HEIGHT, WIDTH
from deixis.scenes.drawing.rooms import BACKGROUNDS


def _page(colour: str, drawing: str) -> str:
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour}"/>{drawing}'


def _rings() -> str:
    return "".join(
        f'<circle cx="448" cy="336" r="{r}" fill="none" stroke="{colour}" stroke-width="24"/>'
        for r, colour in ((60, "#7FB7BE"), (130, "#D3A588"), (200, "#7FB7BE"), (270, "#D3A588"))
    )


def _waves() -> str:
    return "".join(
        f'<path d="M0 {y}q112-60 224 0t224 0 224 0 224 0" fill="none" stroke="#5B8FB9" stroke-width="16"/>'
        for y in range(96, HEIGHT, 96)
    )


def _stripes() -> str:
    return "".join(f'<rect x="{x}" width="64" height="{HEIGHT}" fill="#C9B6E4"/>' for x in range(0, WIDTH, 128))


def _dots() -> str:
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="26" fill="#F08A5D"/>'
        for x in range(64, WIDTH, 128)
        for y in range(56, HEIGHT, 112)
    )


def _houses() -> str:
    return "".join(
        f'<rect x="{x}" y="{y}" width="150" height="{640 - y}" fill="{colour}"/>'
        f'<path d="M{x - 15} {y}L{x + 75} {y - 90}L{x + 165} {y}z" fill="#8C4A3C"/>'
        f'<rect x="{x + 55}" y="{y + 50}" width="40" height="50" fill="#FFF3C4"/>'
        for x, y, colour in ((90, 360, "#E2B07A"), (300, 300, "#9DB5B2"), (520, 390, "#D98E73"), (700, 330, "#B7C68B"))
    )


def _hills() -> str:
    return (
        '<path d="M0 480q240-220 480-60t416-80v332H0z" fill="#8FB996"/>'
        '<path d="M0 560q300-140 560-20t336-60v192H0z" fill="#6A994E"/>'
    )


POOL: Mapping[str, str] = {
    **{f"unrelated-{name}": drawing for name, drawing in BACKGROUNDS.items()},
    "unrelated-rings": _page("#F7F3EB", _rings()),
    "unrelated-waves": _page("#E8F1F8", _waves()),
    "unrelated-stripes": _page("#F6F1FB", _stripes()),
    "unrelated-dots": _page("#FFF6EC", _dots()),
    "unrelated-houses": _page("#D6EAF8", _houses()),
    "unrelated-hills": _page("#D9ECF7", _hills()),
}
"""Twelve pictures by name."""
