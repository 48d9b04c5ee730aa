"""The README of a package: how to put it up, what is lost against ``deixis study serve``, how to bring answers back."""

from collections.abc import Mapping, Sequence

from deixis import __version__
from deixis.study.manifest import Manifest

LOSSES: Mapping[str, str] = {
    "code": "The completion code stands in the files that the browser gets: somebody who reads them has it without "
    "answering. `serve` holds it back until every answer is stored.",
    "lists": "Lists are drawn at random, and nobody counts them: some get more people than others, and who leaves is "
    "not made up for. `serve` keeps them equal.",
    "counted": "Lists are counted, and who leaves by the button gives the place back; who just closes the page does "
    "not.",
    "full": "Nobody is told that the study is full: stop recruiting when you have enough.",
    "resume": "Somebody can go on after closing the page in the same browser only, not in another one.",
    "restart": "Whoever reloads the page goes on with the trials still open, and what was answered before is in no "
    "file: the host stores what the page that ends has recorded.",
    "end": "Answers are stored at the end: of somebody who closes the page on the way you get nothing.",
    "parts": "Answers are sent in parts of sixteen and at the end; what comes after the last part is lost when the "
    "page is closed and not opened again.",
    "browser": "Answers stay in the browser until somebody saves the file. Private windows and cleared browsers keep "
    "nothing.",
    "delete": "Somebody who withdraws is marked so, and `deixis study import` drops the answers; the files that the "
    "host has already are yours to delete.",
    "time": "No server's clock is on the answers, only that of the browser.",
    "prolific": "Prolific's ids are not in the answers, so `deixis study join` has nothing to match.",
    "untried": "We have not tried this host itself, only its interface: answer it once yourself, and import the file, "
    "before you pay anybody.",
}
"""What another host cannot do, in the words of the README."""
_README = """\
# {title}

The study `{study}` ({design}, {protocol}), packed for {host} by deixis {version}.

Design: `{sha}`

## Putting it up

{steps}

## Bringing the answers back

{results}

```sh
deixis study import {study} FILES…
deixis study export {study} --to csv --out data
```

(`{study}` is the folder of the study. Importing a file twice changes nothing; answers to another design are refused.)

## What you lose against `deixis study serve`

{losses}
"""


def readme(manifest: Manifest, host: str, steps: Sequence[str], losses: Sequence[str], results: str) -> bytes:
    """Return the README of a package.

    ``steps`` say how to put it up, ``losses`` are names in :data:`LOSSES`, ``results`` says which files to import.
    """
    written = _README.format(
        title=manifest.title,
        study=manifest.study,
        design=manifest.design,
        protocol=manifest.protocol,
        host=host,
        version=__version__,
        sha=manifest.design_sha256,
        steps="\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1)),
        results=results,
        losses="\n".join(f"* {LOSSES[name]}" for name in losses),
    )
    return written.encode()
