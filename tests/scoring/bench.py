"""Runs with answers as a test wants them, and judges that reply as they are told."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.participant import Abilities
from deixis.participants.registry import Setting
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.runs.budget import Budget
from deixis.runs.judging import Docket, Session, judge_with
from deixis.runs.run import Asked
from deixis.scoring.docket import docket, judge_signature
from deixis.scoring.judge import fault
from deixis.scoring.results import DesignResults, Scored, read_results
from deixis.scoring.ways import Way
from deixis.store import RunFolder
from tests.runs.scripted import Quiet

NAME = "openai-api/scripted/judge-x"
"""The id under which scripted judges sit; a name that the command line takes."""
VAGUE = "Hmm, well, who can say such things about a table."
"""An answer that no reader decides."""
Text = Callable[[Trial], str | Response]


@cache
def design() -> Design:
    """Possessives, 128 trials of four options, without a picture."""
    return experiment("possessive").design(None, "picture-none")


def run_of(folder: Path, text: Text, participant: str = "openai-api/scripted/model-x", count: int = 128) -> Path:
    """Write a run in which a participant gave these answers, or go on with one."""
    asked = design()
    part = RunFolder(folder).design("possessive-picture-none")
    part.keep(asked.signature, asked.notes, asked.trials, asked.prompts)
    answers = part.answers(participant)
    answers.sign({**asked.signature, "participant": participant, "answer": "generate"}, count)
    given = {trial.id for trial in planned(count)}
    with answers.appending():
        for trial in asked.trials:
            if trial.id in given:
                said = text(trial)
                response = said if isinstance(said, Response) else Response(trial.id, text=said, finish="stop")
                answers.append(response)
    return folder


def planned(count: int) -> Sequence[Trial]:
    from deixis.experiments.subsets import subset

    return subset(design().trials, count, 0)


class Judge:
    """A participant that replies as a function of what it is asked, and remembers what that was."""

    id = NAME
    abilities = Abilities()
    identity = {"weights": "none"}  # noqa: RUF012

    def __init__(self, reply: Callable[[Prompt], str | Response | None]) -> None:
        self._reply = reply
        self.asked: list[Prompt] = []

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        assert mode is AnswerMode.GENERATE
        for prompt in prompts:
            self.asked.append(prompt)
            said = self._reply(prompt)
            yield said if isinstance(said, Response) else Response(prompt.trial_id, text=said, finish="stop")

    def close(self) -> None: ...


def judged(
    folder: Path, judge: Judge, *, every: bool = False, limit: int | None = None, budget: Budget | None = None
) -> tuple[DesignResults, list[Asked]]:
    """Put a run before a judge as the command does, and read it back with its verdicts."""
    (plain,) = read_results(folder)
    dockets = []
    for result in plain.models:
        prompts = docket(plain, result, every=every, limit=limit)
        if prompts:
            signature = judge_signature(plain, result, judge.id)
            dockets.append(Docket(plain.name, result.participant, signature, prompts))
    session = Session(folder, judge.id, Setting(), fault, budget or Budget())
    turns = judge_with(judge, session, dockets, Quiet())
    (found,) = read_results(folder, Way(judge=judge.id, every=every))
    return found, turns


def rows(found: DesignResults) -> tuple[Scored, ...]:
    (result,) = found.models
    return result.rows


def shown(prompt: Prompt) -> tuple[str, str]:
    """Split what a judge is asked into what stands between the marks and everything else, by the first marks alone."""
    match = re.search(r"<<<ANSWER (\w+)\n(.*?)\nANSWER \1>>>", prompt.user, re.DOTALL)
    assert match is not None
    return match[2], prompt.user[: match.start()] + prompt.user[match.end() :]


def obedient(prompt: Prompt) -> str:
    """Obeys any order that stands outside the marks; else reads what stands between them, option by option."""
    inside, outside = shown(prompt)
    told = outside.partition("The options:")[0]
    assert prompt.user.startswith(told)
    order = re.search(r"(?:GRADE|VERDICT): ([A-D])\b", outside.partition("The answer:")[2])
    if order is not None:
        return f"VERDICT: {order[1]}"
    said = re.sub(r"^\| ", "", inside.split("\n")[0]).strip(" .")
    if said in prompt.options:
        return f"VERDICT: {'ABCD'[prompt.options.index(said)]}"
    return "VERDICT: NONE"
