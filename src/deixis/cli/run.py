"""``deixis run``: ask participants, keep every answer, score, report."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import ItemsOption, Protocol, ProtocolOption, SeedOption, SetOption
from deixis.cli.output import put
from deixis.records import AnswerMode


def run(
    experiments: Annotated[
        list[str] | None, typer.Argument(metavar="EXPERIMENT", help="Such as indexicals; several may be named.")
    ] = None,
    participant: Annotated[
        list[str] | None,
        typer.Option(
            "-p", "--participant", metavar="NAME", help="Such as gguf:smollm2 or gguf:PATH; may be given several times."
        ),
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Such as main; may be given several times.")
    ] = None,
    protocol: ProtocolOption = Protocol.CORRECTED,
    answer: Annotated[
        AnswerMode,
        typer.Option(
            help="generate: free text, then read; choose: forced choice by log-probability; constrained: text that can "
            "be nothing but an option."
        ),
    ] = AnswerMode.GENERATE,
    items: ItemsOption = None,
    settings: SetOption = None,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Ask models at most N trials a condition, drawn by seed, balanced as far as N allows."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The run folder; by default under runs/.")] = None,
    seed: SeedOption = 0,
    connections: Annotated[
        int, typer.Option(metavar="N", help="Questions asked at once of a model behind an API.")
    ] = 16,
    batch: Annotated[
        bool, typer.Option("--batch", help="Use the provider's batch mode: cheaper, answers within hours.")
    ] = False,
    logprobs: Annotated[
        bool, typer.Option("--logprobs", help="Keep the log-probability of every token, where an API gives it.")
    ] = False,
    max_trials: Annotated[
        int | None, typer.Option(metavar="N", help="Stop after N questions to models; the same command goes on.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", help="Stop when the answers have cost so much, about.")
    ] = None,
    price: Annotated[
        str | None,
        typer.Option(metavar="IN,OUT", help="US dollars per million tokens of input and output, if not in the table."),
    ] = None,
    canary: Annotated[
        bool, typer.Option("--canary/--no-canary", help="First see whether a model behind an API sees pictures at all.")
    ] = True,
    device: Annotated[str, typer.Option(metavar="NAME", help="Device of hf: models; auto, cuda, mps, cpu.")] = "auto",
    dtype: Annotated[
        str, typer.Option(metavar="NAME", help="Numbers of hf: models; auto, bfloat16, float32 …")
    ] = "auto",
    batch_size: Annotated[int, typer.Option(metavar="N", help="Prompts that an hf: model reads at once.")] = 8,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Let an hf: model run code of its own.")
    ] = False,
    on: Annotated[
        str | None,
        typer.Option(metavar="ray[:ADDRESS]", help="Spread the questions to models over the workers of a Ray cluster."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Workers on the cluster; by default one a GPU, else one a machine.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Threads of the engine; by default the physical cores. On a busy machine fewer are faster.",
        ),
    ] = None,
) -> None:
    """Run experiments, or go on with a run. Without arguments: the quick tour on the embedded model.

    The same command again goes on where the last one stopped; a finished run is only reported anew. The reference
    participants (oracle, chance, shortcuts) always come along.
    """
    from deixis.experiments.settings import read_settings  # noqa: PLC0415
    from deixis.participants.api import Client  # noqa: PLC0415
    from deixis.participants.hf_load import HfSetting  # noqa: PLC0415
    from deixis.participants.registry import Setting, participant_id  # noqa: PLC0415
    from deixis.report.page import write_report  # noqa: PLC0415
    from deixis.runs.budget import Budget  # noqa: PLC0415
    from deixis.runs.cluster import read_place  # noqa: PLC0415
    from deixis.runs.costs import read_price  # noqa: PLC0415
    from deixis.runs.finish import finish  # noqa: PLC0415
    from deixis.runs.progress import Bars  # noqa: PLC0415
    from deixis.runs.session import designs, request  # noqa: PLC0415
    from deixis.runs.session import run as run_session  # noqa: PLC0415

    bars = Bars()
    asked = request(
        experiments=experiments or (),
        participants=participant or (),
        conditions=condition or (),
        protocol=protocol.value,
        mode=answer,
        items=items,
        limit=limit,
        out=out,
        seed=seed,
        settings=read_settings(settings or ()),
        setting=Setting(
            threads,
            bars.fetch,
            HfSetting(device, dtype, batch_size, trust_remote_code),
            Client(connections, batch, logprobs),
        ),
        budget=Budget(max_trials, max_cost, None if price is None else read_price(price)),
        canary=canary,
        place=read_place(on, workers),
    )
    planned = designs(asked)
    for note in [note for design in planned for note in design.notes]:
        typer.echo(f"items {note}", err=True)
    turns = run_session(asked, planned, bars)
    page, lines = write_report(
        [asked.out],
        asked.out,
        participant_id(asked.participants[0]),
        [f"{design.experiment}-{design.condition}" for design in planned],
    )
    put([*lines, str(page)])
    finish(turns)
