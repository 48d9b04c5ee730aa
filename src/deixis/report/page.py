"""The report: one page that needs nothing beside it, with figures, tables and numbers as files next to it."""

import base64
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from deixis import __version__
from deixis.analysis.claims.ledger import ledger
from deixis.errors import StoreError
from deixis.report.answer import answer
from deixis.report.browser.fragment import fragment, policy
from deixis.report.browser.packing import payload
from deixis.report.error_tables import error_csv_lines
from deixis.report.figures import of_passages, write_figures
from deixis.report.gather import GatheredDesign, at_work, gather, whole
from deixis.report.mixing import mixed
from deixis.report.numbers import csv_lines
from deixis.report.paper_figures.every import SKETCHES, draw
from deixis.report.paper_figures.sketch import Drawn
from deixis.report.paper_figures.tally import tally
from deixis.report.samples import hardest, samples
from deixis.report.sections import groups, title
from deixis.report.tables.beside_people import beside_people_table
from deixis.report.tables.claims import claims_table
from deixis.report.tables.extra import extra_tables
from deixis.report.tables.paper import paper_tables
from deixis.report.tables.table import Table
from deixis.report.tables.write import write_tables
from deixis.report.tables.writing import plain
from deixis.scoring.results import PROTOCOL
from deixis.scoring.ways import Way


def write_report(
    runs: Sequence[Path],
    out: Path,
    about: str = "",
    asked: Sequence[str] = (),
    way: Way = PROTOCOL,
    workers: int = 1,
    items: Mapping[str, int] | None = None,
) -> tuple[Path, list[str]]:
    """Read answers one ``way`` and write ``report.html`` with its figures, tables and numbers into ``out``.

    Returns the path of the page and the most telling lines about one participant, of the designs ``asked`` (by name,
    such as ``possessive-main``) or of the first: five lines where there is one design, else its name and the first line
    of each. ``workers`` is in how many processes large runs may be read; on ``items``, facts of a set of items, the
    claim about items is decided (:data:`~deixis.analysis.claims.dataset.FACTS`). Raises
    :class:`~deixis.errors.StoreError` where nothing can be read or written, and
    :class:`~deixis.errors.UsageError` for runs whose numbers do not belong together.
    """
    page = out / "report.html"
    with at_work(runs, workers) as pool:
        designs = gather(runs, way, about, pool)
        try:
            out.mkdir(parents=True, exist_ok=True)
            page.write_text(_written(designs, out, pool, items), encoding="utf-8")
        except OSError as error:
            raise StoreError(
                f"cannot write the report into {str(out)!r}: {error.strerror or error}; no answer is lost: "
                "'deixis report RUN --out DIR' writes it elsewhere"
            ) from None
    told = [design for design in designs if design.name in asked] or designs[:1]
    if len(told) == 1:
        return page, list(told[0].telling)
    return page, [f"{design.name}: {design.telling[0]}" for design in told]


def _written(
    designs: Sequence[GatheredDesign], out: Path, pool: Executor | None, items: Mapping[str, int] | None = None
) -> str:
    """Write every file of the report but the page, and return the page."""
    table = whole(designs)
    leading = [(place, design) for place, design in enumerate(designs) if design.leading and not design.table.empty]
    waiting = [
        _begun(
            pool,
            partial(
                write_figures,
                groups(design.table),
                out / "figures",
                _name(designs, place),
                passages=of_passages(design),
            ),
        )
        for place, design in leading
    ]
    by_protocol = _ratings(designs)
    rated = pd.concat(by_protocol.values(), ignore_index=True) if by_protocol else None
    drawings = _paper_figures(pool, table, out / "figures", rated)
    signed = [(design.signature, design.table) for design in designs]
    (out / "numbers.csv").write_text("\n".join(csv_lines(signed)) + "\n", encoding="utf-8")
    (out / "errors.csv").write_text("\n".join(error_csv_lines(signed)) + "\n", encoding="utf-8")
    tables = _tables(table, items, by_protocol)
    write_tables(tables.values(), out)
    figures = {place: made() for (place, _), made in zip(leading, waiting, strict=True)}
    sections = [
        _section(_name(designs, place), _titled(designs, place), design, figures.get(place, {}), out)
        for place, design in enumerate(designs)
    ]
    drawn = [one for made in drawings if (one := made()) is not None]
    shown = {
        "version": __version__,
        "answer": answer(table),
        "warnings": [*mixed(designs)],
        "participants": list(groups(table)),
        "main": [_figure(one, out) for one in drawn if one.id in _MAIN],
        "drawn_figures": [_figure(one, out) for one in drawn if one.id not in _MAIN],
        "tables": {name: plain(one) for name, one in tables.items() if name != "claims"},
        "claims": _claims(tables["claims"]),
        "samples": samples([design for _, design in leading]),
        "hardest": [(title(design.signature), found) for _, design in leading if (found := hardest(design))],
        "fingerprints": [line for design in designs for line in design.fingerprints],
        "sections": sections,
        "passages": [one for one in sections if one["passages"] and "models" in one["figures"]],
        "browser": fragment(payload([design.entries for design in designs])),
        "licences": sorted({d.entries.attribution for d in designs if d.entries.attribution}),
    }
    return _with_policy(str(_template().render(shown)))


