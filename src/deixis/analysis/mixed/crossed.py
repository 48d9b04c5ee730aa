"""Crossed random intercepts: sums over their levels, and the matrix that couples them, factored by blocks.

Rows belong to one level of every factor. With Z the 0/1 matrix of levels, Λ the standard deviations and W the rows'
weights, everything asked of the random effects goes through ``H = ΛZ′WZΛ + I``. The block of one factor with itself is
diagonal, so the largest factor is eliminated and only a dense block of the others' levels remains.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


class Crossed:
    """Which level of each factor every row belongs to; factors from many levels to few."""

    def __init__(self, codes: Sequence[Codes], sizes: Sequence[int]) -> None:
        self.codes = [np.ascontiguousarray(code, np.intp) for code in codes]
        self.sizes = list(sizes)
        if self.sizes != sorted(self.sizes, reverse=True):
            raise ValueError("the largest factor comes first")
        ends = np.cumsum(self.sizes)
        self.blocks = [slice(int(end) - size, int(end)) for end, size in zip(ends, self.sizes, strict=True)]
        self.levels = int(ends[-1])
        self.owner = np.repeat(np.arange(len(codes)), self.sizes)
        self.pairs = [(i, j) for i in range(len(codes)) for j in range(i + 1, len(codes))]
        # Rows in the order of the first factor's levels, all of which occur, are summed in one go.
        steps = np.diff(self.codes[0])
        self.starts = np.flatnonzero(np.concatenate([[1], steps])) if np.all(steps >= 0) else None
        self.cells = {(i, j): self.codes[i] * self.sizes[j] + self.codes[j] for i, j in self.pairs}

    def scales(self, sd: Floats) -> Floats:
        """Return Λ's diagonal: each level's standard deviation; ``sd`` is ``(…, factors)``."""
        return sd.take(self.owner, axis=-1)

    def gather(self, rows: Floats) -> Floats:
        """Return ``Z′x``: sums of ``rows`` (``(…, rows)``) by level, factors side by side (``(…, levels)``)."""
        if self.starts is not None and len(self.codes) == 1:
            return np.add.reduceat(rows, self.starts, axis=-1)
        found = np.empty((*rows.shape[:-1], self.levels))
        for code, size, block in zip(self.codes, self.sizes, self.blocks, strict=True):
            if block.start == 0 and self.starts is not None:
                np.add.reduceat(rows, self.starts, axis=-1, out=found[..., block])
            elif rows.ndim == 1:
                found[block] = np.bincount(code, rows, size)
            else:
                for row, sums in zip(rows, found, strict=True):
                    sums[block] = np.bincount(code, row, size)
        return found

    def spread(self, values: Floats) -> Floats:
        """Return ``Zv``: for every row the sum of its levels' ``values`` (``(…, levels)``)."""
        total = values[..., self.blocks[0]].take(self.codes[0], axis=-1)
        for block, code in zip(self.blocks[1:], self.codes[1:], strict=True):
            total += values[..., block].take(code, axis=-1)
        return total

    def tables(self, rows: Floats) -> dict[tuple[int, int], Floats]:
        """Return sums of ``rows`` by the levels of each two factors, ``(…, levels, levels)``."""
        found = {}
        for i, j in self.pairs:
            shape = (self.sizes[i], self.sizes[j])
            many = np.atleast_2d(rows)
            sums = np.empty((len(many), shape[0] * shape[1]))
            for total, row in zip(sums, many, strict=True):
                total[:] = np.bincount(self.cells[i, j], row, shape[0] * shape[1])
            found[i, j] = sums.reshape(*rows.shape[:-1], *shape)
        return found


