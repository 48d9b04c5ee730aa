"""Who can be asked on this machine, and what each one needs."""

from deixis.participants import embedded
from deixis.participants.registry import EMBEDDED, REFERENCES
from deixis.participants.strategies import RULES


def listing() -> list[str]:
    """Return one line a participant: name, what it does, what it needs."""
    lines = ["reference participants (always run, need nothing):"]
    for full, rule in zip(REFERENCES, RULES.values(), strict=True):
        lines.append(f"  {full:<26} {(rule.__doc__ or '').strip()}")
    state = "in the cache" if embedded.ready() else f"fetched once, {round(embedded.WHEEL_BYTES / 1e6)} MB"
    lines += [
        "models (text; generate and choose):",
        f"  {EMBEDDED:<26} SmolLM2-135M-Instruct, embedded: {state}",
        f"  {'gguf:PATH':<26} Any chat model in a GGUF file: needs the file",
    ]
    return lines
