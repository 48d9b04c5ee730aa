"""Writing to stdout: data only, and a closed pipe or a full disk told apart."""

import os
import sys
from collections.abc import Iterable

import typer

from deixis.errors import StoreError


def put(lines: Iterable[str], end: str = "\n") -> None:
    """Write lines to stdout. A reader who has seen enough ends the command quietly.

    Raises :class:`StoreError` where stdout cannot be written for another reason.
    """
    try:
        for line in lines:
            sys.stdout.write(line + end)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise StoreError(f"cannot write to standard output: {error.strerror}; make room or send it elsewhere") from None
