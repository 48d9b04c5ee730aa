"""Whom the papers speak of."""

import pytest

from deixis.analysis.claims.naming import printed_name


@pytest.mark.parametrize(
    ("participant", "name"),
    [
        ("openai/gpt-4o", "GPT-4o"),
        ("openai/gpt-4o-2024-08-06", "GPT-4o"),
        ("openrouter/openai/gpt-4o", "GPT-4o"),
        ("anthropic/claude-3-5-sonnet-20241022", "Claude 3.5 Sonnet"),
        ("anthropic/claude-3-5-sonnet-latest", "Claude 3.5 Sonnet"),
        ("openrouter/anthropic/claude-3.5-sonnet", "Claude 3.5 Sonnet"),
        ("bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0", "Claude 3.5 Sonnet"),
        ("google/gemini-1.5-pro", "Gemini 1.5 Pro"),
        ("google/gemini-1.5-pro-002", "Gemini 1.5 Pro"),
        ("openai-api/x/deepseek-v3", "DeepSeek V3"),
        ("together/deepseek-ai/DeepSeek-V3", "DeepSeek V3"),
        ("groq/meta-llama/llama-4-scout-17b-16e-instruct", "Llama-4-Scout"),
        ("vllm:google/gemma-3-27b-it", "Gemma-3"),
        ("hf:OpenGVLab/InternVL2_5-4B-MPO", "InternVL2.5-4B-MPO"),
        ("hf:OpenGVLab/InternVL2_5-8B-MPO", "InternVL2.5-8B-MPO"),
        ("hf:AIDC-AI/Ovis2-4B", "Ovis2-4B"),
        ("hf:AIDC-AI/Ovis2-8B", "Ovis2-8B"),
    ],
)
def test_the_papers_models_are_known(participant: str, name: str) -> None:
    assert printed_name(participant) == name


@pytest.mark.parametrize(
    "participant",
    [
        "openai/gpt-4o-mini", "openai/chatgpt-4o-latest", "openai/gpt-4", "anthropic/claude-3-5-haiku-20241022",
        "anthropic/claude-3-7-sonnet", "google/gemini-1.5-flash", "google/gemini-2.5-pro", "deepseek/deepseek-chat",
        "together/deepseek-ai/DeepSeek-V3-0324", "deepseek/deepseek-v3.1", "groq/llama-4-maverick-17b-128e-instruct",
        "hf:google/gemma-3-4b-it", "hf:OpenGVLab/InternVL2_5-4B", "hf:OpenGVLab/InternVL2_5-1B-MPO",
        "hf:AIDC-AI/Ovis2-1B", "gguf:gemma-3-27b-it", "gguf:/models/gemma-3-27b-it", "strategy:oracle",
        "people:pilot/gpt-4o", "gpt-4o-like",
    ],
)  # fmt: skip
def test_smaller_later_and_other_ones_are_not(participant: str) -> None:
    assert printed_name(participant) is None
