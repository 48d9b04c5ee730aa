"""``deixis participants``: who can be asked here."""

import typer


def participants() -> None:
    """List what can be run here, and what each one needs."""
    from deixis.participants.listing import listing  # noqa: PLC0415

    typer.echo("\n".join(listing()))
