"""What is put over a scene: the green square, the speech bubble, the gaze line, labels. No letter needs a font."""

from dataclasses import dataclass

from deixis.scenes.drawing.layout import (
    BUBBLE,
    CENTRES,
    CHILD_X,
    LABEL_Y,
    MARGIN,
    TILE,
    TILE_TOP,
    above,
    crown,
    eyes,
    inward,
    tile_left,
)
from deixis.scenes.drawing.letters import written

GREEN = "#00A23C"
"""The square's colour; no object, child or background has it."""
HALO = "#FFFFFF"
RED = "#D00000"
SQUARE_WIDTH = MARGIN - 2


@dataclass(frozen=True, slots=True)
class Blink:
    """How a gaze line comes and goes on a page: slow enough for everybody (at most three flashes a second)."""

    shown_ms: int = 700
    """How long it is seen."""
    hidden_ms: int = 300
    """How long it is not."""


BLINK = Blink()
"""What a page that shows a gaze line does with it; who asks for less motion gets a line that stays."""


@dataclass(frozen=True, slots=True)
class Line:
    """A gaze line, for whoever draws it."""

    start: tuple[int, int]
    """Where it begins, at the eyes."""
    end: tuple[int, int]
    """Where it ends, above the target."""


def gaze(side: str, row: str, place: int) -> Line:
    """Return the line from the eyes of the child at an end to a place."""
    return Line(eyes(side), above(row, place))


def square(row: str, place: int) -> str:
    """Draw the green square of a place on its white halo; its edges fall on whole pixels."""
    left, top, side = tile_left(row, place) + MARGIN / 2, TILE_TOP + MARGIN / 2, TILE - MARGIN
    rect = f'<rect x="{left:g}" y="{top:g}" width="{side}" height="{side}" fill="none"'
    return f'{rect} stroke="{HALO}" stroke-width="{MARGIN}"/>{rect} stroke="{GREEN}" stroke-width="{SQUARE_WIDTH}"/>'


def gaze_line(line: Line) -> str:
    """Draw a dashed line on a white one, with a dot at its end."""
    path = f"M{line.start[0]} {line.start[1]}L{line.end[0]} {line.end[1]}"
    return (
        f'<path d="{path}" stroke="#fff" stroke-width="9" stroke-opacity=".85"/>'
        f'<path d="{path}" stroke="{RED}" stroke-width="5" stroke-dasharray="16 10"/>'
        f'<circle cx="{line.end[0]}" cy="{line.end[1]}" r="5" fill="{RED}"/>'
    )


def bubble(side: str, says: str) -> str:
    """Draw a speech bubble over the child at an end: dots, or a sentence."""
    width, top, bottom = BUBBLE
    turn = inward(side)
    middle = CHILD_X[side] + turn * 92
    tip, foot = crown(side), (CHILD_X[side] - turn * 2, CHILD_X[side] + turn * 48)
    base = bottom - 3
    shape = (
        f'<rect x="{middle - width / 2:g}" y="{top}" width="{width}" height="{bottom - top}" rx="46" '
        f'fill="#fff" stroke="#222" stroke-width="5"/>'
        f'<path d="M{foot[0]} {base}L{tip[0]} {tip[1]}L{foot[1]} {base}" fill="#fff" stroke="#222" stroke-width="5" '
        f'stroke-linejoin="round"/>'
        f'<path d="M{foot[0] + turn * 2.5:g} {base - 2}H{foot[1] - turn * 2.5:g}" stroke="#fff" stroke-width="8"/>'
    )
    height = (top + bottom) / 2
    if not says:
        return shape + "".join(
            f'<circle cx="{middle + 52 * k}" cy="{height:g}" r="12" fill="#555"/>' for k in (-1, 0, 1)
        )
    return shape + written(says, middle, height, width - 44)


def labels(row: str) -> str:
    """Draw A to D on the table's front edge, one under each place."""
    return "".join(
        f'<circle cx="{x}" cy="{LABEL_Y}" r="16" fill="#fff" stroke="#222" stroke-width="3"/>'
        + written(letter, x, LABEL_Y, 30)
        for letter, x in zip("ABCD", CENTRES[row], strict=True)
    )
