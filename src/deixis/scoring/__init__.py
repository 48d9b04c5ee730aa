"""From responses to scores: reading answers, and what each outcome counts."""

from deixis.scoring.reading import read_answer
from deixis.scoring.score import score

__all__ = ["read_answer", "score"]
