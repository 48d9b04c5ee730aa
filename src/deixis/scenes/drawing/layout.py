"""Where everything is, in pixels. The whole row lies on one flat colour, so that objects can be cut out of a render."""

from deixis.scenes.scene import SIDES

WIDTH, HEIGHT = 896, 672
TILE = 120
"""Side of the square that belongs to one place: the object with the room for its green square."""
MARGIN = 8
"""What the green square and its white halo take of a tile on every side."""
OBJECT = TILE - 2 * MARGIN
"""Side of an object."""
TILE_TOP = 388
"""Upper edge of the tiles."""
CENTRES = {"even": (238, 378, 518, 658), "pairs": (230, 354, 542, 666)}
"""Middle of each place, by the spacing of the row. Tiles never touch: the closest stand 4 apart."""

GROUND = 640
"""Where the children's feet are."""
CHILD_X = {"left": 86, "right": WIDTH - 86}
_EYE = (44, -364)
_CROWN = (14, -428)

TABLE_TOP = (372, 522)
"""Upper and lower edge of the table's top."""
TABLE_FRONT = (522, 556)
LABEL_Y = 539
BUBBLE = (316, 22, 142)
"""Width, upper and lower edge of a speech bubble."""


def tile_left(row: str, place: int) -> int:
    """Return the left edge of a place's tile."""
    return CENTRES[row][place] - TILE // 2


def inward(side: str) -> int:
    """Return 1 where the table is to the right of a child, -1 where it is to the left."""
    return 1 if side == SIDES[0] else -1


def eyes(side: str) -> tuple[int, int]:
    """Return where the gaze of the child at an end begins: the eye nearer to the table."""
    return CHILD_X[side] + inward(side) * _EYE[0], GROUND + _EYE[1]


def crown(side: str) -> tuple[int, int]:
    """Return where the tail of a bubble ends, on top of the head."""
    return CHILD_X[side] + inward(side) * _CROWN[0], GROUND + _CROWN[1]


def above(row: str, place: int) -> tuple[int, int]:
    """Return where a gaze at a place ends, just above its tile."""
    return CENTRES[row][place], TILE_TOP - 6
