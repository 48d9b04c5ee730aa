"""From a name on the command line to a participant."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from deixis.errors import ParticipantError
from deixis.participants import embedded
from deixis.participants.api import Api, Client, Draw
from deixis.participants.gguf import Gguf
from deixis.participants.hf import Hf, hf_abilities, hf_id
from deixis.participants.hf_load import HfSetting
from deixis.participants.participant import Abilities, Participant
from deixis.participants.people import MANY, SIMULATED, check_people, is_people, made_up, own
from deixis.participants.simulated import Simulated, person
from deixis.participants.strategies import EVERY, ON_REQUEST, RULES, Strategy
from deixis.participants.vllm import Vllm, vllm_state
from deixis.records import Trial

EMBEDDED = "gguf:smollm2"
REFERENCES = tuple(f"strategy:{name}" for name in EVERY)
"""Every reference participant."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What building participants may need besides a name."""

    threads: int | None = None
    """Threads of an engine in this process; by default its own choice, the physical cores."""
    advance: embedded.Advance | None = None
    """Told how far a download is."""
    hf: HfSetting = field(default_factory=HfSetting)
    """How models through transformers are loaded."""
    client: Client = field(default_factory=Client)
    """How models behind APIs are asked."""


def references(experiment: str) -> tuple[str, ...]:
    """Return the reference participants of an experiment, which every run of it asks."""
    return tuple(f"strategy:{name}" for name in RULES[experiment])


def fits(name: str, experiment: str) -> bool:
    """Whether the reference participant called ``name`` says anything about an experiment."""
    return any(name == f"strategy:{known}" for known in (*RULES[experiment], *ON_REQUEST.get(experiment, ())))


def is_model(name: str) -> bool:
    """Whether ``name`` is a model, which answers from prompts alone."""
    return not is_reference(name) and not is_people(name)


def abilities(name: str, setting: Setting) -> Abilities:
    """Return what the participant called ``name`` can do, without building it.

    Raises :class:`ParticipantError` where a model's configuration, which says whether it sees, cannot be read.
    """
    if is_api(name):
        return Api.abilities
    if name.startswith("hf:"):
        return hf_abilities(name.partition(":")[2], setting.hf)
    if name.startswith("vllm:"):
        return Vllm.abilities
    return Gguf.abilities if is_model(name) else Strategy.abilities


def is_api(name: str) -> bool:
    """Whether ``name`` is a model name for Inspect: a provider, a slash, a model; no kind before a colon."""
    provider, slash, rest = name.partition("/")
    return bool(slash and rest.strip("/") and re.fullmatch(r"[a-z][a-z0-9-]*", provider))


def uses_gpu(name: str, setting: Setting) -> bool:
    """Whether the participant called ``name`` is loaded onto a GPU where there is one."""
    return name.startswith("vllm:") or (name.startswith("hf:") and setting.hf.device not in {"cpu", "mps"})


def is_reference(name: str) -> bool:
    """Whether ``name`` is a reference participant, which answers from the trial table."""
    return name.startswith("strategy:")


def check_name(name: str) -> None:
    """Raise :class:`ParticipantError` for a name that no participant has, with the nearest ones."""
    kind, _, rest = name.partition(":")
    if name in REFERENCES or name == EMBEDDED:
        return
    if kind == "gguf" and rest:
        if not Path(rest).is_file():
            raise ParticipantError(f"no file {rest!r} for the participant {name!r}; give the path of a GGUF model")
        return
    if is_api(name) or (kind in ("hf", "vllm") and rest):
        return
    if is_people(name):
        check_people(name)
        return
    known = [
        *REFERENCES,
        EMBEDDED,
        f"{SIMULATED}/{MANY}",
        "gguf:PATH",
        "hf:ORG/MODEL",
        "vllm:ORG/MODEL",
        "PROVIDER/MODEL",
    ]
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    if not near:
        near = [full for full in known if name.lower() in full] or [EMBEDDED, "strategy:oracle"]
    raise ParticipantError(
        f"unknown participant {name!r}; nearest: {', '.join(near[:3])} ('deixis participants' lists all)"
    )


def check_ready(name: str, setting: Setting) -> None:
    """Raise :class:`ParticipantError` where a key, a package or a GPU is missing; what takes long is not tried."""
    if is_api(name):
        Api(name, None, setting.client).close()
    elif name.startswith("hf:"):
        hf_abilities(name.partition(":")[2], setting.hf)
    elif name.startswith("vllm:") and vllm_state() != "installed":
        raise ParticipantError(f"{name!r} cannot be asked here: {vllm_state()}")


def build(name: str, trials: Sequence[Trial], seed: int, setting: Setting, draw: Draw | None = None) -> Participant:
    """Build the participant called ``name``; reference participants get the trial table, models never do.

    ``draw`` makes the pictures of the prompts.
    """
    check_name(name)
    if is_reference(name):
        return Strategy(name.partition(":")[2], trials, seed)
    return model(name, setting, draw)


def people(name: str, trials: Sequence[Trial], seed: int) -> Iterator[tuple[Simulated, list[Trial]]]:
    """Yield the people that ``name`` stands for, each with the trials of its list."""
    for one in made_up(name):
        who = person(one, seed)
        listed = own(trials, who.number)
        yield Simulated(who, listed, seed), listed


def model(name: str, setting: Setting, draw: Draw | None = None) -> Participant:
    """Build a model, fetching it first if it is the embedded one."""
    if not is_model(name):
        raise ParticipantError(f"{name!r} is no model and writes no text; name a model")
    if is_api(name):
        return Api(name, draw, setting.client)
    if name.startswith("hf:"):
        return Hf(name.partition(":")[2], draw, setting.hf)
    if name.startswith("vllm:"):
        return Vllm(name.partition(":")[2], draw)
    if name == EMBEDDED:
        return Gguf("smollm2", embedded.embedded_model(setting.advance), setting.threads)
    path = Path(name.partition(":")[2])
    return Gguf(path.name, path, setting.threads)


def participant_id(name: str) -> str:
    """Return the id under which the participant called ``name`` appears in a run; of several people, the first's."""
    kind, _, rest = name.partition(":")
    if kind == "hf":
        return hf_id(rest)
    if is_people(name):
        return made_up(name)[0]
    return f"{kind}:{Path(rest).name}" if kind == "gguf" else name