_MAIN = ("figure2",)
"""The figures that stand above everything else."""


def _begun(pool: Executor | None, work: Callable[[], Any]) -> Callable[[], Any]:
    """Begin work in another process, or leave it until its result is asked for; it is done once."""
    if pool is not None:
        return pool.submit(work).result
    return lru_cache(maxsize=1)(work)


def _paper_figures(
    pool: Executor | None, table: pd.DataFrame, folder: Path, ratings: pd.DataFrame | None
) -> list[Callable[[], Drawn | None]]:
    if table.empty:
        return []
    counts = tally(table)
    return [_begun(pool, partial(draw, counts, place, ratings, folder)) for place in range(len(SKETCHES) + 1)]


def _ratings(designs: Sequence[GatheredDesign]) -> dict[str, pd.DataFrame]:
    """Return people's ratings by protocol, where there are any."""
    found: dict[str, list[pd.DataFrame]] = {}
    for design in designs:
        if design.ratings is not None and not design.ratings.empty:
            found.setdefault(str(design.signature["protocol"]), []).append(design.ratings)
    return {protocol: pd.concat(frames, ignore_index=True) for protocol, frames in found.items()}


def _tables(
    table: pd.DataFrame, items: Mapping[str, int] | None, ratings: Mapping[str, pd.DataFrame]
) -> dict[str, Table]:
    found = [] if table.empty else [*paper_tables(table), *extra_tables(table)]
    beside = None if table.empty else beside_people_table(table)
    found += [] if beside is None else [beside]
    return {one.id: one for one in [*found, claims_table(ledger(None if table.empty else table, items, ratings))]}


def _claims(table: Table) -> list[dict[str, Any]]:
    """Return one entry a claim: its verdict on the printed numbers, on the runs, and all the evidence."""
    found: dict[str, dict[str, Any]] = {}
    for line in table.rows:
        value = dict(zip(table.header, table.values(line), strict=True))
        claim = found.setdefault(
            str(value["id"]), {"id": value["id"], "statement": value["statement"], "where": value["where"], "lines": []}
        )
        claim["lines"].append({**value, "printed": value["block"] == "printed"})
    return list(found.values())


def _name(designs: Sequence[GatheredDesign], place: int) -> str:
    """Return the name of a design within the page; of a second one with the same, with its place."""
    name = designs[place].name
    return name if all(design.name != name for design in designs[:place]) else f"{name}-{place}"


def _titled(designs: Sequence[GatheredDesign], place: int) -> str:
    """Return what a design is called on the page; of one that several runs hold, with its run."""
    own = designs[place]
    told = title(own.signature)
    runs = [design.run for design in designs if title(design.signature) == told]
    if len(runs) == 1:
        return told
    return f"{told}, run {own.run.name if len({run.name for run in runs}) == len(runs) else own.run}"


def _figure(drawn: Drawn, out: Path) -> dict[str, str]:
    return {
        "id": drawn.id,
        "title": drawn.title,
        "caption": drawn.caption,
        "alt": drawn.alt,
        "source": _inline(drawn.svg),
        "stem": drawn.svg.relative_to(out).with_suffix("").as_posix(),
    }


def _section(name: str, called: str, design: GatheredDesign, figures: Mapping[str, Path], out: Path) -> dict[str, Any]:
    return {
        **design.section,
        "name": name,
        "title": called,
        "leading": design.leading,
        "telling": design.telling,
        "notes": design.notes,
        "forced": design.forced,
        "figures": {key: _inline(path) for key, path in figures.items()},
        "files": {key: path.relative_to(out).with_suffix("").as_posix() for key, path in figures.items()},
        "signatures": _signatures(design),
    }


def _signatures(design: GatheredDesign) -> list[tuple[str, str]]:
    """Return what answers were made with, and by whom; participants with the same, such as people, together."""
    found: dict[str, list[str]] = {}
    for participant, signature in design.signatures:
        told = " · ".join(f"{key}={value}" for key, value in signature.items() if key != "participant")
        found.setdefault(told, []).append(participant)
    return [(", ".join(names), told) for told, names in found.items()]


def _inline(path: Path) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2  # noqa: PLC0415  (needed for pages only)

    loader = jinja2.PackageLoader("deixis", "report")
    made = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return made.get_template("page.html.j2")


def _with_policy(page: str) -> str:
    """Put the policy into a page that allows its own scripts and style sheets and nothing else."""
    return page.replace("{{policy}}", policy(page), 1)
