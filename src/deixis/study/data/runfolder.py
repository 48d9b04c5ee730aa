"""A study's people in a run folder, so that ``deixis report``, ``score`` and ``analyse`` take them beside models.

The trial table is that of the experiment with all of its lists, so its signature is the one that ``deixis run`` asks
for (:func:`invitation` says how), and which trials were planned for a person stands beside the answers. Whom a declared
rule leaves out is not written, unless asked for; then the signature says why (``excluded``). Either way
``STUDY-left-out.csv`` names everybody who is not there, with the reason, and ``STUDY-flow.json`` how far all came.

People of the same study that are there already are written anew: who has withdrawn since is gone afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis import __version__
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.experiments.settings import SETTINGS
from deixis.store import DesignFolder, RunFolder
from deixis.study.data.column import Column, Kind, Origin
from deixis.study.data.dataset import respondent
from deixis.study.data.flow import flow_json
from deixis.study.data.gathering import Answered, Gathering
from deixis.study.data.tables import Row, cannot_write, write_csv, write_text
from deixis.study.designs import Block
from deixis.study.trials import designs

SIMULATOR = "deixis study simulate"
"""Who made up people who are simulated; stands in their signatures."""
_LEFT_OUT = (
    Column("respondent_id", "people:STUDY/CODE"),
    Column("reason", "Why the run folder does not have this person", Kind.TEXT, Origin.DERIVED),
    Column("trials_answered", "Trials answered", Kind.WHOLE, Origin.DERIVED),
)


@dataclass(frozen=True, slots=True)
class Written:
    """What a run folder got."""

    people: int
    """How many people stand in it."""
    answers: int
    """How many answers of theirs."""
    left_out: tuple[tuple[str, str], ...]
    """Id and reason of everybody who does not."""
    designs: tuple[str, ...]
    """The designs, as their folders are called."""


def write_run(found: Gathering, out: Path, *, with_excluded: bool = False) -> Written:
    """Write people who answered something into a run folder, there or new.

    Raises :class:`~deixis.errors.SignatureError` where the folder holds another design of the same name, and
    :class:`~deixis.errors.StoreError` where it cannot be written.
    """
    kept, left = _sorted(found, with_excluded=with_excluded)
    folder = RunFolder(out)
    answers = 0
    names = []
    with folder.locked():
        for block in found.plan.design.blocks:
            design = designs(found.plan)[block.id]
            names.append(f"{design.experiment}-{design.condition}")
            part = folder.design(names[-1])
            part.keep(design.signature, design.notes, design.trials, design.prompts)
            _remove(part, found.plan.id)
            for one in kept:
                answers += _write(part, found, design, block, one)
        study = found.plan.id
        rows: list[Row] = [{"respondent_id": one, "reason": why, "trials_answered": many} for one, why, many in left]
        write_csv(out / f"{study}-left-out.csv", _LEFT_OUT, rows)
        write_text(out / f"{study}-flow.json", flow_json(found))
    return Written(len(kept), answers, tuple((one, reason) for one, reason, _ in left), tuple(names))


def invitation(found: Gathering, out: Path) -> str:
    """Return the command that has a model answer the same trials in the same folder; nothing where people rate."""
    blocks = [block for block in found.plan.design.blocks if not experiment(block.experiment).rated]
    if not blocks:
        return ""
    plan = found.plan
    given = {name: value for block in blocks for name, value in designs(plan)[block.id].setup.settings.items()}
    said = {name: value for name, value in given.items() if value != SETTINGS[name].default(plan.protocol)}
    settings = "".join(f" --set {name}={value}" for name, value in said.items())
    named = " ".join(dict.fromkeys(block.experiment for block in blocks))
    seed = f" --seed {plan.seed}" if plan.seed else ""
    return f"deixis run {named} --condition people --protocol {plan.protocol}{seed}{settings} --out {out} -p MODEL"


def _sorted(found: Gathering, *, with_excluded: bool) -> tuple[list[Answered], list[tuple[str, str, int]]]:
    """Return who is written, and id, reason and number of answers of who is not."""
    kept: list[Answered] = []
    left: list[tuple[str, str, int]] = []
    for one in found.people:
        many = len(one.of("trial"))
        if not many:
            left.append((respondent(found, one).id, f"no answer to a trial ({one.person.status})", 0))
        elif one.excluded and not with_excluded:
            left.append((respondent(found, one).id, one.excluded, many))
        else:
            kept.append(one)
    return kept, left


def _write(part: DesignFolder, found: Gathering, design: Design, block: Block, one: Answered) -> int:
    """Write one person's answers of a block; return how many."""
    who = respondent(found, one)
    own = [(key, reply) for key, reply in one.of("trial") if reply.stored.block == block.id]
    planned = [found.trials[key].id for key in one.planned if found.trials[key].experiment == block.experiment]
    signature: dict[str, str | int] = {
        **design.signature,
        "participant": who.id,
        "answer": "rating" if experiment(block.experiment).rated else "choice",
        "deixis": __version__,
        "study": found.plan.id,
        "design_sha256": found.manifest.design_sha256,
        "consent_sha256": one.person.consent_sha256,
    }
    if who.block_order:
        signature["block_order"] = who.block_order
    if who.kind == "simulated":
        signature["simulated_by"] = SIMULATOR
    if one.excluded:
        signature["excluded"] = one.excluded
    file = part.answers(who.id)
    file.sign(signature, len(planned), planned)
    with file.appending():
        for _, reply in own:
            file.append(reply.response)
    return len(own)


def _remove(part: DesignFolder, study: str) -> None:
    """Take out the answers of a study's people, so that they are written as they are now."""
    theirs: Sequence[Path] = [
        file.path for file in part.participants() if file.participant.startswith(f"people:{study}/")
    ]
    for path in theirs:
        try:
            path.unlink(missing_ok=True)
            path.with_suffix(".json").unlink()
        except OSError as error:
            raise cannot_write(path, error) from None
