"""Every figure is drawn once, and the same numbers give the same files."""

from pathlib import Path

from deixis.report.paper_figures.every import write_paper_figures
from deixis.report.paper_figures.figure18 import figure18
from tests.report.paper_figures.made import cell, ratings, small, table

IDS = ["figure2", "figure3", "figure4a", "figure4b", "figure18", "difficulty", "references", "figure17"]


def test_every_figure_is_written_in_three_formats_with_its_words(tmp_path: Path) -> None:
    found = write_paper_figures(small(), tmp_path / "new", ratings())
    assert [one.id for one in found] == IDS
    for one in found:
        assert one.svg.read_text(encoding="utf-8").count("<svg") == 1
        assert one.svg.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert one.svg.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
        assert one.title
        assert one.caption.endswith(".")
        assert one.alt.endswith(".")


def test_the_same_numbers_give_the_same_files_and_only_what_the_data_allow(tmp_path: Path) -> None:
    lone = table(cell("people:a/1", "possessive", "people", 3, 4), cell("people:a/2", "possessive", "people", 1, 4))
    once, again = (write_paper_figures(lone, tmp_path / name) for name in ("once", "again"))
    assert [one.id for one in once] == ["figure2", "figure18"]
    for kind in (".svg", ".png", ".pdf"):
        for one, other in zip(once, again, strict=True):
            assert one.svg.with_suffix(kind).read_bytes() == other.svg.with_suffix(kind).read_bytes()


def test_a_figure_without_its_data_is_none() -> None:
    assert figure18(table(cell("m/one", "checks", "gazer", 1, 2, options=2))) is None
