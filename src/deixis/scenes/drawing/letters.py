"""Letters as strokes of a pen, so that a picture needs no font and looks the same on every machine.

One letter is a width and a path in a box whose baseline is 0, x-height 20 and capital height 30.
"""

from collections.abc import Mapping

from deixis.errors import SceneError

_STROKES: Mapping[str, tuple[float, str]] = {
    "A": (20, "M0 0L10-30L20 0M4-10H16"),
    "B": (17, "M0 0V-30H9a7 7 0 0 1 0 14H0M9-16a8 8 0 0 1 0 16H0"),
    "C": (20, "M19-24A12 15 0 1 0 19-6"),
    "D": (19, "M0 0V-30H6a13 15 0 0 1 0 30z"),
    "I": (12, "M6 0V-30M0-30H12M0 0H12"),
    "Y": (20, "M0-30L10-15L20-30M10-15V0"),
    "a": (15, "M15-20V0M15-13a7.500 7.500 0 1 0 0 6"),
    "b": (15, "M0-30V0M0-13a7.500 7.500 0 1 1 0 6"),
    "c": (14, "M14-16A8.500 10 0 1 0 14-4"),
    "d": (15, "M15-30V0M15-13a7.500 7.500 0 1 0 0 6"),
    "e": (16, "M0-11H16A8 10 0 1 0 14-3"),
    "f": (10, "M11-29q-7-2-7 6V0M0-19H10"),
    "g": (15, "M15-20V2q0 8-8 8-5 0-7-3M15-13a7.500 7.500 0 1 0 0 6"),
    "h": (14, "M0-30V0M0-12q1-8 7-8t7 8V0"),
    "i": (2, "M1-20V0M1-28v1"),
    "j": (7, "M6-20V4q0 6-6 6M6-28v1"),
    "k": (14, "M0-30V0M13-20L0-8M4-11L14 0"),
    "l": (2, "M1-30V0"),
    "m": (24, "M0-20V0M0-12q1-8 6.500-8t5.500 8V0M12-12q1-8 6.500-8t5.500 8V0"),
    "n": (14, "M0-20V0M0-12q1-8 7-8t7 8V0"),
    "o": (17, "M8.500-20a8.500 10 0 1 0 .01 0z"),
    "p": (15, "M0-20V10M0-13a7.500 7.500 0 1 1 0 6"),
    "q": (15, "M15-20V10M15-13a7.500 7.500 0 1 0 0 6"),
    "r": (10, "M0-20V0M0-12q2-8 10-7"),
    "s": (13, "M12-17q-3-4-7-3-5 1-4 5 1 3 6 4 6 2 6 6-1 5-6 5-5 1-7-4"),
    "t": (11, "M4-27V-5q0 5 6 5M0-19H10"),
    "u": (14, "M0-20V-8q0 8 7 8t7-8V-20M14-20V0"),
    "v": (15, "M0-20L7.500 0L15-20"),
    "w": (22, "M0-20L5.500 0L11-18L16.500 0L22-20"),
    "x": (14, "M0-20L14 0M14-20L0 0"),
    "y": (15, "M0-20L7.500-2M15-20L6 7q-2 4-6 3"),
    "z": (13, "M0-20H13L0 0H13"),
    " ": (11, ""),
}
_SPACE = 5.5
"""Between two letters."""


def written(text: str, middle: float, height: float, width: float) -> str:
    """Draw text centred on a point, no wider than ``width``; raises :class:`SceneError` for a letter not drawn here."""
    unknown = next((letter for letter in text if letter not in _STROKES), None)
    if unknown is not None:
        raise SceneError(f"no strokes for {unknown!r} in {text!r}; write letters of the English alphabet")
    whole = sum(_STROKES[letter][0] + _SPACE for letter in text) - _SPACE
    scale = min(1.0, width / whole) if len(text) > 1 else 0.62
    x = middle - whole * scale / 2
    parts = []
    for letter in text:
        advance, path = _STROKES[letter]
        if path:
            parts.append(
                f'<path transform="translate({x:.2f} {height + 15 * scale:.2f}) scale({scale:.4f})" d="{path}"/>'
            )
        x += (advance + _SPACE) * scale
    pen = f'fill="none" stroke="#222" stroke-width="{3.6 if len(text) > 1 else 5}"'
    return f'<g {pen} stroke-linecap="round" stroke-linejoin="round">{"".join(parts)}</g>'
