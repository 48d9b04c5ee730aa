"""Loading a model through transformers: its configuration first, then processor and weights, faults as one line."""

import hashlib
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deixis.errors import ParticipantError

DTYPES = ("auto", "float32", "bfloat16", "float16")
"""The number formats in which a model can be asked."""
_WEIGHTS = (".safetensors", ".bin")
_SAMPLE = 1 << 16
"""How many bytes at both ends of a file of weights go into its hash."""


@dataclass(frozen=True, slots=True)
class HfSetting:
    """What loading a model through transformers may need besides its name."""

    device: str = "auto"
    """``cuda``, ``mps``, ``cpu``, or ``auto``: the first of these that is there."""
    dtype: str = "auto"
    """``float32``, ``bfloat16``, ``float16``, or ``auto``: 16 bits on ``cuda``, 32 elsewhere."""
    batch: int = 8
    """Prompts (or options of one prompt) evaluated at once, at most."""
    trust_remote_code: bool = False
    """Whether code that comes with a model may run."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model as its configuration describes it, before any weights are read."""

    name: str
    """A folder, or ``ORG/MODEL``."""
    config: Any
    sees: bool
    """Whether it takes pictures."""


def look(name: str, setting: HfSetting) -> Model:
    """Read the configuration of ``name``; raises :class:`ParticipantError` where there is none that can be used."""
    transformers = _packages(name)
    if not Path(name).is_dir() and not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", name):
        raise ParticipantError(f"no folder {name!r}; give a folder with a model for transformers, or ORG/MODEL")
    if Path(name).is_dir() and not (Path(name) / "config.json").is_file():
        raise ParticipantError(f"the folder {name!r} holds no config.json, so it is no model for transformers")
    try:
        config = transformers.AutoConfig.from_pretrained(name, **_sources(name, setting))
    except Exception as error:  # noqa: BLE001  (the hub, a file and code of a model all raise their own)
        raise _unusable(name, error) from None
    if config.is_encoder_decoder:
        raise ParticipantError(f"{name!r} is an encoder-decoder model; give one that continues text")
    own = getattr(config, "auto_map", None) or {}
    sees = type(config) in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING or "AutoModelForImageTextToText" in own
    return Model(name, config, sees)


