"""``deixis participants``: who can be asked here."""

from deixis.cli.output import put


def participants() -> None:
    """List what can be run here, and what each one needs."""
    from deixis.participants.listing import listing  # noqa: PLC0415
    from deixis.runs.cluster import cluster_state  # noqa: PLC0415

    put([*listing(), f"any model on many machines at once, --on ray[:ADDRESS]: {cluster_state()}"])
