"""Tables as CSV, Markdown, HTML and LaTeX: nothing in a name means anything to any of them."""

import csv
import io
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from deixis.errors import StoreError
from deixis.report.tables import cells, latex, writing
from deixis.report.tables.extra import extra_tables
from deixis.report.tables.paper import paper_tables
from deixis.report.tables.table import Cell, Column, Table, row
from deixis.report.tables.write import write_tables
from tests.report.tables.made import tidied, trials

NASTY = r"a|b_c&d<e>*f*#%$~^{g}\[h](i)`j"
COLUMNS = (
    Column("Who & what", ("who_is",), "head"),
    Column("Participant", ("participant",), "head"),
    Column("Share", ("share",)),
    Column("95 %", ("low", "high")),
    Column("", ("hidden",), "text"),
)


def made(*names: str, rows: int = 0) -> Table:
    lines = [
        row(
            COLUMNS,
            "model",
            "corrected" if place < 2 else "paper",
            {
                "who_is": cells.text("same"),
                "participant": cells.text(name),
                "share": cells.share(1 / 3),
                "low": cells.interval_of_difference(-0.25, 0.5),
                "hidden": Cell("", ("kept",)),
            },
        )
        for place, name in enumerate([*names, *["x"] * rows])
    ]
    return Table("t1", "Title 100 %", "Note; `deixis run x --limit 3` asks.", COLUMNS, tuple(lines))


def all_tables() -> list[Table]:
    table = tidied(
        trials("openai/gpt-4o", "checks/object-people", [1.0, 0.0] * 4),
        trials(NASTY, "demonstrative/main", [1.0, 0.0] * 8),
        trials("people:a/1", "possessive/people", [1.0, 0.0] * 4),
    )
    return paper_tables(table) + extra_tables(table)


def test_csv_has_every_value_in_full_precision() -> None:
    header, line = csv.reader(io.StringIO(writing.csv_text(made(NASTY))))
    assert header == ["block", "who", "who_is", "participant", "share", "low", "high", "hidden"]
    assert line == ["corrected", "model", "same", NASTY, repr(1 / 3), "-0.25", "0.5", "kept"]


def test_numbers_are_written_as_the_house_writes_them() -> None:
    assert cells.difference(-0.0004).text == "0.000"
    assert cells.difference(-0.25) == Cell("−0.250", (-0.25,))
    assert cells.interval(0.5, float("nan")) == Cell("–", (0.5, None))
    assert cells.number(173.1164, 2).text == "173.12"
    assert cells.printed("0.900") == Cell("0.900", (0.9,))
    assert cells.p_value(0.0004).text == "< .001"


def split(line: str) -> list[str]:
    """The cells of a Markdown line, as GitHub splits it."""
    return [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]]


def test_markdown_has_as_many_cells_in_every_row() -> None:
    for table in all_tables():
        lines = [line for line in writing.markdown(table).splitlines() if line.startswith("|")]
        assert len(lines) == 2 + len(table.rows)
        assert {len(split(line)) for line in lines} == {len(table.shown)}
        ruled = [":---" if table.columns[place].kind != "number" else "---:" for place in table.shown]
        assert split(lines[1]) == ruled


def test_markdown_means_nothing_by_a_name() -> None:
    assert writing.escaped(NASTY) == r"a\|b\_c&amp;d\<e\>\*f\*\#%\$\~^{g}\\[h]\(i)\`j"
    assert "`deixis run x --limit 3`" in writing.markdown(made("a"))


class Cells(HTMLParser):
    """The cells, scopes and caption of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open = ""
        self.found: list[tuple[str, str, str]] = []
        self.bodies = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.bodies += tag == "tbody"
        if tag in {"th", "td", "caption"}:
            self.open = tag
            self.found.append((tag, dict(attrs).get("scope") or "", ""))

    def handle_endtag(self, tag: str) -> None:
        self.open = "" if tag == self.open else self.open

    def handle_data(self, data: str) -> None:
        if self.open:
            tag, scope, text = self.found[-1]
            self.found[-1] = (tag, scope, text + data)


def test_html_has_a_caption_heads_with_scope_and_the_very_names() -> None:
    page = Cells()
    page.feed(writing.html(made(NASTY, "b", "c")))
    assert page.found[:3] == [("caption", "", "Title 100 %"), ("th", "col", "Who & what"), ("th", "col", "Participant")]
    assert page.found[5:9] == [
        ("th", "row", "same"),
        ("th", "row", NASTY),
        ("td", "", "0.333"),
        ("td", "", "[−0.250, +0.500]"),
    ]
    assert page.bodies == 2


def test_html_of_an_empty_table_is_a_table() -> None:
    assert "</thead>\n</table>" in writing.html(made()).replace("\n\n", "\n")


def test_latex_means_nothing_by_a_name() -> None:
    assert latex.escaped(NASTY) == (
        r"a\textbar{}b\_c\&d\textless{}e\textgreater{}{*}f{*}\#\%\$\textasciitilde{}\textasciicircum{}\{g\}"
        r"\textbackslash{}{[}h{]}(i)\textasciigrave{}j"
    )
    assert latex.escaped("--limit − – χ²") == r"-{}-limit $-$ -- $\chi^2$"


def test_latex_has_rules_between_blocks_a_caption_and_a_label() -> None:
    lines = latex.latex(made("a", "b", "c")).splitlines()
    assert r"\caption{Title 100 \%}" in lines
    assert r"\label{tab:t1}" in lines
    assert r"\begin{tabular}{llrr}" in lines
    assert lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")] == [
        r"same & a & 0.333 & {[}$-$0.250, +0.500{]} \\",
        r" & b & 0.333 & {[}$-$0.250, +0.500{]} \\",
        r"\midrule",
        r"same & c & 0.333 & {[}$-$0.250, +0.500{]} \\",
    ]
    assert r"Note; \texttt{deixis run x -{}-limit 3} asks." in lines


def test_latex_of_a_long_table_goes_over_pages() -> None:
    assert r"\begin{longtable}{llrr}" in latex.latex(made(rows=latex.LONGEST + 1))
    assert "longtable" not in latex.latex(made(rows=latex.LONGEST))


def test_latex_is_balanced() -> None:
    for table in all_tables():
        text = re.sub(r"(?m)^%.*$", "", latex.latex(table))
        bare = re.sub(r"\\[\\{}&$]", "", text)
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        rows = [line for line in text.splitlines() if line.endswith(r"\\") and " & " in line]
        assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {len(table.shown) - 1}
        assert sorted(re.findall(r"\\begin\{(\w+)\}", text)) == sorted(re.findall(r"\\end\{(\w+)\}", text))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here: the structure alone is checked")
def test_latex_compiles(tmp_path: Path) -> None:
    body = "\n".join(map(latex.latex, [*all_tables(), made(NASTY, rows=60)]))
    packages = r"\usepackage[T1]{fontenc}\usepackage{booktabs,longtable}"
    page = rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]


def test_tables_are_written_three_times(tmp_path: Path) -> None:
    written = write_tables([made("a")], tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "tables/t1.csv",
        "tables/t1.tex",
        "tables/t1.md",
    ]
    assert written[0].read_text(encoding="utf-8") == writing.csv_text(made("a"))


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="name another folder"):
        write_tables([made("a")], tmp_path / "file")


def test_a_row_that_does_not_fit_its_columns_is_refused() -> None:
    with pytest.raises(KeyError, match="nothing"):
        row(COLUMNS, "model", "corrected", {"nothing": cells.text("x")})
    with pytest.raises(ValueError, match="takes 2"):
        row(COLUMNS, "model", "corrected", {"low": cells.share(0.5)})
