"""R's values and the data they were computed from: eight simulated sets, see ``reference/README.md``."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

FOLDER = Path(__file__).parent / "reference"


@cache
def _checks(number: int) -> dict[str, dict[str, Any]]:
    path = next(FOLDER.glob(f"{number:02}_*.json"))
    return {check["id"]: check for check in json.loads(path.read_text("utf-8"))["checks"]}


def check(number: int, name: str) -> tuple[Any, dict[str, float]]:
    """Return the expected rows of a check and its tolerance: ``abs`` and ``rel``, which add up."""
    found = _checks(number)[name]
    return found["expected"], found["tolerance"]


def data(number: int) -> pd.DataFrame:
    """Return the data of a set; empty cells are missing."""
    return pd.read_csv(next(FOLDER.glob(f"{number:02}_*.csv")))


def near(want: float | None, tolerance: dict[str, float]) -> Any:
    """Return what equals any number within ``abs + rel · |want|``; ``None`` equals NaN alone."""
    if want is None:
        return pytest.approx(float("nan"), nan_ok=True)
    return pytest.approx(want, rel=0, abs=tolerance["abs"] + tolerance["rel"] * abs(want))
