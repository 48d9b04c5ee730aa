"""A provider at which every kind of trouble happens, and what must be true of a run over it.

What becomes of a question is drawn from its text and pictures, so that the run can be held against it afterwards.
"""

import json
import logging
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from deixis.analysis.estimates import cell
from deixis.analysis.tidy import frame_of_rows
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants import api
from deixis.participants.api import Client
from deixis.participants.registry import Setting
from deixis.records import AnswerMode, Outcome
from deixis.runs.session import request, run
from deixis.scoring.results import Result, Scored, read_results
from deixis.store import RunFolder
from tests.participants import chat_server
from tests.participants.chat_server import Received, Reply, first_option
from tests.runs.scripted import Quiet

NAME = "openai-api/troubled/model-x"
KEY = "sk-never-to-be-seen-4711"
TIMEOUT, LATE = 0.6, 1.5
"""Seconds after which the client gives a reply up, and after which one comes that is too late."""
PASSING: dict[str, Reply | None] = {
    "429": chat_server.rate_limited(None),
    "429 with Retry-After": chat_server.rate_limited(0.02),
    "500": chat_server.server_error(500),
    "502": chat_server.server_error(502),
    "503": chat_server.server_error(503),
    "timeout": None,
    "dropped before the head": chat_server.dropped(),
    "dropped in the body": chat_server.dropped(200),
    "malformed": chat_server.malformed(),
    "empty once": chat_server.empty(),
}
"""Trouble that passes: the answer comes after it. One that runs out of time is the answer, too late."""
LASTING: dict[str, tuple[Reply | None, Outcome]] = {
    "empty": (chat_server.empty(), Outcome.EMPTY),
    "null at the length": (chat_server.null_length(), Outcome.TRUNCATED),
    "refusal": (chat_server.refused("I cannot help with that."), Outcome.REFUSED),
    "content filter": (chat_server.filtered(), Outcome.REFUSED),
    "wrong model": (chat_server.not_found("model-x"), Outcome.ERRORED),
    "500 for ever": (None, Outcome.ERRORED),
    "slow": (None, Outcome.ANSWERED),
}
"""Trouble that every attempt meets, and what it becomes; a slow reply is an answer."""
BURST = range(930, 970)
"""Of every thousand requests, these get a 502 whatever they ask."""


@dataclass(frozen=True)
class Fate:
    """What becomes of a question."""

    passing: tuple[str, ...] = ()
    lasting: str = ""

    @property
    def outcome(self) -> Outcome:
        return LASTING[self.lasting][1] if self.lasting else Outcome.ANSWERED


@dataclass(frozen=True)
class Troubled:
    """Behaves as a provider in trouble: a share of questions meets one kind of it, or two that pass."""

    rate: float
    seed: int = 0

    def fate(self, text: str, pictures: Sequence[bytes]) -> Fate:
        question = sha256(json.dumps([self.seed, text]).encode() + b"".join(pictures))
        random = Random(question.digest())
        if random.random() >= self.rate:
            return Fate()
        kind = random.choice([*PASSING, *LASTING])
        if kind in LASTING:
            return Fate(lasting=kind)
        return Fate((kind, random.choice([*PASSING])) if random.random() < chat_server.SECOND else (kind,))

    def __call__(self, received: Received, attempt: int) -> Reply:
        if received.number % 1000 in BURST:
            return chat_server.server_error(502)
        fate = self.fate(received.text, received.pictures)
        if fate.lasting == "slow":
            return replace(first_option(received, attempt), trickle=0.005)
        if fate.lasting == "500 for ever":  # as some proxies do, it tells the key
            return Reply(f"bad request with {received.headers['authorization']}", status=500)
        if fate.lasting:
            return LASTING[fate.lasting][0] or Reply()
        answer = first_option(received, attempt)
        if attempt >= len(fate.passing):
            return answer
        return PASSING[fate.passing[attempt]] or replace(answer, delay=LATE)


def cut(name: str, condition: str, count: int) -> Design:
    """The first trials of a design, built once."""
    whole = experiment(name).design(None, condition)
    held = tuple(islice(whole.pairs(), count))
    return replace(whole, pairs=lambda: iter(held))


def ask(designs: Sequence[Design], out: Path, connections: int = 16) -> None:
    """The real loop, as ``deixis run`` goes through it, without the look at whether the model sees."""
    made = request(
        experiments=list(dict.fromkeys(design.experiment for design in designs)),
        participants=[NAME],
        conditions=(),
        protocol="corrected",
        mode=AnswerMode.GENERATE,
        items=None,
        limit=None,
        out=out,
        seed=0,
        settings={},
        setting=Setting(client=Client(connections)),
        canary=False,
    )
    run(made, designs, Quiet())


