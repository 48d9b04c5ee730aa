"""Tiny models with random weights, written to a folder as any model for transformers is.

Three that see and one that does not (Llama): LLaVA has a CLIP tower; Gemma 3 has pictures that attend to themselves and
a sliding window; Qwen2-VL has pieces of any size, positions in three directions and, here, a processor of its own.
Their tokenizer knows every byte, and some words of the prompts as one token.
"""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from deixis.scenes.png import key_of

IMAGE, START, END, PAD, BEGIN = "<|image_pad|>", "<|im_start|>", "<|im_end|>", "<|pad|>", "<|begin|>"
_VISION = ("<|vision_start|>", "<|vision_end|>", "<|video_pad|>")
_WORDS = "You prefer yours. I prefer mine. Ida prefers the cup. The broom is in the square. Which sentence is right? "
_SIZE = 32
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['content'] is string %}{{ m['content'] }}{% else %}{% for part in m['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
KINDS = ("llava", "gemma3", "qwen2_vl", "llama")
SEEING = KINDS[:3]
_STILL = """
from transformers import ProcessorMixin
from transformers.models.qwen2_vl.processing_qwen2_vl import Qwen2VLProcessor


class Still(Qwen2VLProcessor):
    def __init__(self, image_processor=None, tokenizer=None, chat_template=None):
        self.image_token, self.video_token = "<|image_pad|>", "<|video_pad|>"
        self.image_token_id = tokenizer.convert_tokens_to_ids(self.image_token)
        self.video_token_id = tokenizer.convert_tokens_to_ids(self.video_token)
        ProcessorMixin.__init__(self, image_processor, tokenizer, chat_template=chat_template)
"""


def tiny(
    folder: Path, kind: str, seed: int = 0, *, side: str = "left", template: str | None = TEMPLATE, **shape: int
) -> Path:
    """Write a model of ``kind`` to ``folder`` and return it; ``side`` is where its tokenizer pads.

    ``shape`` is what a kind has a number of its own for: Gemma 3 the ``window`` of its sliding attention.
    """
    import torch

    torch.manual_seed(seed)
    tokenizer = _tokenizer(side, template)
    model, processor = _BUILT[kind](tokenizer, template, **shape)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.15)  # wide, so that what is shown changes what is likely
    model.generation_config.eos_token_id = tokenizer.convert_tokens_to_ids(END)
    model.generation_config.pad_token_id = tokenizer.convert_tokens_to_ids(PAD)
    model.save_pretrained(folder)
    (processor or tokenizer).save_pretrained(folder)
    if kind == "qwen2_vl":
        _still(folder)
    return folder


def picture(number: int, height: int = 48, width: int = 64) -> tuple[str, bytes]:
    """Return a noisy picture of its own: its hash and its PNG file."""
    pixels = np.random.default_rng(number).integers(0, 256, (height, width, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return key_of(pixels), file.getvalue()


def _tokenizer(side: str, template: str | None) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    special = [PAD, BEGIN, START, END, IMAGE, *_VISION]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=340, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator([_WORDS], trainer)
    begin = (BEGIN, inner.token_to_id(BEGIN))
    inner.post_processor = processors.TemplateProcessing(single=f"{BEGIN} $A", special_tokens=[begin])
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token=PAD,
        bos_token=BEGIN,
        eos_token=END,
        additional_special_tokens=[START, IMAGE, *_VISION],
        extra_special_tokens={"image_token": IMAGE, "boi_token": _VISION[0], "eoi_token": _VISION[1]},
        padding_side=side,
        chat_template=template,
    )


def _language(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 2048,
        "bos_token_id": tokenizer.convert_tokens_to_ids(BEGIN),
        "eos_token_id": tokenizer.convert_tokens_to_ids(END),
        "pad_token_id": tokenizer.convert_tokens_to_ids(PAD),
    }


def _llama(tokenizer: Any, _template: str | None) -> tuple[Any, Any]:
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(LlamaConfig(**_language(tokenizer))), None


def _llava(tokenizer: Any, template: str | None) -> tuple[Any, Any]:
    from transformers import (
        CLIPImageProcessor,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    seen = CLIPVisionConfig(
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=_SIZE,
        patch_size=8,
        projection_dim=16,
    )
    config = LlavaConfig(
        vision_config=seen,
        text_config=LlamaConfig(**_language(tokenizer)),
        image_token_index=tokenizer.convert_tokens_to_ids(IMAGE),
        image_seq_length=16,
    )
    square = {"height": _SIZE, "width": _SIZE}
    processor = LlavaProcessor(
        CLIPImageProcessor(size={"shortest_edge": _SIZE}, crop_size=square),
        tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token=IMAGE,
        chat_template=template,
    )
    return LlavaForConditionalGeneration(config), processor


def _gemma3(tokenizer: Any, template: str | None, window: int = 16) -> tuple[Any, Any]:
    from transformers import (
        Gemma3Config,
        Gemma3ForConditionalGeneration,
        Gemma3ImageProcessor,
        Gemma3Processor,
    )

    start, end, _ = _VISION
    token = tokenizer.convert_tokens_to_ids
    seen = {
        "hidden_size": 16,
        "intermediate_size": 24,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "image_size": _SIZE,
        "patch_size": 8,
        "vision_use_head": False,
    }
    config = Gemma3Config(
        text_config=_language(tokenizer) | {"head_dim": 8, "sliding_window": window, "query_pre_attn_scalar": 8},
        vision_config=seen,
        mm_tokens_per_image=4,
        image_token_index=token(IMAGE),
        boi_token_index=token(start),
        eoi_token_index=token(end),
    )
    processor = Gemma3Processor(
        Gemma3ImageProcessor(size={"height": _SIZE, "width": _SIZE}),
        tokenizer,
        chat_template=template and template.replace(f"{start}{IMAGE}{end}", start),
        image_seq_length=4,
    )
    return Gemma3ForConditionalGeneration(config), processor


def _qwen2_vl(tokenizer: Any, _template: str | None) -> tuple[Any, Any]:
    from transformers import Qwen2VLConfig, Qwen2VLForConditionalGeneration

    start, end, video = _VISION
    marks = {
        "image_token_id": IMAGE,
        "video_token_id": video,
        "vision_start_token_id": start,
        "vision_end_token_id": end,
    }
    text = _language(tokenizer) | {"rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2]}}
    seen = {"depth": 2, "embed_dim": 16, "hidden_size": 32, "num_heads": 2, "mlp_ratio": 2, "patch_size": 8}
    ids = {name: tokenizer.convert_tokens_to_ids(mark) for name, mark in marks.items()}
    config = Qwen2VLConfig(text_config=text, vision_config=seen, **ids)
    return Qwen2VLForConditionalGeneration(config), None


def _still(folder: Path) -> None:
    """Give a Qwen2-VL a processor without films, as code of its own: the usual one needs torchvision for them."""
    (folder / "still.py").write_text(_STILL, encoding="utf-8")
    prepared = {
        "image_processor_type": "Qwen2VLImageProcessor",
        "min_pixels": 256,
        "max_pixels": 3072,
        "patch_size": 8,
    }
    own = {"AutoProcessor": "still.Still"}
    processor = {"processor_class": "Still", "auto_map": own, "image_processor": prepared}
    (folder / "processor_config.json").write_text(json.dumps(processor), encoding="utf-8")
    (folder / "preprocessor_config.json").write_text(json.dumps(prepared), encoding="utf-8")


_BUILT = {"llava": _llava, "gemma3": _gemma3, "qwen2_vl": _qwen2_vl, "llama": _llama}
