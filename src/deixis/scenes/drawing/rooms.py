"""Where they are, and the table. No background has a prop that is one of the objects."""

from collections.abc import Mapping

from deixis.scenes.drawing.layout import HEIGHT, TABLE_FRONT, TABLE_TOP, WIDTH

TABLE = "#F0D3FF"
"""The table's cloth: of the pale colours tried the one from which the outlines of all 128 objects differ most. At least
91 % of every outline lies more than 20 (CIE76, Lab) away from it; on white, *ticket* and *map* have no outline."""
_WOOD, _EDGE, _LEG = "#A8713A", "#B98549", "#8A5A2B"


def _all(colour: str) -> str:
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour}"/>'


def _floor(colour: str, skirting: str) -> str:
    return (
        f'<rect y="500" width="{WIDTH}" height="172" fill="{colour}"/>'
        f'<rect y="494" width="{WIDTH}" height="8" fill="{skirting}"/>'
    )


_CLOUD = '<g fill="#fff"><ellipse rx="70" ry="24"/><ellipse cx="40" cy="-18" rx="46" ry="26"/></g>'
BACKGROUNDS: Mapping[str, str] = {
    "room": _all("#F1E9DA")
    + _floor("#CDB491", "#B89D78")
    + '<rect x="378" y="50" width="140" height="150" fill="#BFE0F2" stroke="#fff" stroke-width="12"/>'
    '<path d="M448 50v150M378 125h140" stroke="#fff" stroke-width="8"/>',
    "kitchen": _all("#DDEAEE")
    + _floor("#B9C4C9", "#8FA3AB")
    + '<rect x="230" y="40" width="436" height="110" fill="#F7F7F4" stroke="#9FB3BC" stroke-width="5"/>'
    '<path d="M375 40v110M520 40v110" stroke="#9FB3BC" stroke-width="5"/>'
    '<g fill="#6F8792"><circle cx="358" cy="100" r="6"/><circle cx="503" cy="100" r="6"/>'
    '<circle cx="648" cy="100" r="6"/></g>'
    '<path d="M0 250H896M0 310H896" stroke="#CFE0E6" stroke-width="4"/>',
    "classroom": _all("#EFE3C2")
    + _floor("#B08D62", "#94744C")
    + '<rect x="236" y="40" width="424" height="150" fill="#4A5A63" stroke="#8A5A2B" stroke-width="12"/>'
    '<path d="M270 90h120M270 120h180M270 150h90" stroke="#E8EEF0" stroke-width="6" stroke-linecap="round"/>',
    "park": _all("#CDE9F7") + '<path d="M0 440q220-60 448-30t448-10v272H0z" fill="#A9CF8B"/>'
    f'<path d="M0 520h{WIDTH}v152H0z" fill="#97BF78"/><circle cx="690" cy="70" r="40" fill="#FFE08A"/>'
    f'<g transform="translate(330 90)">{_CLOUD}</g>'
    '<rect x="556" y="240" width="26" height="180" fill="#8A6238"/><circle cx="569" cy="205" r="76" fill="#7FB069"/>',
    "beach": _all("#BFE6FA") + f'<rect y="300" width="{WIDTH}" height="220" fill="#6FB7DE"/>'
    '<path d="M0 460q224-34 448 0t448 0v212H0z" fill="#F3DFAE"/><circle cx="220" cy="80" r="40" fill="#FFD95A"/>'
    f'<g transform="translate(470 120)">{_CLOUD}</g>',
    "snow": _all("#D5E3F0") + '<path d="M152 480L340 170l120 200 70-120 202 230z" fill="#AFC6DC"/>'
    '<path d="M340 170l-36 60 24-8 18 20 20-18 12 6zM530 250l-28 46 20-6 16 12 22-10z" fill="#fff"/>'
    '<path d="M0 410q224-40 448 0t448 0v262H0z" fill="#F7FAFD"/>',
}
"""Background to its drawing."""


def table() -> str:
    """Draw the table: its top tilted towards the viewer, so that the whole row lies on one colour."""
    top, front = TABLE_TOP[0], TABLE_TOP[1]
    return f"""\
<ellipse cx="{WIDTH / 2}" cy="640" rx="300" ry="14" fill="#000" fill-opacity=".12"/>
<g fill="{_LEG}"><rect x="186" y="{front}" width="24" height="118"/>
<rect x="{WIDTH - 210}" y="{front}" width="24" height="118"/></g>
<path d="M168 {top}H{WIDTH - 168}L{WIDTH - 140} {front}H140Z" fill="{TABLE}"/>
<rect x="140" y="{TABLE_FRONT[0]}" width="{WIDTH - 280}" height="{TABLE_FRONT[1] - TABLE_FRONT[0]}" fill="{_WOOD}"/>
<path d="M168 {top}H{WIDTH - 168}" stroke="{_EDGE}" stroke-width="3"/>"""