def told(error: BaseException) -> str:
    """Return an error as one line of at most 300 characters."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def out_of_memory(error: BaseException) -> bool:
    """Whether a device, or this machine, had no room."""
    return isinstance(error, MemoryError) or bool(
        re.search(r"out of memory|can't allocate memory|not enough memory", str(error), re.IGNORECASE)
    )


def installed() -> bool:
    """Whether the packages are there that a model needs; they are not loaded."""
    return find_spec("torch") is not None and find_spec("transformers") is not None


def _packages(name: str) -> Any:
    """Return transformers, silent; raises :class:`ParticipantError` where it or torch is missing."""
    if not installed():
        raise ParticipantError(f"'hf:{name}' needs the packages torch and transformers; pip install 'deixis[hf]'")
    import transformers  # noqa: PLC0415  (heavy: seconds to load)

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def _sources(name: str, setting: HfSetting) -> dict[str, Any]:
    return {"trust_remote_code": setting.trust_remote_code, "local_files_only": Path(name).is_dir()}


def _unusable(name: str, error: Exception) -> ParticipantError:
    """Return what went wrong with ``name`` as one line, with a way out."""
    text = str(error)
    if missing := re.search(r"requires the (\w+) library", text):
        return ParticipantError(f"{name!r} needs the package {missing[1].lower()}; pip install {missing[1].lower()}")
    if "trust_remote_code" in text:
        return ParticipantError(f"{name!r} brings code of its own, which runs only with trust_remote_code")
    if out_of_memory(error):
        return ParticipantError(f"{name!r} does not fit into memory; give a smaller model or another device")
    way = "give another folder or fetch it again" if Path(name).is_dir() else "check the name and the connection"
    return ParticipantError(f"{name!r} cannot be loaded ({told(error)}); {way}")


def reader(model: Model, setting: HfSetting) -> Any:
    """Load the processor of a model that sees, or the tokenizer of one that does not."""
    transformers = _packages(model.name)
    kind = transformers.AutoProcessor if model.sees else transformers.AutoTokenizer
    try:
        found = kind.from_pretrained(model.name, **_sources(model.name, setting))
    except Exception as error:  # noqa: BLE001  (files, the hub and code of a model all raise their own)
        raise _unusable(model.name, error) from None
    if model.sees and not hasattr(found, "image_processor"):
        raise ParticipantError(f"{model.name!r} sees pictures but says not how they are prepared; fetch it again")
    return found


def template(processor: Any, tokenizer: Any) -> Any:
    """Return the chat template, of the processor or else of its tokenizer."""
    return getattr(processor, "chat_template", None) or getattr(tokenizer, "chat_template", None)


def place(setting: HfSetting) -> tuple[str, str]:
    """Return device and number format; raises :class:`ParticipantError` for one that is not there."""
    import torch  # noqa: PLC0415

    there = [name for name, found in (("cuda", torch.cuda), ("mps", torch.backends.mps)) if found.is_available()]
    there.append("cpu")
    device = there[0] if setting.device == "auto" else setting.device
    if device.partition(":")[0] not in there:
        raise ParticipantError(f"no device {device!r} here; there is {', '.join(there)}")
    if setting.dtype not in DTYPES:
        raise ParticipantError(f"unknown dtype {setting.dtype!r}; one of {', '.join(DTYPES)}")
    if setting.dtype != "auto":
        return device, setting.dtype
    if not device.startswith("cuda"):
        return device, "float32"
    return device, "bfloat16" if torch.cuda.is_bf16_supported() else "float16"


def weights(model: Model, setting: HfSetting, device: str, dtype: str) -> Any:
    """Load the weights; raises :class:`ParticipantError` where some are missing: they would be random."""
    transformers = _packages(model.name)
    import torch  # noqa: PLC0415

    kind = transformers.AutoModelForImageTextToText if model.sees else transformers.AutoModelForCausalLM
    try:
        found, report = kind.from_pretrained(
            model.name, dtype=getattr(torch, dtype), output_loading_info=True, **_sources(model.name, setting)
        )
        lacking = sorted(map(str, (*report["missing_keys"], *report["mismatched_keys"])))
        if not lacking:
            return found.to(device).eval()
    except Exception as error:  # noqa: BLE001  (a damaged file raises what its reader raises)
        raise _unusable(model.name, error) from None
    raise ParticipantError(
        f"{model.name!r} lacks {len(lacking)} of its weights, such as {lacking[0]!r}; fetch it again"
    )


def fingerprint(model: Model, setting: HfSetting) -> str:
    """Return 16 hexadecimal digits by which configuration and weights are known.

    Of each file of weights its name, its size and both ends are read, the whole being too long to wait for.
    """
    folder = Path(model.name)
    if not folder.is_dir():
        from transformers.utils import cached_file  # noqa: PLC0415

        folder = Path(str(cached_file(model.name, "config.json", local_files_only=True))).parent
    return weights_hash(folder, repr((model.config.to_json_string(), setting.trust_remote_code)))


def weights_hash(folder: Path, configuration: str) -> str:
    """Return 16 hexadecimal digits by which a folder of weights, under a configuration, is known."""
    digest = hashlib.sha256(configuration.encode())
    for path in sorted(path for path in folder.iterdir() if path.suffix in _WEIGHTS):
        size = path.stat().st_size
        with path.open("rb") as file:
            digest.update(f"{path.name} {size}".encode() + file.read(_SAMPLE))
            file.seek(max(0, size - _SAMPLE))
            digest.update(file.read())
    return digest.hexdigest()[:16]
