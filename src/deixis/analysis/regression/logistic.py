"""Logistic regression of right and wrong on factors: fits, tests of terms, and what to do where cells are separated.

Separation is looked for first. Where it is found the estimates are Firth's, with profile limits and penalised
likelihood-ratio p, and the result says so; otherwise they are the maximum-likelihood ones with Wald limits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy.linalg import orth
from scipy.special import expit, xlogy

from deixis.analysis.pvalues import critical, from_log, log_two_sided, standard_errors
from deixis.analysis.regression.ascent import ascend
from deixis.analysis.regression.design_matrix import Design, FloatArray, IntArray
from deixis.analysis.regression.firth import firth, loglik, profile
from deixis.analysis.regression.separation import Separation, separation
from deixis.errors import AnalysisError

Covariance = Callable[[FloatArray, FloatArray, FloatArray, IntArray], FloatArray]
"""A robust covariance: takes the columns (one line a row used), the residuals ``y - p``, the model's ``(X'WX)⁻¹`` and
the places of the rows in the table; returns the covariance of the estimates. See
:func:`deixis.analysis.shares.sandwich.by_clusters`, whose columns have to be ``needed`` in the design too."""

Method = Literal["auto", "maximum likelihood", "bias-reduced"]


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """A fitted logistic regression."""

    design: Design
    """Its columns and rows."""
    method: str
    """``maximum likelihood`` or ``bias-reduced`` (Firth)."""
    estimates: FloatArray
    """One a column, in log odds."""
    covariance: FloatArray
    """Of the estimates: the model's, or the robust one that was asked for."""
    robust: bool
    """Whether the covariance is another one than the model's."""
    loglik: float
    """Log-likelihood of single trials at the estimates."""
    null_loglik: float
    """The same of a model with the intercept alone."""
    highest_loglik: float
    """What the log-likelihood can reach; above ``loglik`` only where the fit is bias-reduced."""
    separation: Separation
    """Which columns have no finite maximum-likelihood estimate, and which cells are to blame."""
    level: float
    """Of the intervals."""

    @property
    def n(self) -> int:
        """Trials used."""
        return self.design.n

    @property
    def left_out(self) -> int:
        """Rows of the table without a response, a factor or a cluster; ``design.left_out`` has the reasons."""
        return sum(self.design.left_out.values())

    @property
    def deviance(self) -> float:
        """``-2 loglik``; where a tie left a share of a trial, less that of a perfect fit."""
        return 2 * (_perfect(self.design.response) - self.loglik)

    @property
    def null_deviance(self) -> float:
        """The deviance of the intercept alone."""
        return 2 * (_perfect(self.design.response) - self.null_loglik)

    @property
    def lowest_deviance(self) -> float:
        """The deviance that estimates on their way to infinity approach; ``deviance`` where nothing is separated."""
        return 2 * (_perfect(self.design.response) - self.highest_loglik)

    @property
    def df_residual(self) -> int:
        """Trials less coefficients."""
        return self.n - len(self.estimates)

    @property
    def aic(self) -> float:
        """``-2 loglik + 2 coefficients``; NaN where the fit is bias-reduced, whose likelihood is not the highest."""
        return 2 * (len(self.estimates) - self.loglik) if self.method != "bias-reduced" else float("nan")

    @property
    def fitted(self) -> FloatArray:
        """The probability of success in each cell of the design."""
        return np.asarray(expit(self.design.cells @ self.estimates))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of this fit."""
        return tuple(_notes(self))

    def table(self) -> pd.DataFrame:
        """Return one row a coefficient: estimate, std_error, z, p, log_p, low, high, chi_squared, interval, note.

        After a bias-reduced fit p and limits are by the penalised likelihood, ``chi_squared`` is its statistic, and
        ``z`` is the estimate over its standard error all the same. A standard error that is 0 or not
        defined is NaN, and so are z, p and limits, with a note.
        """
        rows = [self._row(place) for place in range(len(self.estimates))]
        return pd.DataFrame({"term": list(self.design.names)}).join(pd.DataFrame(rows))

    def _row(self, place: int) -> dict[str, object]:
        estimate, error = float(self.estimates[place]), float(standard_errors(self.covariance)[place])
        z = estimate / error
        note = "no finite maximum-likelihood estimate" if place in self.separation.columns else ""
        row = {"estimate": estimate, "std_error": error, "z": z}
        if self.method == "bias-reduced":
            unit = np.eye(len(self.estimates))[place]
            found = profile(self.design.cells, self.design.successes, self.design.trials, unit, self.level)
            row |= {"p": found.p, "log_p": found.log_p, "low": found.low, "high": found.high}
            return {**row, "chi_squared": found.chi_squared, "interval": "profile", "note": note}
        log_p, half = float(log_two_sided(z)), critical("none", 1, 2, self.level) * error
        row |= {"p": float(from_log(log_p)), "log_p": log_p, "low": estimate - half, "high": estimate + half}
        note = note or ("" if error > 0 else "the standard error is 0 or not defined: no test and no interval")
        return {**row, "chi_squared": float("nan"), "interval": "Wald", "note": note}


def logistic(
    columns: Design, *, method: Method = "auto", covariance: Covariance | None = None, level: float = 0.95
) -> LogisticFit:
    """Fit the logistic regression of the design's response.

    ``method`` ``auto`` takes maximum likelihood unless it has no finite estimates, then bias reduction. ``covariance``
    puts a robust covariance in the model's place (after a bias-reduced fit too, from plain residuals, but limits and p
    remain those of the penalised likelihood). Raises :class:`AnalysisError` for a response outside 0 to 1, and for
    maximum likelihood of separated data.
    """
    response = columns.response
    if ((response < 0) | (response > 1)).any():
        raise AnalysisError("the response of a logistic regression is 1, 0 or a share between them")
    if method not in ("auto", "maximum likelihood", "bias-reduced"):
        raise AnalysisError(f"method {method!r} does not exist; choose auto, maximum likelihood or bias-reduced")
    cells, successes, trials = columns.cells, columns.successes, columns.trials
    found = separation(cells, successes, trials)
    if found.found and method == "maximum likelihood":
        names = ", ".join(columns.names[place] for place in found.columns)
        raise AnalysisError(f"there is no finite estimate of {names}: the data are separated; use bias-reduced")
    reduced = found.found or method == "bias-reduced"
    if reduced:
        best = firth(cells, successes, trials)
        estimates, model, at = best.estimates, best.covariance, best.loglik
        highest = _highest(cells, successes, trials, found)
    else:
        estimates, model = most_likely(cells, successes, trials)
        at = highest = loglik(cells, successes, trials, estimates)
    share = float(successes.sum() / trials.sum())
    null = float(xlogy(successes.sum(), share) + xlogy((trials - successes).sum(), 1 - share))
    used = model
    if covariance is not None:
        residuals = response - expit(cells @ estimates)[columns.cell]
        used = np.asarray(covariance(columns.matrix, residuals, model, columns.rows), float)
    name = "bias-reduced" if reduced else "maximum likelihood"
    return LogisticFit(columns, name, estimates, used, covariance is not None, at, null, highest, found, level)


def most_likely(cells: FloatArray, successes: FloatArray, trials: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the maximum-likelihood estimates and their covariance; the data must not be separated.

    Newton's method on the counts. Statsmodels agrees on single trials, of which there are a thousand times as many; of
    counts it takes those that a model reproduces exactly for separated ones.
    """

    def slope(at: FloatArray) -> tuple[FloatArray, FloatArray]:
        fitted = expit(cells @ at)
        information = cells.T @ (cells * (trials * fitted * (1 - fitted))[:, None])
        return np.asarray(cells.T @ (successes - trials * fitted)), np.asarray(information)

    start = np.zeros(cells.shape[1])
    found = ascend(start, lambda at: loglik(cells, successes, trials, at), slope, "the logistic regression")
    return found, np.asarray(np.linalg.inv(slope(found)[1]), float)


