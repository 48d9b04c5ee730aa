"""Who can be asked on this machine, and what each one needs."""

from deixis.participants import embedded
from deixis.participants.api import api_state
from deixis.participants.hf import hf_state
from deixis.participants.registry import EMBEDDED
from deixis.participants.strategies import EVERY, ON_REQUEST, RULES
from deixis.participants.vllm import vllm_state


def listing() -> list[str]:
    """Return one line a participant: name, what it does, what it needs."""
    lines = ["reference participants (always run where they fit, need nothing):"]
    for name, rule in EVERY.items():
        where = [experiment for experiment, rules in RULES.items() if name in rules]
        named = [experiment for experiment, rules in ON_REQUEST.items() if name in rules]
        fits = "" if len(where) == len(RULES) else f" ({', '.join(where or named)}{'; only where named' * bool(named)})"
        lines.append(f"  {f'strategy:{name}':<31} {(rule.__doc__ or '').strip()}{fits}")
    lines += [
        "people (the condition 'people' of every experiment but checks):",
        f"  {'people:simulated/N':<31} N people made up, with the published error rates, to rehearse a study",
    ]
    state = "in the cache" if embedded.ready() else f"fetched once, {round(embedded.WHEEL_BYTES / 1e6)} MB"
    lines += [
        f"models behind APIs (text and pictures; generate): {api_state()}",
        f"  {'PROVIDER/MODEL':<31} Any name Inspect knows, such as openai/gpt-4o, google/…: needs a key",
        f"  {'openai-api/NAME/MODEL':<31} Any OpenAI-compatible server: needs NAME_BASE_URL and NAME_API_KEY",
        "local models with packages of their own (generate and choose; vllm: constrained too):",
        f"  {'hf:ORG/MODEL, hf:FOLDER':<31} Any chat model through transformers (pictures where it sees): {hf_state()}",
        f"  {'vllm:ORG/MODEL':<31} Any chat model on the Hub, on a GPU (pictures where it sees): {vllm_state()}",
        "models in this process, nothing to install (text; generate and choose):",
        f"  {EMBEDDED:<31} SmolLM2-135M-Instruct, embedded: {state}",
        f"  {'gguf:PATH':<31} Any chat model in a GGUF file: needs the file",
    ]
    return lines
