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
from deixis.analysis.effects import Effect, effects
from deixis.analysis.errors import class_shares
from deixis.analysis.estimates import CellEstimate, ceilings, cell, cells, confusion
from deixis.analysis.intervals import wilson
from deixis.analysis.telling import telling
from deixis.errors import StoreError
from deixis.experiments import experiment
from deixis.experiments.settings import SETTINGS
from deixis.experiments.subsets import subset
from deixis.published.printed import figure2
from deixis.report.error_tables import design_classes, error_csv_rows, share_words
from deixis.report.figures import of_passages, write_figures
from deixis.report.numbers import csv_rows, effect, forced_words, number
from deixis.scoring.error_classes import ErrorClass
from deixis.scoring.results import PROTOCOL, DesignResults, Result, Scored, read_results
from deixis.scoring.ways import Way


def write_report(
    runs: Sequence[Path], out: Path, about: str = "", asked: Sequence[str] = (), way: Way = PROTOCOL
) -> tuple[Path, list[str]]:
    """Read answers one ``way``; write ``report.html``, ``numbers.csv``, ``errors.csv`` and ``figures/`` into ``out``.

    Returns the path of the page and the most telling lines about one participant, of the designs ``asked`` (by name,
    such as ``possessive-main``) or of the first: five lines where there is one design, else its name and the first line
    of each. Raises
    :class:`~deixis.errors.StoreError` where nothing can be read or written.
    """
    designs = [design for run in runs for design in read_results(run, way)]
    page = out / "report.html"
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "numbers.csv").write_text("\n".join(csv_rows(designs)) + "\n", encoding="utf-8")
        (out / "errors.csv").write_text("\n".join(error_csv_rows(designs)) + "\n", encoding="utf-8")
        sections = [_section(place, design, out, about) for place, design in enumerate(designs)]
        page.write_text(_render(sections), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"cannot write the report into {str(out)!r}: {error.strerror or error}; no answer is lost: "
            "'deixis report RUN --out DIR' writes it elsewhere"
        ) from None
    told = [design for design in designs if design.name in asked] or designs[:1]
    if len(told) == 1:
        return page, telling(told[0], about)
    return page, [f"{design.name}: {telling(design, about)[0]}" for design in told]


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2  # noqa: PLC0415

    text = files("deixis.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)


def _render(sections: Sequence[Mapping[str, Any]]) -> str:
    return str(_template().render(sections=sections, version=__version__))


def _section(place: int, design: DesignResults, out: Path, about: str) -> dict[str, Any]:
    name = f"{design.name}-{place}" if place else design.name
    folder = out / "figures"
    figures = write_figures(design, folder, name)
    signature = design.signature
    asked = experiment(str(signature["experiment"]))
    rows = next((result.rows for result in design.results if result.rows), ())
    found = effects(rows)
    leanings = list(cell({}, rows).leanings)
    passages = of_passages(design)
    cells_of = list(asked.cells)
    among = design_classes(design)
    return {
        "name": name,
        "passages": passages,
        "title": ", ".join(
            [
                f"{signature['experiment']}, condition {signature['condition']}",
                f"protocol {signature['protocol']}",
                f"items {signature['items']}",
                *(f"{name} {signature[name]}" for name in SETTINGS if name in signature and name != "art"),
            ]
        ),
        "question": asked.question,
        "prediction": asked.prediction,
        "ceilings": [(channel, number(value, 2)) for channel, value in ceilings(rows).items()],
        "confusion": [] if passages else [row for result in design.results for row in _confusion(result)],
        "classes": [(error.value, error.meaning) for error in among],
        "class_names": [error.value for error in among],
        "errors": [_errors(result, among) for result in design.results],
        "telling": telling(design, about),
        "notes": [*design.notes, *_kin(design)],
        "figures": {key: _inline(path) for key, path in figures.items()},
        "files": {key: path.relative_to(out).with_suffix("").as_posix() for key, path in figures.items()},
        "distractor_width": 12 + 12 * len(design.models),
        "effects": list(found),
        "leanings": leanings,
        "factors": [factor.replace("_", " ") for factor in cells_of],
        "overall": [_overall(result, list(found.values()), leanings) for result in design.results],
        "forced": forced_words(design.results),
        "cells": [row for result in design.results for row in _cells(result, cells_of, leanings)]
        + (_published() if passages else []),
        "signatures": [(result.participant, result.signature) for result in design.results],
        "questions": _questions(design, cells_of),
    }


def _kin(design: DesignResults) -> list[str]:
    """Warn where a judge read the answers of its own model family."""
    return [
        f"warning: {result.participant} was judged by its own family ({result.signature['judge_of_own_family']})"
        for result in design.results
        if "judge_of_own_family" in result.signature
    ]


def _inline(path: Path) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


def _overall(result: Result, found: Sequence[Effect], leanings: Sequence[str]) -> dict[str, Any]:
    whole = cell({}, result.rows)
    estimates = [estimate(result.rows) for estimate in found]
    return {
        **_counts(result.participant, "run", whole, leanings),
        "answer": result.signature.get("answer", ""),
        "se": number(whole.clustered.se),
        "effects": [(found.value, effect(found), found.note) for found in estimates],
        "first": number(whole.first_rate, 2),
    }


def _cells(result: Result, factors: Sequence[str], leanings: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {**_counts(result.participant, "run", part, leanings), "levels": list(part.levels.values())}
        for part in cells(result.rows, factors)
    ]


def _confusion(result: Result) -> list[dict[str, Any]]:
    """Return what was said, by what was right, the most frequent first."""
    return [
        {
            "participant": result.participant,
            "right": right,
            "said": ", ".join(f"{n} {c}" for n, c in said.most_common()),
        }
        for right, said in sorted(confusion(result.rows).items())
    ]


def _errors(result: Result, among: Sequence[ErrorClass]) -> dict[str, Any]:
    """Return how often each class of error occurred."""
    parts = class_shares(result.rows, among)
    return {
        "participant": result.participant,
        "n": sum(part.count for part in parts),
        "shares": [(part.count, "" if part.share is None else part.share, share_words(part)) for part in parts],
    }


def _counts(participant: str, source: str, part: CellEstimate, leanings: Sequence[str]) -> dict[str, Any]:
    others = {name: count for name, count in part.outcomes.items() if count and name != "answered"}
    return {
        "participant": participant,
        "source": source,
        "n": part.n,
        "answered": part.answered,
        "accuracy": number(part.accuracy),
        "readable": number(part.accuracy_readable),
        "interval": f"{part.low:.2f}–{part.high:.2f}" if part.n else "–",
        "took": [number(part.leanings.get(name), 2) for name in leanings],
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
            "interval": "{:.2f}–{:.2f}".format(*wilson(bar.accuracy * bar.n, bar.n)),
            "took": [""],
            "others": "",
            "ties": 0,
        }
        for bar in figure2()
    ]


