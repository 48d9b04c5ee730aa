"""Data sets as folders: CSV or Parquet with codebook, flow and README, or Psych-DS."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from deixis.errors import UsageError
from deixis.study.data.codebook import codebook_csv, codebook_json
from deixis.study.data.column import Column
from deixis.study.data.columns import ABOUT
from deixis.study.data.dataset import Tables
from deixis.study.data.psychds import VERSION, write_psychds
from deixis.study.data.psychds_check import check_psychds
from deixis.study.data.tables import Row, write_csv, write_parquet, write_text

FORMATS = ("csv", "parquet", "psych-ds")
_README = """\
# {name}

{about}

{tables}

Every column is described in `{codebook}`: meaning, type, units, levels, and whether it was asked, recorded or derived.
An empty cell is a value that is not there. Excluded people are in all tables, with the reason in `excluded_reason`;
practice and attention checks stand apart in *extras*. The header of *answers* is the same for people and models, so
that tables of both can be put one under the other.

In R:

```r
{r}
kept <- subset(answers, is.na(excluded_reason) & outcome == "answered")
```

In Python:

```python
import pandas as pd

{python}
kept = answers[answers.excluded_reason.isna() & (answers.outcome == "answered")]
```
"""


def write_data(
    to: str, out: Path, name: str, about: str, tables: Tables, more: Mapping[str, str] | None = None
) -> list[str]:
    """Write a data set and return the paths of its tables.

    ``to`` is one of :data:`FORMATS`, ``about`` what the data are, in a line or two; ``more`` are further files, by
    name. Tables without a row are left out, but for *answers*. Raises :class:`UsageError` where the folder holds
    something else, and :class:`~deixis.errors.StoreError` where nothing can be written there.
    """
    if out.exists() and not out.is_dir():
        raise UsageError(f"{str(out)!r} is a file; name a folder with --out")
    kept = {table: found for table, found in tables.items() if found[1] or table == "answers"}
    if to == "psych-ds":
        files = write_psychds(out, name, kept, about, _readme(name, about, kept, "documentation/codebook.csv", to))
        faults = check_psychds(out)
        if faults:
            raise UsageError(f"{str(out)!r} breaks Psych-DS {VERSION}: {faults[0]}; name an empty folder with --out")
    else:
        files = [_write(to, out, table, columns, rows) for table, (columns, rows) in kept.items()]
        columns_of = {table: columns for table, (columns, _) in kept.items()}
        write_text(out / "codebook.csv", codebook_csv(columns_of))
        write_text(out / "codebook.json", codebook_json(columns_of))
        write_text(out / "README.md", _readme(name, about, kept, "codebook.csv", to))
    for file, text in (more or {}).items():
        write_text(out / ("documentation" if to == "psych-ds" else "") / file, text)
    return [str(file) for file in files]


def _write(to: str, out: Path, table: str, columns: Sequence[Column], rows: Sequence[Row]) -> Path:
    path = out / f"{table}.{to}"
    (write_csv if to == "csv" else write_parquet)(path, columns, rows)
    return path


def _readme(name: str, about: str, tables: Tables, codebook: str, to: str) -> str:
    first = {"csv": "answers.csv", "parquet": "answers.parquet"}.get(to, "data/….csv")
    parquet = to == "parquet"
    return _README.format(
        name=name,
        about=about,
        tables="\n".join(
            f"* *{table}*: {ABOUT[table][:1].lower()}{ABOUT[table][1:]} ({len(rows)} rows)"
            for table, (_, rows) in tables.items()
        ),
        codebook=codebook,
        r=f'answers <- arrow::read_parquet("{first}")'
        if parquet
        else f'answers <- read.csv("{first}", na.strings = "")',
        python=f'answers = pd.read_parquet("{first}")'
        if parquet
        else f'answers = pd.read_csv("{first}", low_memory=False)',
    )
