"""A few trials with answers that are known, and pages around them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deixis.experiments import experiment
from deixis.records import OptionScore, Response, Trial
from deixis.report.browser.entries import Entries, entries
from deixis.report.browser.fragment import fragment, policy
from deixis.report.browser.packing import payload
from deixis.scoring.results import DesignResults, Result, Scored, rows_of
from deixis.scoring.score import score

NASTY = '</script><img src=x onerror="document.title=1"><b>bold</b>'
PAIRS = ("accordion-clipboard", "accordion-hammer")
POSSESSIVE = [
    f"possessive/g01-{pair}/aabb/t{target}/{speaker}-speaks/{gazer}-gazes"
    for pair in PAIRS
    for target in range(4)
    for speaker in ("boy", "girl")
    for gazer in ("boy", "girl")
]
"""32 trials; the owner of places 0 and 1 is the boy."""


def possessive(condition: str, ids: Sequence[str], settings: Mapping[str, str] | None = None) -> DesignResults:
    """Trials of possessives, not answered by anybody."""
    design = experiment("possessive").design(condition=condition, settings=settings)
    found = [design.find(name) for name in ids]
    prompts = tuple(pair[1] for pair in found)
    signature = {
        "experiment": "possessive",
        "condition": condition,
        "protocol": "corrected",
        "items": design.source,
        **design.setup.settings,
        "data": "0",
        "seed": 0,
    }
    result = answered("strategy:oracle", [pair[0] for pair in found], lambda t: Response(t.id, choice=t.answer))
    return DesignResults(f"possessive-{condition}", signature, (), prompts, (result,))


def answered(participant, trials: Sequence[Trial], respond) -> Result:
    """A participant's answers: ``respond`` makes a response of a trial, or nothing where it is missing."""
    rows = []
    for trial in trials:
        response = respond(trial)
        rows.append(Scored(trial, score(trial, response, "strict", ""), response))
    return Result(participant, {"participant": participant}, rows_of(rows))


def says(text: str):
    return lambda trial: Response(trial.id, text=text, finish="stop")


def trials_of(design: DesignResults) -> list[Trial]:
    return [row.trial for row in design.results[0].rows]


def sample() -> list[Entries]:
    """32 trials of possessives, main, and two in context, with four models, a person and the oracle.

    ``demo/right`` is always right, and says why; ``demo/mine`` says *I prefer mine*, right in 8 of 32; ``demo/scores``
    is asked the first 16 by log-probability, and has the first option every time; ``demo/nasty`` answers the first
    with markup, fails at the second, and was asked no more.
    """
    design = possessive("main", POSSESSIVE)
    trials = trials_of(design)
    scores = (OptionScore(-0.25, 3), OptionScore(-2.0, 3), OptionScore(-3.0, 3), OptionScore(float("-inf"), 3))
    models = (
        answered(
            "demo/right",
            trials,
            lambda t: Response(t.id, text=t.options[t.answer].text, reasoning="The boy owns it.", finish="stop"),
        ),
        answered("demo/mine", trials, says("I prefer mine")),
        answered("demo/scores", trials[:16], lambda t: Response(t.id, scores=scores)),
        answered(
            "demo/nasty",
            trials[:2],
            lambda t: Response(t.id, error="out of order") if t is trials[1] else says(NASTY)(t),
        ),
        answered("people:pilot/1", trials[:4], lambda t: Response(t.id, choice=t.answer)),
    )
    design = replace(design, results=(*models, *design.results))
    context = possessive("in-context", POSSESSIVE[:2])
    return [entries(design, POSSESSIVE), entries(context, POSSESSIVE)]


def page(parts: Sequence[Entries]) -> str:
    """A page with nothing but the browser, under the strictest policy."""
    made = fragment(payload(parts))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(made)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>trials</title>'
        '<link rel="icon" href="data:,"></head>'
        f"<body><main><h1>A report</h1>{made}</main></body></html>"
    )
