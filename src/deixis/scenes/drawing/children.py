"""The boy and the girl: simple shapes in three-quarter view, facing right, feet at the origin."""

from deixis.scenes.drawing.layout import CHILD_X, GROUND, inward

_SKIN, _SHADE = "#F3C9A0", "#E3B388"
_EYES = """\
<ellipse cx="15" cy="-366" rx="9" ry="12" fill="#fff"/><ellipse cx="41" cy="-366" rx="8" ry="12" fill="#fff"/>
<circle cx="17" cy="-366" r="6" fill="#222"/><circle cx="43" cy="-366" r="6" fill="#222"/>"""
"""Both pupils in the middle: they look at nothing, whoever speaks and whoever gazes."""
_FACE = f"""\
{_EYES}
<path d="M5-385q10-7 20-1M33-387q9-4 16 2" stroke="#4A2F1B" stroke-width="4" fill="none" stroke-linecap="round"/>
<path d="M13-333q15 11 29 0" stroke="#8C3A2B" stroke-width="4" fill="none" stroke-linecap="round"/>"""
_HEAD = f"""\
<rect x="-11" y="-318" width="24" height="36" fill="{_SHADE}"/>
<ellipse cx="0" cy="-362" rx="54" ry="58" fill="{_SKIN}"/>
<ellipse cx="55" cy="-351" rx="9" ry="8" fill="{_SKIN}"/>
<ellipse cx="-21" cy="-351" rx="9" ry="13" fill="{_SHADE}"/>"""


def _arm(colour: str) -> str:
    return (
        f'<path d="M-8-274q15-8 23 8l10 66 29 25q8 10-3 18-8 4-16-3l-35-31q-6-6-8-15z" fill="{colour}"/>'
        f'<circle cx="55" cy="-165" r="13" fill="{_SKIN}"/>'
    )


_BOY = f"""\
<ellipse cx="-17" cy="-6" rx="27" ry="10" fill="#3B3B44"/><ellipse cx="23" cy="-6" rx="27" ry="10" fill="#3B3B44"/>
<rect x="-36" y="-154" width="33" height="148" rx="8" fill="#3C5A8C"/>
<rect x="3" y="-154" width="33" height="148" rx="8" fill="#46679E"/>
<path d="M-44-270q4-26 30-28h28q28 2 32 28l2 130h-94z" fill="#2F7FD1"/>
{_HEAD}
{_arm("#2569B0")}
<path d="M-55-340q-10-82 57-86 57 0 57 48-16 2-30-13-10 16-48 18-6 26-17 27-8-9-14-5-5 5-5 11z" fill="#4A2F1B"/>
{_FACE}"""
_GIRL = f"""\
<path d="M-24-402q-46-6-48 54 0 44-12 58 40 2 46-38 6-30 8-60z" fill="#7A3E12"/>
<ellipse cx="-12" cy="-6" rx="25" ry="9" fill="#7B2D6B"/><ellipse cx="22" cy="-6" rx="25" ry="9" fill="#7B2D6B"/>
<rect x="-26" y="-96" width="20" height="88" fill="{_SKIN}"/><rect x="6" y="-96" width="20" height="88" fill="{_SKIN}"/>
<path d="M-34-272q4-24 26-26h24q24 2 28 26l6 62 22 124q-74 14-148 0l30-124z" fill="#D6336C"/>
{_HEAD}
{_arm("#B3265A")}
<path d="M-54-330q-14-96 56-98 58 2 56 50-22 2-44-19-18 26-38 30-4 34-16 44z" fill="#8A4817"/>
{_FACE}
<path d="M-50-406l-24-14v34zM-50-406l20-20 4 30z" fill="#F2B705"/><circle cx="-49" cy="-406" r="7" fill="#D99A00"/>"""
_SHAPES = {"boy": _BOY, "girl": _GIRL}


def child(name: str, side: str) -> str:
    """Draw a child at an end of the table, facing the middle."""
    return f'<g transform="translate({CHILD_X[side]} {GROUND}) scale({inward(side)} 1)">{_SHAPES[name]}</g>'
