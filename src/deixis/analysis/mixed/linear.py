"""Linear mixed models with crossed random intercepts, by restricted or full maximum likelihood.

With θ the standard deviations in units of the residual's, everything but θ has a closed form, and all of it needs only
sums over levels (Bates et al. 2015): with ``H = ΛZ′ZΛ + I`` as elsewhere, ``X′V⁻¹X = X′X - X′ZΛH⁻¹ΛZ′X`` and likewise
for the response, in units of the residual variance.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize

from deixis.analysis.mixed.crossed import Coupling, Floats
from deixis.analysis.mixed.result import MixedFit
from deixis.analysis.mixed.rows import RandomFactors, Rows, rows
from deixis.analysis.mixed.satterthwaite import Satterthwaite
from deixis.errors import AnalysisError

Bools = NDArray[np.bool_]
ZERO = 1e-4
"""A standard deviation below this share of the residual's is taken to be 0."""
FARTHEST = 1e4
"""A standard deviation of so many times the residual's means that there is no residual."""
BEGIN = 0.5
"""Where the search for θ begins; the residual's standard deviation is 1."""


def linear_mixed(
    response: ArrayLike, fixed: ArrayLike, names: Sequence[str], random: RandomFactors, *, reml: bool = True
) -> MixedFit:
    """Fit ``response = fixed @ params + random intercepts + residual``.

    Arguments and errors as of :func:`deixis.analysis.mixed.logit.logit_mixed`; at least one random factor. ``reml``
    restricts the likelihood to what does not depend on the fixed effects, as lme4 does by default; fits with different
    fixed effects are compared with ``reml=False``.
    """
    table = rows(response, fixed, names, random)
    if not table.factors:
        raise AnalysisError("a linear mixed model needs a random factor")
    if table.n <= len(names):
        raise AnalysisError(f"{table.n} rows are too few for {len(names)} fixed effects")
    if np.ptp(table.response) == 0:
        raise AnalysisError(f"the response does not vary: every row is {table.response[0]:g}")
    criterion = Criterion(table, reml=reml)
    start = np.full(len(table.factors), BEGIN)
    searched = minimize(
        criterion.value_and_gradient,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, FARTHEST)] * len(start),
        options={"ftol": 1e-13, "gtol": 1e-6, "maxiter": 500},
    )
    if searched.x.max() > FARTHEST / 10:
        name = table.factors[int(searched.x.argmax())]
        raise AnalysisError(f"random factor {name!r} leaves no residual variance: the response is the same within it")
    theta = np.where(searched.x < ZERO, 0.0, searched.x)
    free = theta > 0
    converged = True
    if free.any():
        theta, converged = _polished(criterion, theta, free)
    return _result(table, criterion, theta, free, converged=converged, steps=int(searched.nit), reml=reml)


@dataclass(frozen=True)
class Solved:
    """The model at given θ."""

    deviance: float
    """-2 log-likelihood, restricted or not, lowest in all other parameters."""
    gradient: Floats
    fixed: Floats
    squares: float
    """Penalised sum of squares r²."""
    inverse: Floats
    """``(X′V⁻¹X)⁻¹`` in units of the residual variance."""
    pulls: Floats
    """Derivative of ``X′V⁻¹X`` by each θ, ``(factors, effects, effects)``."""
    squares_change: Floats
    """Derivative of r² by each θ."""
    effects: Floats
    """û in units of θ times the residual's standard deviation."""

    freedom: int
    """Rows, less the fixed effects if restricted."""

    def raw_gradient(self, variance: float) -> Floats:
        """Return the derivative of the deviance by θ at a residual variance that is held."""
        found: Floats = self.gradient + self.squares_change * (1 / variance - self.freedom / self.squares)
        return found


class Criterion:
    """The deviance as a function of θ, from sums over levels."""

    def __init__(self, table: Rows, *, reml: bool) -> None:
        self.crossed, self.reml = table.crossed(), reml
        x = table.fixed
        # Around the least-squares fit, numbers of the size of the residuals are left: no digits are lost.
        self.base = np.linalg.lstsq(x, table.response, rcond=None)[0]
        left = table.response - x @ self.base
        ones = np.ones(table.n)
        self.totals, self.tables = self.crossed.gather(ones), self.crossed.tables(ones)
        self.by_level, self.left_by_level = self.crossed.gather(np.ascontiguousarray(x.T)), self.crossed.gather(left)
        self.xx, self.xy, self.yy = x.T @ x, x.T @ left, float(left @ left)
        self.freedom = table.n - (x.shape[1] if reml else 0)

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """Return the deviance and its gradient."""
        solved = self.at(theta)
        return solved.deviance, solved.gradient

    def at(self, theta: Floats) -> Solved:
        """Solve for everything else."""
        crossed = self.crossed
        coupling, scale = Coupling(crossed, theta, self.totals, self.tables), crossed.scales(theta)
        scaled_x, scaled_y = scale * self.by_level, scale * self.left_by_level
        solved_x, solved_y = coupling.solve(scaled_x), coupling.solve(scaled_y)
        information = self.xx - scaled_x @ solved_x.T
        inverse = np.asarray(np.linalg.inv((information + information.T) / 2), float)
        right = self.xy - scaled_x @ solved_y
        fixed = inverse @ right
        squares = max(self.yy - float(scaled_y @ solved_y) - float(right @ fixed), 1e-300)
        effects = solved_y - fixed @ solved_x
        coupling.invert()
        kept = coupling.diagonal()
        safe = np.where(theta > 0, theta, 1.0)
        # ΛZ′(residuals) = û and ΛZ′(residuals of X) = H⁻¹ΛZ′X: derivatives by θ need nothing more.
        parts = [solved_x[:, block] for block in crossed.blocks]
        pulls = np.array([-2 * part @ part.T / s for part, s in zip(parts, safe, strict=True)])
        squares_change = np.array([-2 * (effects[b] ** 2).sum() for b in crossed.blocks]) / safe
        log_det_change = np.array([2 * (1 - kept[b]).sum() for b in crossed.blocks]) / safe
        deviance = coupling.log_det() + self.freedom * (1 + np.log(2 * np.pi * squares / self.freedom))
        gradient = log_det_change + self.freedom * squares_change / squares
        if self.reml:
            deviance -= np.linalg.slogdet(inverse)[1]
            gradient = gradient + np.einsum("kab,ba->k", pulls, inverse)
        return Solved(
            float(deviance), gradient, fixed, squares, inverse, pulls, squares_change, effects, freedom=self.freedom
        )


