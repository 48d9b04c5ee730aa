"""Separation: answers that some combination of columns predicts without fault, so that estimates run off to infinity.

An ordinary fit does not say so: it stops somewhere with estimates of 20 and standard errors of thousands. A linear
programme does (Konis 2007, *Linear programming algorithms for detecting separated data in binary logistic regression
models*): is there a direction of the coefficients along which no row is predicted worse and some are predicted better?
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog

from deixis.analysis.regression.design_matrix import FloatArray
from deixis.errors import AnalysisError


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """What of a logistic model has no finite maximum-likelihood estimate."""

    columns: tuple[int, ...]
    """The places of the columns without a finite estimate."""
    direction: tuple[int, ...]
    """For each column 1 or -1 where its estimate goes to plus or minus infinity, 0 where finite or not determined."""
    cells: tuple[int, ...]
    """The lines whose fitted probability goes to 0 or 1."""

    @property
    def found(self) -> bool:
        """Whether any estimate is infinite."""
        return bool(self.cells)


def separation(matrix: FloatArray, successes: FloatArray, trials: FloatArray | None = None) -> Separation:
    """Return what is separated; ``matrix`` has one line a cell (or a trial), with its successes among its trials.

    Maximises ``Σ t`` with ``0 ≤ t ≤ 1`` and ``±x·b ≥ t`` for every line that has a success (+) or a failure (-): the
    lines with ``t = 1`` are those that can be predicted without fault while no other suffers. Where the answers leave
    more than one such direction, the sign of a coefficient is that of one of them.
    """
    totals = np.ones(len(matrix)) if trials is None else trials
    right, wrong = successes > 0, successes < totals
    signed = np.vstack([matrix[right], -matrix[wrong]])
    line = np.concatenate([np.flatnonzero(right), np.flatnonzero(wrong)])
    count, columns = signed.shape
    solved = linprog(
        np.concatenate([np.zeros(columns), -np.ones(count)]),
        A_ub=np.hstack([-signed, np.eye(count)]),
        b_ub=np.zeros(count),
        bounds=[(None, None)] * columns + [(0, 1)] * count,
        method="highs",
    )
    if solved.x is None:
        raise AnalysisError(f"separation could not be decided: {str(solved.message).lower()}")
    signs = np.where(np.abs(solved.x[:columns]) > 1e-6, np.sign(solved.x[:columns]), 0.0).astype(int)
    lost = np.unique(line[solved.x[columns:] > 0.5])
    if not len(lost):
        return Separation((), (0,) * columns, ())
    # What is left determines a coefficient only if no change of it leaves all these lines as they are.
    open_to = null_space(np.delete(matrix, lost, axis=0)) if len(lost) < len(matrix) else np.eye(columns)
    infinite = np.flatnonzero(np.abs(open_to).max(axis=1) > 1e-9)
    return Separation(tuple(infinite.tolist()), tuple(signs.tolist()), tuple(lost.tolist()))