@contextmanager
def hurried(url: str, log: Path) -> Iterator[None]:
    """Waits before retries are short, and so is the client's patience; everything that is logged goes to a file."""
    opened = api._open

    def impatient(name: str, client: Client) -> Any:
        model = opened(name, client)
        model.api.client.timeout = TIMEOUT
        return model

    handler = logging.FileHandler(log)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    surroundings = patch.dict(os.environ, {"TROUBLED_API_KEY": KEY, "TROUBLED_BASE_URL": url})
    try:
        with patch.object(api, "_FIRST_WAIT", 0.01), patch.object(api, "_open", impatient), surroundings:
            yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()


@dataclass(frozen=True)
class Findings:
    """What a run became."""

    outcomes: Counter[str]
    reasons: Counter[str]
    """Of the trials that ended in an error."""
    retries: int
    wrong: list[str]
    """What should not be."""


def findings(designs: Sequence[Design], out: Path, log: Path, trouble: Troubled, *, healed: bool = False) -> Findings:
    """Hold a run against what was to become of each question, and search it for the key.

    ``healed`` once the same was asked again without trouble, so that no error is left.
    """
    found = Findings(Counter(), Counter(), 0, [])
    retries = 0
    read = {results.name: results for results in read_results(out)}
    for design in designs:
        name = f"{design.experiment}-{design.condition}"
        (model,) = read[name].models
        planned = {prompt.trial_id for prompt in design.prompts}
        path = RunFolder(out).design(name).answers(NAME).path
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        written = Counter(line["trial_id"] for line in lines if not healed or "error" not in line)
        found.wrong.extend(f"{trial} has {count} answers" for trial, count in written.items() if count > 1)
        found.wrong.extend(f"{trial} is lost" for trial in planned - set(written))
        found.wrong.extend(f"{trial} was never asked" for trial in set(written) - planned)
        found.outcomes.update(row.score.outcome.value for row in model.rows)
        found.reasons.update(_reason(row) for row in model.rows if row.score.outcome is Outcome.ERRORED)
        retries += sum(row.response.retries for row in model.rows if row.response)
        found.wrong.extend(_counted_wrongly(model))
        found.wrong.extend(_otherwise(design, model, trouble, healed=healed))
    for file in [*(path for path in out.rglob("*") if path.is_file()), log]:
        if KEY.encode() in file.read_bytes():
            found.wrong.append(f"the key is in {file}")
    return replace(found, retries=retries)


def _reason(row: Scored) -> str:
    error = (row.response.error if row.response else None) or ""
    kind, _, told = error.partition(":")
    return " ".join([kind, *[word for word in told.split() if word.isdigit()][:1]])


def _counted_wrongly(model: Result) -> Iterator[str]:
    """An error is an error both ways, earns nothing and is in no denominator."""
    errored = 0
    for row in model.rows:
        failed = row.response is not None and row.response.error is not None
        errored += failed
        if failed is not (row.score.outcome is Outcome.ERRORED) or (failed and row.score.credit):
            yield f"{row.trial.id} was scored as {row.score.outcome.value} (error: {failed})"
        if row.response is None or failed is (row.response.text is not None):
            yield f"{row.trial.id} has neither an answer nor a reason, or both"
    whole = cell({}, frame_of_rows(model.rows))
    if whole.n != len(model.rows) - errored:
        yield f"{whole.n} trials count, of {len(model.rows)} with {errored} errored"


def _otherwise(design: Design, model: Result, trouble: Troubled, *, healed: bool) -> Iterator[str]:
    rows = {row.trial.id: row for row in model.rows}
    questions = set()
    for prompt in design.prompts:
        shown = [design.draw(prompt.picture)] if design.draw and prompt.picture else []
        questions.add((prompt.user, prompt.picture))
        fate = trouble.fate(prompt.user, shown)
        if healed and fate.outcome is Outcome.ERRORED:
            fate = Fate()
        row = rows[prompt.trial_id]
        if row.score.outcome is not fate.outcome:
            told = row.response.error if row.response else ""
            yield f"{prompt.trial_id} is {row.score.outcome.value} and met {fate} ({told})"
        elif fate.outcome is Outcome.ANSWERED and row.response is not None:
            if row.response.text != first_option(_asked(prompt.user), 0).text or row.response.picture != prompt.picture:
                yield f"{prompt.trial_id} has the answer of another question"
            if row.response.retries < len(fate.passing) - fate.passing.count("timeout"):  # a busy client may wait
                yield f"{prompt.trial_id} met {fate} and tells of {row.response.retries} retries"
    if len(questions) < len(rows):
        yield "two trials ask the same, so that nothing can be held against them"


def _asked(text: str) -> Received:
    return Received(0, {}, {}, text, "", [], 0.0)
