"""``deixis items write``: fresh sets, and items that a model writes."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import Protocol
from deixis.cli.output import put


def write(
    fresh: Annotated[
        int | None,
        typer.Option(metavar="SEED", help="Draw the bank anew with other names, places, genders and orders."),
    ] = None,
    indexical: Annotated[
        str | None, typer.Option(metavar="WORD", help="Have a model write items about I, you, here or tomorrow.")
    ] = None,
    number: Annotated[
        int | None, typer.Option("-n", "--number", metavar="N", help="How many items the model writes; by default 20.")
    ] = None,
    participant: Annotated[
        str | None, typer.Option("-p", "--participant", metavar="NAME", help="The model, such as gguf:PATH.")
    ] = None,
    protocol: Annotated[
        Protocol | None,
        typer.Option(
            help="corrected (the default): our instructions; published: the prompts of the paper's Tables 1-8."
        ),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(metavar="N", help="Requests it may cost; by default 6 an item, of which 2 are needed.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="For a fresh set a file, .jsonl or .csv (by default JSONL to stdout); for a model a folder.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of names and of a model's sampling; by default 0.")] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads of the engine.")] = None,
) -> None:
    """Draw a fresh set of items from one seed, or have a model write new ones.

    A model is asked for a stimulus with two contexts, then for its question; what it writes is read strictly, quoted,
    renamed, checked by the linter, and asked again where it fails. Every raw reply is kept; the same command goes on.
    """
    from deixis.errors import UsageError  # noqa: PLC0415

    if (fresh is None) == (indexical is None):
        raise UsageError("items are drawn with --fresh SEED or written with --indexical WORD; give one of the two")
    if fresh is not None:
        given = {"-n": number, "-p": participant, "--protocol": protocol and protocol.value, "--budget": budget}
        given |= {"--seed": seed, "--threads": threads}
        for option, value in given.items():
            if value is not None:
                raise UsageError(f"a fresh set is drawn, not written; leave out {option} {value!r}")
        _draw(fresh, out)
        return
    if participant is None:
        raise UsageError("no participant to write; name a model with -p, such as -p gguf:smollm2")
    _ask(indexical or "", number, participant, protocol or Protocol.CORRECTED, budget, out, seed or 0, threads)


def _draw(seed: int, out: Path | None) -> None:
    from deixis.items.files import item_lines, write_items  # noqa: PLC0415
    from deixis.items.fresh import fresh_set  # noqa: PLC0415
    from deixis.items.templates import load_templates  # noqa: PLC0415

    items = fresh_set(load_templates(), seed)
    if out is None:
        put(item_lines(items))
    else:
        write_items(out, items, anew=True)
    what = "seed 0, which is the bank" if seed == 0 else f"seed {seed}"
    typer.echo(f"{len(items)} items, {sum(len(item.cells) for item in items)} questions, {what}", err=True)


def _ask(
    indexical: str,
    number: int | None,
    participant: str,
    protocol: Protocol,
    budget: int | None,
    out: Path | None,
    seed: int,
    threads: int | None,
) -> None:
    from collections import Counter  # noqa: PLC0415

    from deixis.errors import Unfinished  # noqa: PLC0415
    from deixis.participants.registry import Setting  # noqa: PLC0415
    from deixis.runs.progress import Bars  # noqa: PLC0415
    from deixis.runs.writing import order  # noqa: PLC0415
    from deixis.runs.writing import write as have_written  # noqa: PLC0415

    asked = order(
        indexical=indexical,
        wanted=20 if number is None else number,
        participant=participant,
        protocol=protocol.value,
        budget=budget,
        seed=seed,
        out=out,
        threads=threads,
    )
    try:
        written = have_written(
            asked, Setting(threads=threads, advance=Bars().fetch), lambda line: typer.echo(line, err=True)
        )
    except KeyboardInterrupt:
        raise Unfinished(f"stopped: every reply is kept in {str(asked.out)!r}; the same command goes on") from None
    for verdict, count in Counter(step.verdict for step in written.steps if step.verdict != "kept").most_common(8):
        typer.echo(f"{count:>5} replies not kept: {verdict}", err=True)
    done = f"{len(written.items)} of {asked.wanted} items after {len(written.steps)} requests"
    if len(written.items) < asked.wanted:
        raise Unfinished(f"{done}, all kept in {str(asked.out)!r}; give a larger --budget to go on, or another model")
    typer.echo(done, err=True)
    put([str(asked.out / "items.jsonl")])
