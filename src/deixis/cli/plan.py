"""``deixis plan``: trials, pictures, tokens, cost and hours before a run."""

from enum import StrEnum
from typing import Annotated

import typer

from deixis.cli.options import Protocol, ProtocolOption, SeedOption, SetOption
from deixis.cli.output import put
from deixis.cli.power import (
    AgainstOption,
    AlphaOption,
    BaseOption,
    DifferenceOption,
    ItemsOption,
    OddsOption,
    PairingOption,
    PeopleOption,
    PilotOption,
    PowerOption,
    RepeatsOption,
    SdItemsEffectOption,
    SdItemsOption,
    SdPeopleEffectOption,
    SdPeopleOption,
    SimulationsOption,
    check_unused,
    put_power,
)


class PresetName(StrEnum):
    """Sets of conditions with a name."""

    QUICK = "quick"
    MAIN = "main"
    PAPER = "paper"


def plan(
    experiments: Annotated[
        list[str] | None, typer.Argument(metavar="EXPERIMENT", help="Such as possessive; several may be named.")
    ] = None,
    participant: Annotated[
        list[str] | None,
        typer.Option("-p", "--participant", metavar="NAME", help="Such as openai/gpt-4o; may be given several times."),
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Such as main; may be given several times.")
    ] = None,
    preset: Annotated[
        PresetName | None,
        typer.Option(
            help="Instead of names. quick: vocabulary, possessive, demonstrative, 128 trials each; main: the three in "
            "full; paper: all that the paper ran, with the checks."
        ),
    ] = None,
    protocol: ProtocolOption = Protocol.CORRECTED,
    settings: SetOption = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Trials a condition that a model is asked.")] = None,
    price: Annotated[
        str | None,
        typer.Option(
            metavar="IN,OUT", help="US dollars per million tokens of input and output, instead of the price table."
        ),
    ] = None,
    picture_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens a picture, instead of the price table.")
    ] = None,
    rate: Annotated[
        float, typer.Option(metavar="N", help="Trials a minute: 60 is four at a time, four seconds each.")
    ] = 60,
    seed: SeedOption = 0,
    csv: Annotated[
        bool, typer.Option("--csv", help="Write CSV to stdout, one row a condition and participant, or a size.")
    ] = False,
    power: PowerOption = False,
    people: PeopleOption = None,
    items: ItemsOption = None,
    repeats: RepeatsOption = None,
    base: BaseOption = None,
    difference: DifferenceOption = None,
    odds: OddsOption = None,
    sd_people: SdPeopleOption = None,
    sd_items: SdItemsOption = None,
    sd_people_effect: SdPeopleEffectOption = None,
    sd_items_effect: SdItemsEffectOption = None,
    pairing: PairingOption = None,
    against: AgainstOption = None,
    alpha: AlphaOption = None,
    simulations: SimulationsOption = None,
    pilot: PilotOption = None,
) -> None:
    """Say before a run how many trials, distinct pictures and tokens it has, what it costs and how long it takes.

    Tokens are estimates: letters are counted, and their number a token was measured. A price that is not known is said
    to be unknown. Nothing is asked.

    With --power: how often a study of people (or models) finds a difference between two conditions.
    """
    study = {
        "people": people,
        "items": items,
        "repeats": repeats,
        "base": base,
        "difference": difference,
        "odds": odds,
        "sd_people": sd_people,
        "sd_items": sd_items,
        "sd_people_effect": sd_people_effect,
        "sd_items_effect": sd_items_effect,
        "pairing": pairing,
        "against": against,
        "alpha": alpha,
        "simulations": simulations,
        "pilot": pilot,
    }
    if power:
        run = {
            **{name: name for name in experiments or ()},
            "--participant": participant,
            "--condition": condition,
            "--preset": preset,
            "--set": settings,
            "--limit": limit,
            "--price": price,
            "--picture-tokens": picture_tokens,
        }
        put_power(study, run, seed, csv=csv)
        return
    check_unused(study)
    from deixis.experiments.settings import read_settings  # noqa: PLC0415
    from deixis.runs.forecast import csv_lines, text_lines  # noqa: PLC0415
    from deixis.runs.planning import counts  # noqa: PLC0415
    from deixis.runs.planning import plan as planning  # noqa: PLC0415

    planned = planning(
        experiments=experiments or (),
        participants=participant or (),
        conditions=condition or (),
        protocol=protocol.value,
        settings=read_settings(settings or ()),
        limit=limit,
        preset=preset and preset.value,
        price=price,
        picture_tokens=picture_tokens,
        rate=rate,
        seed=seed,
    )
    put((csv_lines if csv else text_lines)(planned, counts(planned)))
