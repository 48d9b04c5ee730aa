"""One folder a run: append-only answers, one file and one signature a participant.

    RUN/indexicals-main/design.json              what was asked: experiment, protocol, items, data hash, seed
                        trials.jsonl             the trial table, with prompts
                        answers/NAME.jsonl       one answer a line, only ever appended
                        answers/NAME.json        the participant's signature, and which trials were planned
                        verdicts/NAME--JUDGE.…   the same of what a judge says about the participant's answers

Every answer goes to the operating system as it comes, so a killed process loses none, and to the disk in groups.
A line cut in the middle is taken off when the file is next opened, and its question asked again.
"""

import json
import os
import re
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import orjson
from filelock import FileLock, Timeout

from deixis.errors import SignatureError, StoreError, Unfinished
from deixis.records import Example, Option, OptionScore, Prompt, Response, Trial

_GROUP_SECONDS = 2.0
Signature = Mapping[str, str | int]
_REMEDY = "name another folder with --out, or ask for the same"


class RunFolder:
    """A run folder: its designs and, per design, its participants' answers."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def existing(cls, path: Path) -> Self:
        """Open a folder that must hold a run."""
        folder = cls(path)
        if not folder.designs():
            raise StoreError(f"no run in {str(path)!r}; give a folder that 'deixis run' wrote")
        return folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder alone; a second run is refused. The lock goes with the process, however it ends."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe = self.path / ".lock"
            probe.touch()
        except OSError as error:
            raise StoreError(
                f"cannot write into {str(self.path)!r}: {error.strerror or error}; name another folder with --out"
            ) from None
        try:
            with FileLock(probe, timeout=0):
                yield
        except Timeout:
            raise StoreError(
                f"another run is at work in {str(self.path)!r}; wait for it or name another folder with --out"
            ) from None

    def designs(self) -> list[str]:
        """Return the names of the designs in the folder."""
        return sorted(file.parent.name for file in self.path.glob("*/design.json"))

    def design(self, name: str) -> "DesignFolder":
        """Return the part of the folder that belongs to one design."""
        return DesignFolder(self.path / name)


class DesignFolder:
    """The trial table of one design and the answers to it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(
        self, signature: Signature, notes: Sequence[str], trials: Sequence[Trial], prompts: Sequence[Prompt]
    ) -> None:
        """Write the trial table, or check that the one there is the same."""
        if (self.path / "design.json").exists():
            refuse_change(self.path, self.signature(), signature)
            return
        with _writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            _replace(self.path / "trials.jsonl", table_lines(trials, prompts))
            _replace(self.path / "design.json", _pretty({"signature": signature, "notes": list(notes)}))

    def signature(self) -> dict[str, str | int]:
        """Return what was asked."""
        found: dict[str, str | int] = _load(self.path / "design.json", "signature")
        return found

    def notes(self) -> list[str]:
        """Return what was found about the items."""
        return [str(note) for note in _load(self.path / "design.json", "notes")]

    def table(self) -> tuple[list[Trial], list[Prompt]]:
        """Return trials and prompts as they were asked; raises :class:`StoreError` where they were changed since."""
        path = self.path / "trials.jsonl"
        trials, prompts = [], []
        try:
            lines = path.read_text(encoding="utf-8")
            if table_hash(lines) != self.signature()["data"]:
                raise StoreError(f"{str(path)!r} is not the table that was asked (its hash differs); restore the file")
            for trial, prompt in _parsed(f"[{lines.rstrip(chr(10)).replace(chr(10), ',')}]".encode()):
                trials.append(_trial(trial))
                prompts.append(_prompt(prompt))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"cannot read {str(path)!r} ({error}); the run folder is damaged there") from None
        return trials, prompts

    def participants(self) -> list["AnswerFile"]:
        """Return the answers of every participant, by name."""
        folder = self.path / "answers"
        orphan = next((file for file in folder.glob("*.jsonl") if not file.with_suffix(".json").exists()), None)
        if orphan is not None:
            raise StoreError(f"{str(orphan)!r} has no signature beside it; restore its .json or move it away")
        files = [AnswerFile.at(file) for file in folder.glob("*.json")]
        return sorted(files, key=lambda file: file.participant)

    def answers(self, participant: str) -> "AnswerFile":
        """Return the answers of one participant, there or to come."""
        return AnswerFile(self.path / "answers" / f"{_file_name(participant)}.jsonl", participant)

    def verdicts(self, participant: str, judge: str) -> "AnswerFile":
        """Return what one judge says about the answers of one participant, there or to come."""
        name = f"{_file_name(participant)}--{_file_name(judge)}.jsonl"
        remedy = "move that file and its .json away to have everything judged anew"
        return AnswerFile(self.path / "verdicts" / name, participant, remedy)

    def judges(self) -> list[str]:
        """Return the ids of the judges whose verdicts are kept."""
        return sorted({str(_load(file, "signature", "judge")) for file in (self.path / "verdicts").glob("*.json")})


