"""What nobody at hand was asked, and which command would ask it."""

from collections.abc import Iterator, Mapping, Sequence

from deixis.report.tables.counts import Counts, Key, asked, protocols


def not_asked(designs: Sequence[tuple[str, str]], counts: Mapping[Key, Counts]) -> Iterator[str]:
    """Yield a sentence with the command for each protocol at hand under which some of the designs were not asked."""
    for protocol in protocols(counts) or [""]:
        absent: dict[tuple[str, ...], list[str]] = {}
        for experiment in dict.fromkeys(experiment for experiment, _ in designs):
            lacking = tuple(
                condition
                for one, condition in designs
                if one == experiment and not asked(counts, experiment, condition, protocol or None)
            )
            if lacking:
                absent.setdefault(lacking, []).append(experiment)
        under = f" --protocol {protocol}" if protocol not in {"", "corrected"} else ""
        for conditions, experiments in absent.items():
            named = " ".join(f"--condition {condition}" for condition in conditions)
            at = f" under the {protocol} protocol" if protocol else ""
            yield f"Not asked here{at}: `deixis run {' '.join(experiments)} {named}{under}` asks it."
