"""Laplace's approximation to a mixed model's likelihood, with its exact first and second derivatives.

With u the random effects in units of their standard deviations, ``η = Xβ + ZΛu``, û maximises ``ℓ(η) - u′u/2`` and

    deviance = -2ℓ(η̂) + û′û + log|H|,   H = ΛZ′WZΛ + I,

as in Bates et al. (2015) and ``lme4`` with ``nAGQ = 1``. Parameters are, in this order, the family's own (thresholds),
the fixed effects β and one standard deviation a factor. The deviance is an even function of each standard deviation, so
none needs a bound: 0 is a point like any other.
"""

from dataclasses import dataclass

import numpy as np

from deixis.analysis.mixed.crossed import Coupling, Crossed, Floats
from deixis.analysis.mixed.families import Family, Point
from deixis.analysis.mixed.problem import Derivatives, Mode

MOST_STEPS = 100


@dataclass
class Settled:
    """The family and the random effects' matrix at a mode."""

    point: Point
    coupling: Coupling
    by_level: Floats
    """The score summed by level."""


class Laplace:
    """The deviance of one model on given data."""

    def __init__(self, family: Family, fixed: Floats, crossed: Crossed) -> None:
        self.family, self.crossed = family, crossed
        self.columns = np.ascontiguousarray(fixed.T)
        self.first_sd = family.extras + len(self.columns)
        self.size = self.first_sd + len(crossed.sizes)
        # Directions along which everything is differentiated: how each parameter moves standard deviations and η.
        self.sd_dot = np.zeros((self.size, len(crossed.sizes)))
        self.sd_dot[self.first_sd :] = np.eye(len(crossed.sizes))
        self.scale_dot = crossed.scales(self.sd_dot)
        self.eta_dot = np.zeros((self.size, self.columns.shape[1]))
        self.eta_dot[family.extras : self.first_sd] = self.columns

    def mode(self, parameters: Floats, effects: Floats, accuracy: float) -> Mode[Settled] | None:
        """Find û from a first guess by penalised Newton steps; nothing where the likelihood is not finite."""
        extra, fixed, sd = self._parts(parameters)
        crossed = self.crossed
        base, scale = fixed @ self.columns, crossed.scales(sd)
        point = self.family.at(extra, base + crossed.spread(scale * effects))
        value = point.loglik - float(effects @ effects) / 2
        if not np.isfinite(value):
            effects = np.zeros_like(effects)
            point = self.family.at(extra, base)
            value = point.loglik
        if not np.isfinite(value):
            return None
        for _ in range(MOST_STEPS):
            coupling = Coupling(crossed, sd, crossed.gather(point.weight), crossed.tables(point.weight))
            by_level = crossed.gather(point.score)
            uphill = scale * by_level - effects
            step = coupling.solve(uphill)
            gain = float(uphill @ step)
            if gain < accuracy:
                break
            part = 1.0
            while True:
                tried = effects + part * step
                near = self.family.at(extra, base + crossed.spread(scale * tried))
                reached = near.loglik - float(tried @ tried) / 2
                if reached >= value - 1e-12 * abs(value) or part < 1e-8:
                    break
                part /= 2
            effects, point, value = tried, near, reached
        return Mode(parameters, effects, -2 * value + coupling.log_det(), Settled(point, coupling, by_level))

    def derivatives(self, mode: Mode[Settled]) -> Derivatives:
        """Return gradient and Hessian at a mode: the gradient by the adjoint of û, the Hessian by differentiating it.

        A name with ``_dot`` is a change along each parameter, ``(parameters, …)``.
        """
        crossed, point, coupling, u = self.crossed, mode.found.point, mode.found.coupling, mode.effects
        _, _, sd = self._parts(mode.parameters)
        scale, score, weight, slope = crossed.scales(sd), point.score, point.weight, point.slope()
        first, size, factors = self.first_sd, self.size, len(sd)
        scale_dot = self.scale_dot

        coupling.invert()
        pairs = coupling.entries()
        shares = self._shares(pairs, sd)
        leverage = _weighted(sd, shares)
        bend = leverage * slope
        sums = crossed.gather(bend)
        adjoint = coupling.solve(scale * sums)
        rows = crossed.spread(scale * adjoint)
        common = -2 * score + bend - weight * rows
        by_level = mode.found.by_level
        common_by_level = crossed.gather(common)

        gradient = np.concatenate([point.pull(leverage, rows), self.columns @ common, np.empty(factors)])
        for i, block in enumerate(crossed.blocks):
            gradient[first + i] = common_by_level[block] @ u[block] + adjoint[block] @ by_level[block]
            gradient[first + i] += 2 * (weight @ shares[i])

        eta_dot = self.eta_dot.copy()
        for i, block in enumerate(crossed.blocks):
            eta_dot[first + i] = u[block].take(crossed.codes[i])
        direct = point.score_change(eta_dot)
        u_dot = coupling.solve(scale_dot * by_level + scale * crossed.gather(direct))
        eta_dot += crossed.spread(scale * u_dot)
        moved = point.change(eta_dot)

        pairs_dot = coupling.entries_change(self.sd_dot, moved.weight)
        shares_dot = self._shares(pairs_dot, sd)
        for i in range(factors):  # the part from the standard deviations themselves
            for j in range(factors):
                shares_dot[j][first + i] += pairs[min(i, j), max(i, j)]
        leverage_dot = _weighted(sd, shares_dot)
        for i in range(factors):
            leverage_dot[first + i] += shares[i]
        bend_dot = leverage_dot * slope + leverage * moved.slope
        turned = crossed.spread(scale_dot * adjoint)
        inner = bend_dot - moved.weight * rows - weight * turned
        right = scale_dot * (common_by_level + 2 * by_level) + scale * crossed.gather(inner)
        adjoint_dot = coupling.solve(right)
        rows_dot = turned + crossed.spread(scale * adjoint_dot)
        common_dot = -2 * moved.score + bend_dot - moved.weight * rows - weight * rows_dot
        common_dot_by_level, by_level_dot = crossed.gather(common_dot), crossed.gather(moved.score)

        hessian = np.empty((size, size))
        hessian[: self.family.extras] = point.pull_change(leverage, rows, leverage_dot, rows_dot, moved)
        hessian[self.family.extras : first] = self.columns @ common_dot.T
        for i, block in enumerate(crossed.blocks):
            hessian[first + i] = (
                common_dot_by_level[:, block] @ u[block]
                + u_dot[:, block] @ common_by_level[block]
                + adjoint_dot[:, block] @ by_level[block]
                + by_level_dot[:, block] @ adjoint[block]
                + 2 * (moved.weight @ shares[i] + shares_dot[i] @ weight)
            )
        return Derivatives(gradient, (hessian + hessian.T) / 2, u_dot)

    def _parts(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        extras = self.family.extras
        return parameters[:extras], parameters[extras : self.first_sd], parameters[self.first_sd :]

    def _shares(self, pairs: dict[tuple[int, int], Floats], sd: Floats) -> list[Floats]:
        """Return by factor, for each row, the covariance of its level's effect with the row's random part."""
        found = []
        for i in range(len(sd)):
            share = sd[0] * pairs[0, i]
            for j in range(1, len(sd)):
                share += sd[j] * pairs[min(i, j), max(i, j)]
            found.append(share)
        return found


def _weighted(weights: Floats, arrays: list[Floats]) -> Floats:
    total: Floats = weights[0] * arrays[0]
    for weight, array in zip(weights[1:], arrays[1:], strict=True):
        total += weight * array
    return total