def _highest(cells: FloatArray, successes: FloatArray, trials: FloatArray, found: Separation) -> float:
    """Return the least upper bound of the log-likelihood: separated cells are predicted without fault."""
    kept = np.setdiff1d(np.arange(len(cells)), found.cells)
    if not len(kept):
        return 0.0
    left = cells[kept] @ orth(cells[kept].T)
    return loglik(left, successes[kept], trials[kept], most_likely(left, successes[kept], trials[kept])[0])


def _perfect(response: FloatArray) -> float:
    return float((xlogy(response, response) + xlogy(1 - response, 1 - response)).sum())


def _notes(fit: LogisticFit) -> list[str]:
    notes = [f"{count} rows left out: {reason}" for reason, count in fit.design.left_out.items()]
    shares = int(((fit.design.response > 0) & (fit.design.response < 1)).sum())
    if shares:
        notes.append(f"{shares} trials count with a share between 0 and 1 (ties)")
    if fit.separation.found:
        names = ", ".join(fit.design.names[place] for place in fit.separation.columns)
        notes.append(
            f"separated: no finite estimate of {names}; estimates are bias-reduced (Firth), limits by profile, p by"
            " penalised likelihood ratio"
        )
    elif fit.method == "bias-reduced":
        notes.append("estimates are bias-reduced (Firth) as asked, though nothing is separated")
    if fit.method == "bias-reduced" and fit.robust:
        notes.append("standard errors are robust, limits and p are not: they take trials as independent")
    if fit.design.response.min() == fit.design.response.max():
        notes.append("the outcome does not vary")
    return notes