def _polished(criterion: Criterion, theta: Floats, free: Bools) -> tuple[Floats, bool]:
    """Take Newton steps in the free θ until the gradient vanishes."""
    for _ in range(50):
        here = criterion.at(theta)
        values, vectors = np.linalg.eigh(_differences(lambda t: criterion.at(t).gradient, theta, free))
        bounded = np.maximum(np.abs(values), 1e-9 * np.abs(values).max())
        step, part = vectors @ ((vectors.T @ here.gradient[free]) / bounded), 1.0
        gain = float(here.gradient[free] @ step)
        while True:
            tried = theta.copy()
            tried[free] = np.abs(theta[free] - part * step)
            if part < 1e-6 or criterion.at(tried).deviance <= here.deviance + 1e-11 * abs(here.deviance):
                break
            part /= 2
        theta = tried
        if gain < 1e-14:
            return theta, bool(values[0] > 0)
    return theta, False


def _differences(gradient: Callable[[Floats], Floats], theta: Floats, free: Bools) -> Floats:
    """Return the Hessian in the free θ from central differences of an exact gradient, good to about 1e-9."""
    rows = []
    for k in np.flatnonzero(free):
        step = np.zeros(len(theta))
        step[k] = 1e-4 * max(theta[k], 0.1)
        rows.append((gradient(theta + step) - gradient(theta - step))[free] / (2 * step[k]))
    hessian: Floats = np.array(rows)
    return np.asarray((hessian + hessian.T) / 2)


def _result(
    table: Rows, criterion: Criterion, theta: Floats, free: Bools, *, converged: bool, steps: int, reml: bool
) -> MixedFit:
    solved = criterion.at(theta)
    variance = solved.squares / criterion.freedom
    residual = float(np.sqrt(variance))
    number = int(free.sum())
    # Variance parameters: the free θ, then the residual variance.
    hessian = np.zeros((number + 1, number + 1))
    if number:
        hessian[:-1, :-1] = _differences(lambda t: criterion.at(t).raw_gradient(variance), theta, free)
    hessian[-1, :-1] = hessian[:-1, -1] = -solved.squares_change[free] / variance**2
    hessian[-1, -1] = criterion.freedom / variance**2
    spread = np.asarray(2 * np.linalg.inv(hessian), float)
    changes = np.array(
        [*(-variance * solved.inverse @ pull @ solved.inverse for pull in solved.pulls[free]), solved.inverse]
    )
    satterthwaite = Satterthwaite(variance * solved.inverse, changes, spread)
    log_error = np.full(len(theta), np.nan)
    for place, k in enumerate(np.flatnonzero(free)):
        slope = np.zeros(number + 1)  # of log(θ·σ)
        slope[place], slope[-1] = 1 / theta[k], 0.5 / variance
        log_error[k] = np.sqrt(slope @ spread @ slope)
    crossed = criterion.crossed
    intercepts = crossed.scales(theta) * solved.effects
    notes = [
        f"the variance of {name} is estimated as 0" for name, one in zip(table.factors, theta, strict=True) if not one
    ]
    if not converged:
        notes.append("the search did not converge: estimates are where it stopped")
    return MixedFit(
        kind="linear (REML)" if reml else "linear (ML)",
        names=table.names,
        params=criterion.base + solved.fixed,
        covariance=variance * solved.inverse,
        factors=table.factors,
        sd=theta * residual,
        log_sd_error=log_error,
        levels=dict(zip(table.factors, table.sizes, strict=True)),
        level_names=table.levels,
        intercepts=intercepts,
        loglik=-solved.deviance / 2,
        n=table.n,
        left_out=table.left_out,
        converged=converged,
        steps=steps,
        data=zlib.crc32(table.response.tobytes()),
        note="; ".join(notes),
        residual_sd=residual,
        residual_log_sd_error=float(np.sqrt(spread[-1, -1]) / (2 * variance)),
        satterthwaite=satterthwaite,
    )
