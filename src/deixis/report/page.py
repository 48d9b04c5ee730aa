"""The report: one page that needs nothing beside it, with figures and numbers as files next to it."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from deixis import __version__
from deixis.analysis.estimates import EFFECTS, cell, cells
from deixis.analysis.telling import telling
from deixis.errors import StoreError
from deixis.experiments import experiment
from deixis.report.figures import write_figures
from deixis.report.numbers import csv_rows, effect, forced_words, number
from deixis.report.published import figure2
from deixis.scoring.results import DesignResults, Result, Scored, read_results


def write_report(runs: Sequence[Path], out: Path, about: str = "") -> tuple[Path, list[str]]:
    """Write ``report.html``, ``numbers.csv`` and ``figures/`` into ``out``.

    Returns the path of the page and the most telling lines of the first design, about one participant. Raises
    :class:`~deixis.errors.StoreError` where nothing can be read or written.
    """
    designs = [design for run in runs for design in read_results(run)]
    page = out / "report.html"
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "numbers.csv").write_text("\n".join(csv_rows(designs)) + "\n", encoding="utf-8")
        sections = [_section(place, design, out) for place, design in enumerate(designs)]
        page.write_text(_render(sections), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"cannot write the report into {str(out)!r}: {error.strerror or error}; no answer is lost: "
            "'deixis report RUN --out DIR' writes it elsewhere"
        ) from None
    return page, telling(designs[0], about)


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2  # noqa: PLC0415

    text = files("deixis.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)


def _render(sections: Sequence[Mapping[str, Any]]) -> str:
    return str(_template().render(sections=sections, version=__version__))


def _section(place: int, design: DesignResults, out: Path) -> dict[str, Any]:
    name = f"{design.name}-{place}" if place else design.name
    folder = out / "figures"
    figures = write_figures(design, folder, name)
    signature = design.signature
    return {
        "name": name,
        "title": ", ".join(
            [
                f"{signature['experiment']}, condition {signature['condition']}",
                f"protocol {signature['protocol']}",
                f"items {signature['items']}",
            ]
        ),
        "prediction": experiment(str(signature["experiment"])).prediction,
        "telling": telling(design),
        "notes": design.notes,
        "figures": {key: _inline(path) for key, path in figures.items()},
        "files": {key: path.relative_to(out).with_suffix("").as_posix() for key, path in figures.items()},
        "distractor_width": 12 + 12 * len(design.models),
        "effects": list(EFFECTS),
        "overall": [_overall(result) for result in design.results],
        "forced": forced_words(design.results),
        "cells": [row for result in design.results for row in _cells(result)] + _published(),
        "signatures": [(result.participant, result.signature) for result in design.results],
        "questions": _questions(design),
    }


def _inline(path: Path) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


def _overall(result: Result) -> dict[str, Any]:
    whole = cell({}, result.rows)
    effects = [estimate(result.rows) for estimate in EFFECTS.values()]
    return {
        **_counts(result.participant, "run", whole),
        "answer": result.signature.get("answer", ""),
        "se": number(whole.clustered.se),
        "effects": [(found.value, effect(found), found.note) for found in effects],
        "shifted": number(whole.shift_rate, 2),
        "first": number(whole.first_rate, 2),
    }


def _cells(result: Result) -> list[dict[str, Any]]:
    return [
        {**_counts(result.participant, "run", part), "levels": list(part.levels.values())}
        for part in cells(result.rows, ["indexical", "sentence_type", "context_prime", "marks"])
    ]


def _counts(participant: str, source: str, part: Any) -> dict[str, Any]:
    others = {name: count for name, count in part.outcomes.items() if count and name != "answered"}
    return {
        "participant": participant,
        "source": source,
        "n": part.n,
        "answered": part.answered,
        "accuracy": number(part.accuracy),
        "readable": number(part.accuracy_readable),
        "interval": f"{part.low:.2f}–{part.high:.2f}" if part.n else "–",
        "shift": number(part.shift_rate, 2),
        "others": ", ".join(f"{name} {count}" for name, count in others.items()),
        "ties": part.ties,
    }


def _published() -> list[dict[str, Any]]:
    return [
        {
            "participant": bar.model,
            "source": "published",
            "levels": [bar.indexical, bar.sentence_type, bar.context_prime, "plain"],
            "n": bar.n,
            "answered": "",
            "accuracy": f"{bar.accuracy:.2f}",
            "readable": "",
            "interval": "{:.2f}–{:.2f}".format(*bar.interval),
            "shift": "",
            "others": "",
            "ties": 0,
        }
        for bar in figure2()
    ]


def _questions(design: DesignResults) -> str:
    """Return every question with every answer as JSON that is safe inside a script element."""
    trials: dict[str, Any] = {}
    prompts = {prompt.trial_id: prompt for prompt in design.prompts}
    participants = []
    for result in design.results:
        answers = {}
        for row in result.rows:
            trials.setdefault(row.trial.id, _question(row, prompts[row.trial.id].user))
            answers[row.trial.id] = _answer(row)
        participants.append({"id": result.participant, "answers": answers})
    text = json.dumps({"trials": trials, "participants": participants}, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _question(row: Scored, prompt: str) -> list[Any]:
    levels = [level for factor, level in row.trial.factors.items() if factor != "item"]
    return [prompt, [option.text for option in row.trial.options], row.trial.answer, levels]


def _answer(row: Scored) -> list[Any]:
    """Outcome, choice, credit, rule, and what came back."""
    found = row.score
    entry: list[Any] = [found.outcome.value, found.choice, round(found.credit, 4), found.rule]
    if row.response is not None and (row.response.text is not None or row.response.error is not None):
        entry.append(row.response.text if row.response.error is None else row.response.error)
    elif row.response is not None and row.response.scores:
        entry.append([list(asdict(score).values()) for score in row.response.scores])
    return entry
