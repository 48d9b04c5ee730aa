"""The ledger: every claim, held against the printed numbers and against the runs at hand."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import pandas as pd

from deixis.analysis.claims import (
    cues,
    dataset,
    here_and_tomorrow,
    hierarchy,
    i_and_you,
    objects,
    people,
    prompting,
    rated,
    seeing,
)
from deixis.analysis.claims.claim import Claim, Finding
from deixis.analysis.claims.paper import paper
from deixis.analysis.claims.source import sources

_ROOMS = (i_and_you, here_and_tomorrow, dataset, hierarchy, cues, prompting, seeing, people, objects)
CLAIMS: tuple[Claim, ...] = tuple(
    sorted((claim for room in _ROOMS for claim in room.CLAIMS), key=lambda one: one.order)
)
"""All claims, those of the indexicals paper first, by number."""
COLUMNS = ("id", "paper", "where", "statement", "protocol", "participant", "verdict", "evidence", "remark")
"""The columns of the ledger."""


def ledger(
    table: pd.DataFrame | None = None,
    items: Mapping[str, int] | None = None,
    ratings: Mapping[str, pd.DataFrame] | None = None,
) -> pd.DataFrame:
    """Return the ledger: claims in their order, each on the printed numbers, then on every protocol of a tidy table.

    For every claim and protocol there is one row with an empty ``participant``, about all of them, and then one a
    participant where the claim is about each. ``protocol`` is ``printed``, a protocol of the table (never several
    together), or ``items`` for what is known of a set of items: facts named as in
    :data:`deixis.analysis.claims.dataset.FACTS`. ``ratings`` are people's, by protocol, as
    :func:`deixis.analysis.people.ratings.ratings` makes them. ``verdict`` is ``holds``, ``fails``, ``open`` or
    ``untested``; ``evidence`` has the numbers, or says what is lacking; ``remark`` is empty where there is none.
    Reference participants are left out. Raises :class:`deixis.errors.AnalysisError` for a table without the columns of
    a tidy one.
    """
    at_hand = [] if table is None or table.empty else sources(table)
    rows = []
    for claim in CLAIMS:
        for protocol, found in _found(claim, items):
            rows.append(_row(claim, protocol, found))
        for source in at_hand:
            if claim.id != "P17" or source.protocol not in (ratings or {}):
                rows += [_row(claim, source.protocol, found) for found in claim.judge(source)]
        for protocol, found in _on_ratings(claim, ratings or {}):
            rows.append(_row(claim, protocol, found))
    return pd.DataFrame(rows, columns=COLUMNS)


@lru_cache(maxsize=len(CLAIMS))
def _on_paper(claim: Claim) -> Finding:
    (found,) = claim.judge(paper())
    return replace(found, remark=found.remark or claim.remark)


def _found(claim: Claim, items: Mapping[str, int] | None) -> Iterator[tuple[str, Finding]]:
    yield "printed", _on_paper(claim)
    if claim.id == "I15" and items is not None:
        yield "items", dataset.of_items(items)


def _on_ratings(claim: Claim, ratings: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, Finding]]:
    if claim.id == "P17":
        yield from ((protocol, rated.of_ratings(table)) for protocol, table in ratings.items())


def _row(claim: Claim, protocol: str, found: Finding) -> tuple[str, ...]:
    about = (claim.id, claim.paper, claim.where, claim.statement, protocol)
    return (*about, found.participant, found.verdict.value, found.evidence, found.remark)