class AnswerFile:
    """One participant's answers: read whole, written by appending."""

    def __init__(self, path: Path, participant: str, remedy: str = _REMEDY) -> None:
        self.path = path
        self.participant = participant
        self._remedy = remedy
        self._file: int | None = None
        self._synced = 0.0

    @classmethod
    def at(cls, meta: Path) -> Self:
        """Return the answers beside a signature file."""
        return cls(meta.with_suffix(".jsonl"), str(_load(meta, "signature", "participant")))

    @property
    def _meta(self) -> Path:
        return self.path.with_suffix(".json")

    @property
    def is_signed(self) -> bool:
        """Whether a signature is there."""
        return self._meta.exists()

    def check(self, signature: Signature) -> None:
        """Raise :class:`SignatureError` where the signature differs in something that ``signature`` says."""
        found = self.signature()
        refuse_change(self.path, {key: found[key] for key in signature if key in found}, signature, self._remedy)

    def sign(self, signature: Signature, planned: int, trials: Sequence[str] = ()) -> None:
        """Write the signature, or check that the one there is the same; remember how many trials are planned.

        ``trials`` names them where they are no balanced subset, as those of one person's list; more may be added.
        """
        if self._meta.exists():
            refuse_change(self.path, self.signature(), signature, self._remedy)
            planned = max(planned, self.planned())
            trials = tuple(dict.fromkeys((*self.trials(), *trials)))
        entry: dict[str, Any] = {"signature": signature, "planned": max(planned, len(trials))}
        if trials:
            entry["trials"] = list(trials)
        with _writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._meta, _pretty(entry))

    def signature(self) -> dict[str, str | int]:
        """Return what the answers were made with."""
        found: dict[str, str | int] = _load(self._meta, "signature")
        return found

    def planned(self) -> int:
        """Return how many trials the participant was to be asked."""
        return int(_load(self._meta, "planned"))

    def trials(self) -> tuple[str, ...]:
        """Return the ids of the planned trials where they were named; nothing where a subset of a size was."""
        return tuple(str(trial) for trial in _load(self._meta).get("trials", ()))

    def read(self, among: Container[str] | None = None) -> dict[str, Response]:
        """Return the answers by trial, or those to the trials ``among``.

        An answer outlives errors before and after it; its first copy counts.
        """
        answers: dict[str, Response] = {}
        for response in self._responses(among):
            kept = answers.get(response.trial_id)
            if kept is None or (kept.error is not None and response.error is None):
                answers[response.trial_id] = response
        return answers

    def entries(self) -> list[dict[str, Any]]:
        """Return the answers as JSON has them, in the order of the file; a line that is damaged is refused."""
        lines = self._lines()
        try:
            found = _at_once(lines)
        except (ValueError, TypeError):
            found = [response_to(response) for response in self._one_by_one(lines)]
        return found

    def _responses(self, among: Container[str] | None) -> Iterator[Response]:
        lines = self._lines()
        try:
            found = _at_once(lines)
            yield from [response_from(one) for one in found if among is None or one["trial_id"] in among]
        except (ValueError, KeyError, TypeError):
            yield from self._one_by_one(lines)

    def _lines(self) -> list[bytes]:
        """Return the lines that are whole."""
        if not self.path.exists():
            return []
        whole, _, _ = self.path.read_bytes().rpartition(b"\n")
        return whole.split(b"\n") if whole else []

    def _one_by_one(self, lines: Sequence[bytes]) -> Iterator[Response]:
        """Read line by line, which is slow but knows which one is damaged."""
        for number, line in enumerate(lines, start=1):
            try:
                yield response_from(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise StoreError(
                    f"{str(self.path)!r} line {number} is damaged ({line[:40]!r}); "
                    "take the line out and run again to have its question asked anew"
                ) from None

    @contextmanager
    def appending(self) -> Iterator[Self]:
        """Open the file for appending, a line cut in the middle taken off first."""
        with _writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            self._take_off_cut_line(self._file)
            yield self
            with _writing(self.path):
                os.fsync(self._file)
        finally:
            os.close(self._file)
            self._file = None

    def append(self, response: Response) -> None:
        """Add one answer."""
        assert self._file is not None, "append within appending()"  # noqa: S101
        line = json.dumps(response_to(response), allow_nan=False).encode() + b"\n"
        with _writing(self.path):
            while line:
                line = line[os.write(self._file, line) :]
            if time.monotonic() - self._synced > _GROUP_SECONDS:
                os.fsync(self._file)
                self._synced = time.monotonic()

    def _take_off_cut_line(self, file: int) -> None:
        content = self.path.read_bytes()
        if content and not content.endswith(b"\n"):
            os.ftruncate(file, content.rfind(b"\n") + 1)


def table_lines(trials: Sequence[Trial], prompts: Sequence[Prompt]) -> str:
    """Return a trial table as it is kept: one JSON object a line."""
    pairs = zip(trials, prompts, strict=True)
    return "".join(f"{json.dumps([asdict(t), asdict(p)], ensure_ascii=False)}\n" for t, p in pairs)


def table_hash(lines: str) -> str:
    """Return the hash by which a trial table is known."""
    return sha256(lines.encode()).hexdigest()[:16]


def refuse_change(where: Path, found: Signature, asked: Signature, remedy: str = _REMEDY) -> None:
    """Raise :class:`SignatureError` saying what differs between two signatures, if anything does."""
    changed = [key for key in {**found, **asked} if found.get(key) != asked.get(key)]
    if changed:
        told = "; ".join(f"{key} was {found.get(key)!r} and is now {asked.get(key)!r}" for key in changed)
        raise SignatureError(f"{str(where)!r} was made otherwise: {told}; {remedy}")


def response_to(response: Response) -> dict[str, Any]:
    """Return a response as JSON has it, without what is empty."""
    entry: dict[str, Any] = {"trial_id": response.trial_id}
    if response.scores:
        entry["scores"] = [[score.logprob, score.tokens] for score in response.scores]
    for name in ("text", "reasoning", "choice", "picture", "cost", "error"):
        if getattr(response, name) is not None:
            entry[name] = getattr(response, name)
    for name in ("ratings", "finish", "seconds", "usage", "model", "date", "retries", "logprobs", "notes"):
        if getattr(response, name):
            entry[name] = getattr(response, name)
    return entry


def response_from(entry: dict[str, Any]) -> Response:
    """Return a response from JSON."""
    if "scores" in entry:
        entry["scores"] = tuple(OptionScore(logprob, tokens) for logprob, tokens in entry["scores"])
    if "logprobs" in entry:
        entry["logprobs"] = tuple((token, logprob) for token, logprob in entry["logprobs"])
    for name in ("notes", "ratings"):
        if name in entry:
            entry[name] = tuple(entry[name])
    return Response(**entry)


def _parsed(text: bytes) -> Any:
    """Parse JSON quickly; what only the standard library takes, such as half a surrogate pair, by that."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)


def _at_once(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """Parse all lines in one go, several times quicker than one by one; raises an error where one line is no object."""
    found = _parsed(b"[" + b",".join(lines) + b"]")
    if len(found) != len(lines) or not all(type(entry) is dict for entry in found):
        raise ValueError("a line is not one object")
    return list(found)


def _file_name(participant: str) -> str:
    """A name that any file system takes; one that had to be changed carries a hash, so that no two meet."""
    plain = participant.replace(":", "-", 1)
    safe = re.sub(r"[^A-Za-z0-9._-]", "-", plain)
    return safe if safe == plain else f"{safe}-{sha256(participant.encode()).hexdigest()[:8]}"


def _trial(entry: dict[str, Any]) -> Trial:
    return Trial(
        **{**entry, "options": tuple(Option(option["text"], option["features"]) for option in entry["options"])}
    )


def _prompt(entry: dict[str, Any]) -> Prompt:
    examples = tuple(Example(**example) for example in entry["examples"])
    return Prompt(
        **{**entry, "options": tuple(entry["options"]), "shared": tuple(entry["shared"]), "examples": examples}
    )


def _load(path: Path, *names: str) -> Any:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        for name in names:
            found = found[name]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"cannot read {str(path)!r} ({error}); the run folder is damaged there") from None
    return found


def _pretty(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, indent=1, ensure_ascii=False) + "\n"


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unfinished(
            f"cannot write {str(path)!r}: {error.strerror or error}; what was answered is kept: make it possible to "
            "write there, or name another folder with --out, and run the same command"
        ) from None
