"""What was computed of the last prompt, kept for the next one that shows the same pictures and begins alike.

What a model computes of a token depends on nothing after it; so the computation of the common beginning is the next
prompt's own, and only what follows is evaluated. The beginning holds every piece of every picture, so that what follows
is text. Models of which that is not true, and caches that cannot be cut, are found out by a probe when one is loaded.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deixis.participants.forced import Tokens

_LEAST = 16
"""How many tokens two prompts without pictures must have in common; fewer save no time."""


@dataclass(frozen=True, slots=True)
class Read:
    """A prompt that was read."""

    tokens: Tokens
    shown: Mapping[str, Any]
    """What its pictures became, as the model was given it; empty without pictures."""
    cache: Any
    """What the model computed of every token."""
    first: Any
    """The log-probability of every token as the first one of the answer."""


def shown(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return those inputs that do not run along the tokens: the pictures, their sizes."""
    tokens = inputs["input_ids"]
    return {name: value for name, value in inputs.items() if value.shape != tokens.shape}


def marks(config: Any, processor: Any, alone: Sequence[int], whole: Sequence[int]) -> frozenset[int]:
    """Return the tokens that stand for pieces of a picture.

    As the model's configuration and processor name them, and the one that is most of what the processor adds where it
    makes ``whole``, with a picture, of the text ``alone``.
    """
    named = {name: value for name, value in config.to_dict().items() if "image" in name}
    found = [value for name, value in named.items() if name.endswith(("token_id", "token_index"))]
    found.append(getattr(processor, "image_token_id", None))
    added = Counter(whole) - Counter(alone)
    found += [token for token, count in added.items() if 2 * count > added.total()]
    return frozenset(value for value in found if isinstance(value, int))


def common(kept: Read, inputs: Mapping[str, Any], pieces: frozenset[int]) -> int:
    """Return how many tokens the next prompt need not read: all of the same prompt, else at most all but its last.

    0 where pictures differ, where the common tokens (of which ``pieces`` stand for pictures) do not hold all pictures,
    or where they are few.
    """
    seen = shown(inputs)
    if seen.keys() != kept.shown.keys() or not all(value.equal(kept.shown[name]) for name, value in seen.items()):
        return 0
    tokens = inputs["input_ids"][0].tolist()
    if tokens == list(kept.tokens):
        return len(tokens)
    pairs = enumerate(zip(tokens, kept.tokens, strict=False))
    length = next((place for place, (one, other) in pairs if one != other), min(len(tokens), len(kept.tokens)))
    least = _LEAST
    if seen:
        least = max((place + 1 for place, token in enumerate(tokens) if token in pieces), default=len(tokens))
    length = min(length, len(tokens) - 1)
    return length if length >= least else 0


def holds(cache: Any, length: int) -> bool:
    """Whether a cache holds each of ``length`` tokens by itself; a running state, or one of pictures only, does not."""
    layers = getattr(cache, "layers", ())
    return bool(layers) and all(
        not hasattr(layer, "recurrent_states") and layer.get_seq_length() in {0, length} for layer in layers
    )


def cut(kept: Read, length: int) -> bool:
    """Cut the cache to its first ``length`` tokens; whether it could be, as a full sliding window cannot."""
    if length == len(kept.tokens):
        return True
    try:
        kept.cache.crop(length - len(kept.tokens))
        return holds(kept.cache, length)
    except Exception:  # noqa: BLE001  (each kind of cache refuses in its own way)
        return False
