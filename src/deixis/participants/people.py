"""People as participants: what they are called, and which trials of a design are theirs.

Every person is one participant, ``people:STUDY/CODE``; the study ``simulated`` has nobody in it: ``people:simulated/N``
on the command line stands for N people made up, ``people:simulated/001`` and so on.
"""

import re
from collections.abc import Sequence

from deixis.errors import ParticipantError
from deixis.records import Trial

SIMULATED = "people:simulated"
"""The study that is made up."""
MANY = 40
"""How many people are made up where no number is given."""
CONDITION = "people"
"""The condition that people answer."""
_MOST = 9999


def is_people(name: str) -> bool:
    """Whether ``name`` is one of people, real or made up."""
    return name.startswith("people:")


def check_people(name: str) -> None:
    """Raise :class:`ParticipantError` for people that a run cannot ask."""
    if name != SIMULATED and not name.startswith(f"{SIMULATED}/"):
        raise ParticipantError(
            f"{name!r} cannot be asked by a run: people answer in a study; people:simulated/{MANY} makes up {MANY}"
        )
    number = name.removeprefix(SIMULATED)
    if number and not (re.fullmatch(r"/[0-9]{1,4}", number) and int(number[1:]) > 0):
        raise ParticipantError(
            f"cannot make up {number[1:]!r} people; give a number from 1 to {_MOST}, such as {SIMULATED}/{MANY}"
        )


def made_up(name: str) -> list[str]:
    """Return the ids of the people that a name on the command line stands for, numbered from 1."""
    check_people(name)
    many = int(name.removeprefix(SIMULATED).removeprefix("/") or MANY)
    return [f"{SIMULATED}/{number:03d}" for number in range(1, many + 1)]


def own(trials: Sequence[Trial], number: int) -> list[Trial]:
    """Return the trials of one person, who are numbered from 1: where a design holds several lists, of each in turn."""
    lists = sorted({trial.stimulus["list"] for trial in trials if "list" in trial.stimulus})
    if not lists:
        return list(trials)
    return [trial for trial in trials if trial.stimulus["list"] == lists[(number - 1) % len(lists)]]
