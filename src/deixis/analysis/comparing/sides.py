"""Who is compared with whom, and on which designs: decided from signatures, before an answer is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import SignatureError, UsageError
from deixis.scoring.results import designs_of
from deixis.store import RunFolder

Signature = Mapping[str, str | int]
_NO_MODEL = ("strategy:", "people:")
_FREE = "seed"
"""The one entry of a design's signature that may differ: where data agree it has made no trial otherwise."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a run folder holds of one design, its trials aside."""

    signature: Signature
    """What was asked."""
    participants: tuple[str, ...]
    """Who has a file of answers."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared."""

    run: Path
    """The run folder."""
    participant: str
    """Whose answers they are."""
    designs: Mapping[str, Signature]
    """The designs that it was asked, by name, in the order of experiments and conditions."""


def held(run: Path, experiments: Sequence[str] = (), conditions: Sequence[str] = ()) -> dict[str, Held]:
    """Return what a run folder holds of the named experiments and conditions, or of all where none is named."""
    folder = RunFolder.existing(run)
    found = {}
    for name in designs_of(run):
        part = folder.design(name)
        signature = part.signature()
        if (not experiments or signature["experiment"] in experiments) and (
            not conditions or signature["condition"] in conditions
        ):
            found[name] = Held(signature, tuple(answers.participant for answers in part.participants()))
    return found


def sides(
    runs: tuple[Path, Path], named: Sequence[str] = (), experiments: Sequence[str] = (), conditions: Sequence[str] = ()
) -> tuple[Side, Side]:
    """Return A and B. ``named`` holds nobody, one participant who is in both runs, or A's and B's.

    Where nobody is named, the one model of each run is taken. Raises :class:`UsageError` where that leaves open who is
    meant, for a name that is not there, and where both sides are the same.
    """
    if len(named) > 2:
        raise UsageError(f"-p {named[2]!r} is one too many: two are compared, the first of RUN_A, the second of RUN_B")
    parts = [held(run, experiments, conditions) for run in runs]
    _check_filters(parts, experiments, conditions)
    same = runs[0].resolve() == runs[1].resolve()
    if same and len(set(named)) < 2:
        told = f"both sides are {named[0]!r}" if named else "both sides are the same run"
        raise UsageError(f"{told} in {str(runs[0])!r}; name two participants with -p A -p B, or two runs")
    wanted = tuple(named) * 2 if len(named) == 1 else tuple(named) or (None, None)
    first, second = (_side(run, part, name) for run, part, name in zip(runs, parts, wanted, strict=True))
    return first, second


def _side(run: Path, part: Mapping[str, Held], name: str | None) -> Side:
    known = sorted({participant for entry in part.values() for participant in entry.participants})
    if name is None:
        models = [participant for participant in known if not participant.startswith(_NO_MODEL)]
        if len(models) != 1:
            there = f"{len(models)} models ({', '.join(models)})" if models else "no model"
            raise UsageError(
                f"{str(run)!r} has {there}; name who is compared with -p, once for both runs or once for each"
            )
        (name,) = models
    if name not in known:
        raise UsageError(f"no participant {name!r} in {str(run)!r}; there is {', '.join(known) or 'nobody'}")
    return Side(run, name, {key: entry.signature for key, entry in part.items() if name in entry.participants})


def _check_filters(parts: Sequence[Mapping[str, Held]], experiments: Sequence[str], conditions: Sequence[str]) -> None:
    """Raise :class:`UsageError` for an experiment or a condition that neither run has."""
    there = [entry.signature for part in parts for entry in part.values()]
    for kind, names in (("experiment", experiments), ("condition", conditions)):
        stranger = next((name for name in names if all(one[kind] != name for one in there)), None)
        if stranger is not None:
            raise UsageError(
                f"no {kind} {stranger!r} to compare in these runs; see 'deixis score RUN' for what is there"
            )


def shared(a: Side, b: Side) -> list[str]:
    """Return the designs that both were asked, all of them with the same trials.

    Raises :class:`UsageError` where there is none, and :class:`SignatureError` for those that were asked otherwise:
    numbers on other trials are never set against each other.
    """
    names = [name for name in a.designs if name in b.designs]
    if not names:
        told = "; ".join(f"{side} was asked {', '.join(s.designs) or 'nothing'}" for side, s in (("A", a), ("B", b)))
        raise UsageError(f"nothing to compare: {told}; run both on the same designs")
    otherwise = {name: found for name in names if (found := differences(a.designs[name], b.designs[name]))}
    if otherwise:
        name, found = next(iter(otherwise.items()))
        more = f" (so were {', '.join(list(otherwise)[1:])})" if len(otherwise) > 1 else ""
        raise SignatureError(
            f"{name} was asked otherwise: {', '.join(found)}{more}; compare runs of the same trials, or choose designs "
            "with --experiment and --condition"
        )
    return names


def differences(one: Signature, other: Signature) -> list[str]:
    """Return what makes the trials of two designs differ, as ``data was '…' and is '…'``; empty where they agree."""
    found = [key for key in {**one, **other} if key != _FREE and one.get(key) != other.get(key)]
    if found and one.get(_FREE) != other.get(_FREE):
        found.append(_FREE)
    return [told(key, one, other) for key in found]


def made_with(one: Signature, other: Signature, design: Signature) -> list[str]:
    """Return in what two participants' signatures differ beyond the design: weights, answer mode, reader, versions."""
    keys = [key for key in {**one, **other} if key == _FREE or key not in (*design, "participant")]
    return [told(key, one, other) for key in keys if one.get(key) != other.get(key)]


def told(key: str, one: Signature, other: Signature) -> str:
    """Return one difference between signatures in words."""
    was, now = (repr(found[key]) if key in found else "not told" for found in (one, other))
    return f"{key} was {was} and is {now}"
