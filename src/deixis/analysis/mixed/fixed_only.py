"""The same families without random effects: cumulative logit models, and where a mixed model starts from."""

import numpy as np

from deixis.analysis.mixed.crossed import Floats
from deixis.analysis.mixed.families import Family, Point
from deixis.analysis.mixed.problem import Derivatives, Mode


class FixedOnly:
    """The deviance -2ℓ in thresholds and fixed effects; ``effects`` are empty throughout."""

    def __init__(self, family: Family, fixed: Floats) -> None:
        self.family, self.columns = family, np.ascontiguousarray(fixed.T)
        self.size = family.extras + len(self.columns)

    def mode(self, parameters: Floats, effects: Floats, accuracy: float = 0.0) -> Mode[Point] | None:  # noqa: ARG002
        """Return the deviance at ``parameters``; nothing where it is not finite."""
        extras = self.family.extras
        point = self.family.at(parameters[:extras], parameters[extras:] @ self.columns)
        return Mode(parameters, effects, -2 * point.loglik, point) if np.isfinite(point.loglik) else None

    def derivatives(self, mode: Mode[Point]) -> Derivatives:
        """Return gradient and Hessian."""
        point, extras = mode.found, self.family.extras
        eta_dot = np.zeros((self.size, self.columns.shape[1]))
        eta_dot[extras:] = self.columns
        moved = point.change(eta_dot)
        none, none_dot = np.zeros(eta_dot.shape[1]), np.zeros_like(eta_dot)
        gradient = np.concatenate([point.pull(none, none), -2 * (self.columns @ point.score)])
        thresholds = point.pull_change(none, none, none_dot, none_dot, moved)
        hessian = np.concatenate([thresholds, -2 * (self.columns @ moved.score.T)])
        return Derivatives(gradient, (hessian + hessian.T) / 2, np.zeros((self.size, 0)))
