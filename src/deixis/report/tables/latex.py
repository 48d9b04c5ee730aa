"""Tables for LaTeX: booktabs, everything escaped, caption and label; over several pages where one is too short."""

import re
from collections.abc import Sequence

from deixis.report.tables.table import Row, Table
from deixis.report.tables.writing import note_parts

LONGEST = 40
"""Rows that fit on a page; a longer table is a ``longtable``."""
_WRITTEN = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "−": "$-$", "χ²": r"$\chi^2$", "χ": r"$\chi$", "²": "$^2$", "×": r"$\times$", "§": r"\S{}", "…": r"\ldots{}",
}  # fmt: skip
"""How a character is written. Brackets and stars would be read as arguments behind the end of a row."""


def latex(table: Table) -> str:
    """Return a table for a document that loads booktabs, for a long one longtable too, and the encoding T1."""
    columns = [table.columns[place] for place in table.shown]
    layout = "".join("r" if column.alignment == "right" else "l" for column in columns)
    head = _line([escaped(column.title) for column in columns])
    long = len(table.rows) > LONGEST
    caption = rf"\caption{{{escaped(table.title)}}}"
    label = rf"\label{{tab:{table.id}}}"
    note = "".join(rf"\texttt{{{escaped(piece)}}}" if code else escaped(piece) for piece, code in note_parts(table))
    body = _body(table)
    if long:
        lines = [
            rf"\begin{{longtable}}{{{layout}}}", caption + label + r" \\", r"\toprule", head, r"\midrule",
            r"\endfirsthead", r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot", *body,
            r"\end{longtable}", rf"\noindent {note}\par",
        ]  # fmt: skip
        lines = ["{", r"\scriptsize\setlength{\tabcolsep}{2pt}", *lines, "}"]
    else:
        lines = [
            r"\begin{table}", r"\centering", r"\scriptsize\setlength{\tabcolsep}{2pt}", caption, label,
            rf"\begin{{tabular}}{{{layout}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}",
            r"\par\smallskip\raggedright", note, r"\end{table}",
        ]  # fmt: skip
    needs = "booktabs, longtable" if long else "booktabs"
    return "\n".join((rf"% \usepackage[T1]{{fontenc}} \usepackage{{{needs}}}", *lines, ""))


def escaped(text: str) -> str:
    """Return a text in which no character means anything to LaTeX; two hyphens stay two."""
    marks = re.findall("χ²|.", re.sub(r"\s+", " ", text))
    return re.sub("-(?=-)", "-{}", "".join(_WRITTEN.get(mark, mark) for mark in marks)).replace("–", "--")


def _body(table: Table) -> list[str]:
    """Return the rows, rules between blocks, and heads that are as above left out."""
    heads = [place for place in table.shown if table.columns[place].kind == "head"][:-1]
    lines: list[str] = []
    before: Row | None = None
    for row in table.rows:
        same = _same(row, before, heads)
        if before is not None and row.block != before.block:
            lines.append(r"\midrule")
        elif before is not None and len(same) < len(heads):
            lines.append(r"\addlinespace")
        lines.append(_line(["" if place in same else escaped(row.cells[place].text) for place in table.shown]))
        before = row
    return lines


def _same(row: Row, before: Row | None, heads: Sequence[int]) -> list[int]:
    """Return the places of the heads that are as in the row above, as far as all before them are."""
    found: list[int] = []
    for place in heads:
        if before is None or before.block != row.block or row.cells[place].text != before.cells[place].text:
            break
        found.append(place)
    return found


def _line(texts: Sequence[str]) -> str:
    return " & ".join(texts) + r" \\"
