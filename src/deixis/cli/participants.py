"""``deixis participants``: who can be asked here."""

from deixis.cli.output import put


def participants() -> None:
    """List what can be run here, and what each one needs."""
    from deixis.participants.listing import listing  # noqa: PLC0415

    put(listing())
