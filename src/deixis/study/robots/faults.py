"""What robots do that people and browsers do: the faults, by name."""

from collections.abc import Mapping

from deixis.errors import UsageError

FAULTS: Mapping[str, str] = {
    "slow": "takes four times as long",
    "fast": "takes a sixth of the time",
    "double-click": "answers one trial twice, the second time otherwise",
    "offline": "keeps three answers and sends them late, in the other order",
    "two-tabs": "opens a second page, and answers once more in the first",
    "reload": "loads the page anew in the middle",
    "reopened": "closes the page, comes in again by the link of the study",
    "late": "goes away until its place is no longer held, then comes back",
    "clock": "has a clock that is three years off",
    "replay": "sends everything once more after the end, otherwise",
    "malformed": "sends what is no answer, and asks for the end too early",
}
"""Name and what it is; each robot has one of them, or none."""


def faults_of(names: str) -> tuple[str, ...]:
    """Return the faults that a word on the command line stands for; raises :class:`UsageError` for one there is not."""
    if names in ("all", "none"):
        return tuple(FAULTS) if names == "all" else ()
    found = tuple(dict.fromkeys(name.strip() for name in names.split(",")))
    strange = [name for name in found if name not in FAULTS]
    if strange:
        raise UsageError(f"no fault {strange[0]!r}; there is {', '.join(FAULTS)}, all and none")
    return found
