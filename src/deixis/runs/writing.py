"""Having a participant write items: every reply kept as it comes, so that a stopped writer goes on where it was."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deixis import __version__
from deixis.errors import ItemsError, ParticipantError, UsageError
from deixis.items.cells import INDEXICALS
from deixis.items.files import write_items
from deixis.items.writing.frames import wording
from deixis.items.writing.writer import Writer, Written
from deixis.participants.participant import Participant, check_abilities
from deixis.participants.registry import Setting, check_name, is_reference, model
from deixis.records import AnswerMode, Prompt, Response
from deixis.store import AnswerFile, RunFolder

PROTOCOLS = ("corrected", "published")
REPLIES_AN_ITEM = 6
"""How many requests an item may cost on average, by default; two are the least."""

Told = Callable[[str], None]
"""Is told, in a line, what became of each reply."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be written, by whom, and where to."""

    indexical: str
    """``I``, ``you``, ``here`` or ``tomorrow``."""
    wanted: int
    """How many items."""
    participant: str
    """The participant's name on the command line."""
    protocol: str
    """``corrected``: our instructions; ``published``: the paper's."""
    budget: int
    """How many requests it may cost."""
    seed: int
    """Seed of names and of sampling."""
    out: Path
    """The folder of replies, log and items."""


def order(
    *,
    indexical: str,
    wanted: int,
    participant: str,
    protocol: str,
    budget: int | None,
    seed: int,
    out: Path | None,
    threads: int | None = None,
) -> Order:
    """Check what a user asks for and fill in what was left open; raises before anything is asked."""
    if indexical not in INDEXICALS:
        raise UsageError(f"no indexical {indexical!r}; there is {', '.join(INDEXICALS)}")
    if protocol not in PROTOCOLS:
        raise UsageError(f"the writer has no protocol {protocol!r}; there is {', '.join(PROTOCOLS)}")
    if wanted < 1:
        raise UsageError(f"-n {wanted} writes nothing; give 1 or more")
    if budget is not None and budget < 1:
        raise UsageError(f"--budget {budget} asks nothing; give 1 or more")
    if threads is not None and threads < 1:
        raise UsageError(f"--threads {threads} cannot work; give 1 or more")
    check_name(participant)
    if is_reference(participant):
        raise ParticipantError(f"{participant!r} writes no text; name a model, such as gguf:PATH")
    folder = out or Path("written") / f"{indexical}-{participant.replace(':', '-').replace('/', '-')}-{protocol}"
    return Order(indexical, wanted, participant, protocol, budget or wanted * REPLIES_AN_ITEM, seed, folder)


def write(asked: Order, setting: Setting, told: Told) -> Written:
    """Build the participant and have it write; a folder made otherwise is refused."""
    participant = model(asked.participant, setting)
    try:
        return write_with(asked, participant, told)
    finally:
        participant.close()


def write_with(asked: Order, participant: Participant, told: Told) -> Written:
    """Have a participant write, replaying what it replied before.

    Writes ``replies.jsonl``, ``log.jsonl`` and ``items.jsonl`` into the folder, also when stopped. What was replied
    before is replayed whole, so that asking for less never takes anything away.
    """
    check_abilities(participant.id, participant.abilities, AnswerMode.GENERATE, ())
    with RunFolder(asked.out).locked():
        replies = AnswerFile(asked.out / "replies.jsonl", participant.id)
        replies.sign(_signature(asked, participant), asked.budget)
        before = {name: reply for name, reply in replies.read().items() if reply.error is None}
        with replies.appending():

            def ask(prompt: Prompt) -> Response:
                reply = before.get(prompt.trial_id)
                if reply is None:
                    (reply,) = participant.respond([prompt], AnswerMode.GENERATE)
                    replies.append(reply)
                return reply

            writer = Writer(asked.indexical, asked.protocol, asked.seed, ask, told)
            try:
                return writer.write(asked.wanted, asked.budget, len(before))
            finally:
                _keep(asked.out, writer.so_far)


def _signature(asked: Order, participant: Participant) -> dict[str, str | int]:
    return {
        "writes": asked.indexical,
        "protocol": asked.protocol,
        "wording": wording(asked.indexical, asked.protocol).hash,
        "seed": asked.seed,
        "participant": participant.id,
        "deixis": __version__,
        **participant.identity,
    }


def _keep(folder: Path, written: Written) -> None:
    lines = [
        json.dumps(
            {
                "id": step.prompt.trial_id,
                "prompt": step.prompt.user,
                "reply": step.reply.text,
                "error": step.reply.error,
                "verdict": step.verdict,
            },
            ensure_ascii=False,
        )
        for step in written.steps
    ]
    try:
        (folder / "log.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise ItemsError(f"cannot write into {str(folder)!r}: {error.strerror}; make room and run again") from None
    if written.items:
        write_items(folder / "items.jsonl", written.items)
