"""Whose *I*, *you*, *here*, *tomorrow*? Quotation × what the context makes tempting × where quotation marks stand.

Source: Oğuz, Bakman and Yaldiz (2025), "Un-considering Contextual Information", arXiv 2506.01089, sections 3.1-3.4
and appendix B.1.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from deixis.errors import ItemsError
from deixis.experiments.experiment import Ceiling, Design, Experiment, Pair, Setup
from deixis.experiments.latin import lists, plain
from deixis.items.bank import load_bank
from deixis.items.cells import cell_id, right_reading
from deixis.items.files import read_items
from deixis.items.notes import summary
from deixis.records import Cell, Item, Option, Prompt, Trial

QUESTION = "Does the speaker of the passage or the person it reports decide whose I, you, here, tomorrow it is?"
PREDICTION = (
    "Direct quotation shifts an indexical, nothing else does: 1.00 in every cell, "
    "no effect of prime, quotation, position or marks."
)
FACTORS = ("indexical", "sentence_type", "context_prime", "marks", "item")
CELLS = FACTORS[:-1]
CONDITIONS = ("main", "classic", "people")
"""``main`` asks every cell there is, ``classic`` the four of the paper: those with *plain* marks, as does ``people``,
where each trial says in ``stimulus`` on whose list it is, so that a person reads 40 passages and no item twice."""
READERS = {"published": "published", "described": "strict", "corrected": "strict"}


def build(setup: Setup) -> Design:
    """Return the trial table of the bank, or of a file of items."""
    items, condition, protocol = setup.items, setup.condition, setup.protocol
    mend = protocol == "corrected"
    loaded, notes = (load_bank(), []) if items is None else read_items(items, mend=mend)
    if not any(_asked(item, condition) for item in loaded):
        raise ItemsError(f"no question has plain marks, as the condition {condition!r} asks for; take --condition main")
    return Design(
        experiment="indexicals",
        setup=setup,
        source="bank" if items is None else items.name,
        pairs=lambda: _pairs(loaded, condition, protocol),
        notes=tuple(summary(notes)),
    )


def ceilings(setup: Setup) -> tuple[Ceiling, ...]:
    """Return what the text allows: passage and question are all there is, and the grammar decides each of them."""
    known: dict[object, Counter[str]] = {}
    for trial, _ in build(setup).pairs():
        seen = trial.stimulus["passage"], trial.stimulus["question"], frozenset(o.text for o in trial.options)
        known.setdefault(seen, Counter())[trial.options[trial.answer].text] += 1
    best = sum(max(answers.values()) for answers in known.values()) / sum(map(Counter.total, known.values()))
    return tuple(Ceiling(channel, best, ("passage", "question")) for channel in ("text", "both"))


def _asked(item: Item, condition: str) -> list[Cell]:
    return list(item.cells) if condition == "main" else plain(item)


def _pairs(items: Sequence[Item], condition: str, protocol: str) -> Iterator[Pair]:
    wording = _wording(protocol)
    listed = lists(items) if condition == "people" else {}
    for item in items:
        trials = [_trial(item, cell, condition, protocol, wording) for cell in _asked(item, condition)]
        trials = [_on(trial, listed.get(trial.id)) for trial in trials]
        passages = [trial.stimulus["passage"] for trial in trials]
        for trial in trials:
            yield trial, _prompt(trial, passages, wording)


def _on(trial: Trial, which: str | None) -> Trial:
    return trial if which is None else replace(trial, stimulus={**trial.stimulus, "list": which})


def _wording(protocol: str) -> Mapping[str, Any]:
    text = files("deixis.experiments").joinpath("wordings", "indexicals.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return {**table["every"], **table[protocol]}


def _trial(item: Item, cell: Cell, condition: str, protocol: str, wording: Mapping[str, Any]) -> Trial:
    texts = wording["options"].get(item.indexical, item.options)
    order = ("shifted", "non-shifted") if _shifted_first(item, cell, wording) else ("non-shifted", "shifted")
    passage, sentence = cell.passage, cell.sentence
    for old, new in wording["replace"].get(item.indexical, {}).items():
        passage, sentence = passage.replace(old, new), sentence.replace(old, new)
    return Trial(
        id=cell_id(item, cell),
        experiment="indexicals",
        condition=condition,
        protocol=protocol,
        factors={
            "indexical": item.indexical,
            "sentence_type": cell.sentence_type,
            "context_prime": cell.context_prime,
            "marks": cell.marks,
            "item": item.id,
        },
        options=tuple(Option(texts[reading], {"reading": reading}) for reading in order),
        answer=order.index(right_reading(cell.sentence_type)),
        stimulus={
            "passage": passage,
            "sentence": sentence,
            "question": item.question,
            "gender": item.gender,
        },
    )


def _shifted_first(item: Item, cell: Cell, wording: Mapping[str, Any]) -> bool:
    """Order of options: fixed, or computed from the item's parity and the prime.

    Each item shows both orders within each sentence type, so the first option is right in exactly half.
    """
    if wording["order"] == "shifted-first":
        return True
    return bool(item.number % 2) != (cell.context_prime == "shifted")


def _prompt(trial: Trial, passages: Sequence[str], wording: Mapping[str, Any]) -> Prompt:
    first, second = (option.text for option in trial.options)
    passage = trial.stimulus["passage"]
    before = wording["user"].index("{stimuli}")
    alike = {_begin_alike(passage, other) for other in passages if other != passage}
    return Prompt(
        trial_id=trial.id,
        system=wording["system"],
        user=wording["user"].format(
            stimuli=trial.stimulus["passage"],
            question=trial.stimulus["question"],
            option1=first,
            option2=second,
        ),
        options=(first, second),
        temperature=wording.get("temperature"),
        shared=tuple(before + length for length in sorted({0, *alike})),
    )


def _begin_alike(one: str, other: str) -> int:
    """Return how many letters two texts have in common before they differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


EXPERIMENT = Experiment(
    "indexicals", QUESTION, PREDICTION, FACTORS, CELLS, CONDITIONS, READERS, build, ceilings, takes_items=True
)
