"""From a plan and its texts to the manifest, the pictures, and the hash of everything declared before launch."""

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from deixis.experiments.experiment import Design
from deixis.records import Trial
from deixis.study.designs import Block
from deixis.study.manifest import CHECK, PRACTICE, BlockPage, Manifest, Stimulus, part_of
from deixis.study.practice import asks, check_trials, practice_trials
from deixis.study.settings import Plan
from deixis.study.stimuli import PROMPTS, described, stimulus
from deixis.study.texts import CONSENT, DEBRIEFING, html, instructions, read_texts
from deixis.study.trials import designs, key_of, lists_of, trials_of

Pictures = Mapping[str, bytes]
"""Name of a picture's file to its content."""


def manifest_of(plan: Plan, folder: Path) -> tuple[Manifest, Pictures]:
    """Return the manifest of a plan with the texts in a folder, and the files of its pictures.

    Raises :class:`~deixis.errors.UsageError` where a text is missing, or there are too few objects.
    """
    texts = read_texts(plan, folder)
    stimuli, files = _stimuli(plan)
    made = Manifest(
        study=plan.id,
        title=plan.title,
        design=plan.design.name,
        protocol=plan.protocol,
        language=plan.language,
        minutes=plan.minutes,
        practice=plan.practice,
        blocks={block.id: _page(block, texts, stimuli) for block in plan.design.blocks},
        orders=dict(zip(plan.design.order_ids, plan.design.orders, strict=True)),
        lists={
            name: {block: tuple(sorted(key_of(plan, t.id) for t in trials)) for block, trials in parts.items()}
            for name, parts in lists_of(plan).items()
        },
        stimuli=dict(sorted(stimuli.items())),
        consent=html(texts[CONSENT]),
        debriefing=html(texts[DEBRIEFING]),
        researcher=plan.researcher,
        contact=plan.contact,
    )
    return replace(made, design_sha256=design_hash(plan, texts, made)), files


def design_hash(plan: Plan, texts: Mapping[str, str], made: Manifest) -> str:
    """Return the hash of a plan (without its codes), its texts and its manifest: what must not change after launch."""
    whole = {"plan": plan.record, "texts": dict(texts), "manifest": {**made.to_json(), "design_sha256": ""}}
    return sha256(json.dumps(whole, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def _stimuli(plan: Plan) -> tuple[dict[str, Stimulus], dict[str, bytes]]:
    shown: dict[str, Stimulus] = {}
    files: dict[str, bytes] = {}
    extra = {**practice_trials(plan), **check_trials(plan)}
    for key, trial in {**trials_of(plan), **extra}.items():
        block = _block(plan, key, trial)
        found, drawn = _shown(plan, block, designs(plan)[block.id], trial)
        if key.startswith(CHECK):
            found = replace(found, prompt=asks(block, trial), check=True)
        shown[key] = found
        if found.picture is not None:
            files[found.picture] = drawn
    return shown, files


def _block(plan: Plan, key: str, trial: Trial) -> Block:
    if part_of(key) in {PRACTICE, CHECK}:
        return plan.design.block(key.split("/")[1])
    return next(block for block in plan.design.blocks if block.experiment == trial.experiment)


def _shown(plan: Plan, block: Block, design: Design, trial: Trial) -> tuple[Stimulus, bytes]:
    seen = None if design.seen is None else design.seen(trial.id)
    found, drawn = stimulus(block, trial, seen, design.art)
    return (replace(found, title=described(seen)) if plan.description and seen is not None else found), drawn


def _page(block: Block, texts: Mapping[str, str], stimuli: Mapping[str, Stimulus]) -> BlockPage:
    def of(part: str) -> tuple[str, ...]:
        return tuple(sorted(key for key in stimuli if key.startswith(f"{part}/{block.id}/")))

    title = _TITLES[block.kind]
    return BlockPage(
        title,
        block.kind,
        block.experiment,
        html(texts[instructions(block.id)]),
        PROMPTS[block.kind],
        of(PRACTICE),
        of(CHECK),
    )


_TITLES = {"scene-choice": "Choose a message", "text-choice": "Read and answer", "scene-rating": "Rate four objects"}