_BROWSED = {True: 3200, False: 1000}
"""How many questions about passages, or about scenes, the page holds at most, so that a browser can open it."""


def _questions(design: DesignResults, factors: Sequence[str]) -> str:
    """Return questions with every answer as JSON that is safe inside a script element.

    Of more than the page can hold, those that the models were asked, or else a balanced subset.
    """
    trials: dict[str, Any] = {}
    prompts = {prompt.trial_id: prompt for prompt in design.prompts}
    participants = []
    browsed = _browsed(design)
    for result in design.results:
        answers = {}
        for row in result.rows:
            if row.trial.id not in browsed:
                continue
            trials.setdefault(row.trial.id, _question(row, prompts[row.trial.id].text, factors))
            answers[row.trial.id] = _answer(row)
        participants.append({"id": result.participant, "answers": answers})
    found = {"trials": trials, "participants": participants, "of": len(prompts), "factors": list(factors)}
    text = json.dumps(found, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _browsed(design: DesignResults) -> set[str]:
    every = {row.trial.id: row.trial for result in design.results for row in result.rows}
    most = _BROWSED[of_passages(design)]
    if len(every) > most and design.models:
        every = {row.trial.id: row.trial for result in design.models for row in result.rows}
    return {trial.id for trial in subset(list(every.values()), most, int(design.signature["seed"]))}


def _question(row: Scored, prompt: str, factors: Sequence[str]) -> list[Any]:
    levels = [row.trial.factors[factor] for factor in factors]
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
