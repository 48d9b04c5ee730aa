"""How fast pictures are made, against rendering each whole SVG with the same rasteriser, and against a physical limit.

    python benchmarks/pictures.py [--scenes 300]

Draws scenes of the three tasks, makes every picture both ways on one core, checks that all pixels are equal, and prints
the ratio. The limit is one copy of the pixels in memory plus the smallest deflate: level 1 of the rows that change.
"""

import argparse
import io
import time
import zlib

import numpy as np
from PIL import Image

from deixis.scenes.drawing.layout import TILE, TILE_TOP
from deixis.scenes.picture import for_models
from deixis.scenes.raster import png as whole_png
from deixis.scenes.scene import TASKS
from deixis.scenes.space import sample, scenes
from deixis.scenes.studio import Studio


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=300)
    asked = parser.parse_args()
    drawn = [s for task in TASKS for s in sample(list(scenes(task)), task, -(-asked.scenes // 3), 0)][: asked.scenes]
    pictures = list(dict.fromkeys(map(for_models, drawn)))
    studio = Studio()

    start = time.perf_counter()
    studio.prepare(pictures)
    prepared = time.perf_counter() - start

    made = {picture: studio.png(picture) for picture in pictures}
    best = min(_timed(lambda: [studio.png(picture) for picture in pictures]) for _ in range(3))
    keyed = min(_timed(lambda: [studio.key(picture) for picture in pictures]) for _ in range(3))

    documents = [studio.svg(picture) for picture in pictures]
    start = time.perf_counter()
    wholes = [whole_png(document) for document in documents]
    slow = time.perf_counter() - start
    for picture, whole in zip(pictures, wholes, strict=True):
        with Image.open(io.BytesIO(made[picture])) as ours, Image.open(io.BytesIO(whole)) as theirs:
            assert (np.asarray(ours) == np.asarray(theirs.convert("RGB"))).all(), picture

    pixels = np.asarray(Image.open(io.BytesIO(made[pictures[0]]))).copy()
    rows = np.ascontiguousarray(pixels[TILE_TOP : TILE_TOP + TILE]).tobytes()
    buffer = pixels.copy()
    limit = min(_timed(lambda: [_least(pixels, buffer, rows) for _ in range(100)]) for _ in range(5)) / 100

    each, size = best / len(pictures), sum(map(len, made.values())) / len(made)
    print(
        f"{len(pictures)} distinct pictures of {len(drawn)} scenes, all pixels equal, {size / 1024:.1f} KiB on average"
    )
    print(f"prepared once: {prepared:.2f} s (bases and tiles)")
    print(f"PNG in memory: {1 / each:,.0f} pictures/s; keys: {len(pictures) / keyed:,.0f}/s")
    print(f"whole SVG, same rasteriser: {len(pictures) / slow:,.1f} pictures/s")
    print(f"ratio {slow / best:.0f} times; with the preparation {slow / (best + prepared):.0f} times")
    print(f"{limit / each:.0%} of the limit: one copy of the pixels and the smallest deflate, {1 / limit:,.0f}/s")


def _least(pixels: np.ndarray, buffer: np.ndarray, rows: bytes) -> int:
    np.copyto(buffer, pixels)
    packer = zlib.compressobj(1, zlib.DEFLATED, -15, 9)
    return len(packer.compress(rows) + packer.flush())


def _timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