class Coupling:
    """``H = ΛZ′WZΛ + I`` at given standard deviations and weights, factored."""

    def __init__(self, crossed: Crossed, sd: Floats, totals: Floats, tables: dict[tuple[int, int], Floats]) -> None:
        """Take the weights' sums by level (``crossed.gather``) and by levels of two factors (``crossed.tables``)."""
        self.crossed, self.sd, self.totals, self.tables = crossed, sd, totals, tables
        first = crossed.sizes[0]
        self.rest = rest = crossed.levels - first
        diagonal = 1 + crossed.scales(sd**2) * totals
        self.head = diagonal[:first]
        if not rest:
            return
        across, among = self._blocks({pair: sd[pair[0]] * sd[pair[1]] * t for pair, t in tables.items()})
        among[np.arange(rest), np.arange(rest)] += diagonal[first:]
        self.ratio = across / self.head[:, None]
        self.root, fault = lapack.dpotrf(among - self.ratio.T @ across, lower=1, clean=1)
        if fault:
            raise np.linalg.LinAlgError("the random effects' matrix is not positive definite")

    def _blocks(self, tables: dict[tuple[int, int], Floats]) -> tuple[Floats, Floats]:
        """Return the block of the first factor with the others, and of the others among each other, both ``(…)``."""
        crossed, first = self.crossed, self.crossed.sizes[0]
        rest = crossed.levels - first
        lead = next(iter(tables.values())).shape[:-2] if tables else ()
        across, among = np.zeros((*lead, first, rest)), np.zeros((*lead, rest, rest))
        for (i, j), table in tables.items():
            b = slice(crossed.blocks[j].start - first, crossed.blocks[j].stop - first)
            if i == 0:
                across[..., b] = table
            else:
                a = slice(crossed.blocks[i].start - first, crossed.blocks[i].stop - first)
                among[..., a, b] = table
                among[..., b, a] = table.swapaxes(-1, -2)
        return across, among

    def log_det(self) -> float:
        """Return ``log|H|``."""
        rest = 2 * np.log(self.root.diagonal()).sum() if self.rest else 0.0
        return float(np.log(self.head).sum() + rest)

    def solve(self, right: Floats) -> Floats:
        """Return ``H⁻¹x`` for ``right`` of shape ``(levels,)`` or ``(many, levels)``."""
        first = self.crossed.sizes[0]
        head = right[..., :first] / self.head
        if not self.rest:
            return head
        tail = lapack.dpotrs(self.root, (right[..., first:] - right[..., :first] @ self.ratio).T, lower=1)[0].T
        tail = tail.reshape(*right.shape[:-1], self.rest)
        return np.concatenate([head - tail @ self.ratio.T, tail], axis=-1)

    def invert(self) -> None:
        """Work out the parts of ``H⁻¹`` that rows can ask for."""
        if not self.rest:
            self.corner = 1 / self.head
            return
        inverse, _ = lapack.dpotri(self.root, lower=1)
        self.inner = np.tril(inverse) + np.tril(inverse, -1).T
        self.outer = -self.ratio @ self.inner
        self.corner = 1 / self.head - np.einsum("ab,ab->a", self.outer, self.ratio)

    def diagonal(self) -> Floats:
        """Return the diagonal of ``H⁻¹``; :meth:`invert` comes first."""
        return np.concatenate([self.corner, self.inner.diagonal()]) if self.rest else self.corner

    def entries(self) -> dict[tuple[int, int], Floats]:
        """Return by pair of factors the entry of ``H⁻¹`` at each row's two levels, ``(rows,)``."""
        if not self.rest:
            return {(0, 0): self.corner.take(self.crossed.codes[0])}
        return self._entries(self.corner, self.outer, self.inner)

    def entries_change(self, sd_change: Floats, weight_change: Floats) -> dict[tuple[int, int], Floats]:
        """Return how :meth:`entries` change along directions, ``(many, rows)``.

        ``sd_change`` is ``(many, factors)``, ``weight_change`` ``(many, rows)``. Written out from the factored form:
        with T the ratio and S the block that is left, ``dS = dC - M - M′``, ``M = T′(dB - dD·T/2)``.
        """
        crossed, sd, first = self.crossed, self.sd, self.crossed.sizes[0]
        diagonal = crossed.scales(2 * sd * sd_change) * self.totals
        diagonal += crossed.scales(sd**2) * crossed.gather(weight_change)
        head = diagonal[:, :first]
        if not self.rest:
            return {(0, 0): (-head / self.head**2).take(crossed.codes[0], axis=-1)}
        moved = crossed.tables(weight_change)
        tables = {}
        for (i, j), table in self.tables.items():
            product = sd_change[:, i] * sd[j] + sd[i] * sd_change[:, j]
            tables[i, j] = product[:, None, None] * table + sd[i] * sd[j] * moved[i, j]
        across, among = self._blocks(tables)
        among[:, np.arange(self.rest), np.arange(self.rest)] += diagonal[:, first:]
        shift = head[:, :, None] * self.ratio
        half = self.ratio.T @ (across - shift / 2)
        inner = -self.inner @ (among - half - half.swapaxes(1, 2)) @ self.inner
        one = ((across - shift) / self.head[:, None]) @ self.inner
        two = self.ratio @ inner
        corner = -head / self.head**2 + np.einsum("kab,ab->ka", 2 * one + two, self.ratio)
        return self._entries(corner, -one - two, inner)

    def _entries(self, corner: Floats, outer: Floats, inner: Floats) -> dict[tuple[int, int], Floats]:
        crossed, first = self.crossed, self.crossed.sizes[0]
        found = {(0, 0): corner.take(crossed.codes[0], axis=-1)}
        flat_outer = outer.reshape(*outer.shape[:-2], -1)
        flat_inner = inner.reshape(*inner.shape[:-2], -1)
        for j in range(1, len(crossed.sizes)):
            at = crossed.codes[j] + (crossed.blocks[j].start - first)
            found[0, j] = flat_outer.take(crossed.codes[0] * self.rest + at, axis=-1)
            for i in range(1, j + 1):
                other = crossed.codes[i] + (crossed.blocks[i].start - first)
                found[i, j] = flat_inner.take(other * self.rest + at, axis=-1)
        return found
