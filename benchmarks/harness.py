"""Forced choice against lm-evaluation-harness: the same questions, weights and machine, in one run.

    python benchmarks/harness.py [--venv DIR] [--questions 160] [--threads N]

The harness (``hf`` backend, float32, multiple choice, chat template on, batches of 8) is installed in a throw-away
environment; its model is the embedded one, dequantised. Only asking is timed on both sides, not loading. Prints
questions a second, the ratio, both accuracies and on how many questions the two choose alike.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from deixis.experiments import experiment
from deixis.experiments.subsets import subset
from deixis.participants.embedded import embedded_model
from deixis.participants.gguf import Gguf
from deixis.records import AnswerMode, Prompt, Trial
from deixis.scoring import score

PACKAGES = ("torch==2.13.0", "lm-eval[hf]==0.4.13", "gguf>=0.17")
TASK = """\
task: deixis_indexicals
dataset_path: json
dataset_kwargs: {{data_files: {{test: "{data}"}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{prompt}}}}"
doc_to_choice: "{{{{options}}}}"
doc_to_target: "{{{{answer}}}}"
target_delimiter: ""
metric_list: [{{metric: acc}}]
"""
DRIVER = """
import json, sys, time
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from lm_eval import simple_evaluate
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager

folder, weights, threads, system = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
torch.set_num_threads(threads)
where, name = weights.rsplit("/", 1)
model = AutoModelForCausalLM.from_pretrained(where, gguf_file=name, dtype=torch.float32)
tokenizer = AutoTokenizer.from_pretrained(where, gguf_file=name)
peer = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=8, device="cpu")
start = time.perf_counter()
found = simple_evaluate(
    model=peer, tasks=["deixis_indexicals"], task_manager=TaskManager(include_path=folder),
    apply_chat_template=True, system_instruction=system, log_samples=True, bootstrap_iters=0,
)
seconds = time.perf_counter() - start
samples = found["samples"]["deixis_indexicals"]
scores = {s["doc"]["id"]: [float(r[0]) for r in s["filtered_resps"]] for s in samples}
json.dump({"seconds": seconds, "scores": scores}, open(folder + "/found.json", "w"))
"""


def ours(model: Path, trials: list[Trial], prompts: list[Prompt], threads: int) -> tuple[float, dict[str, list[float]]]:
    """Return the seconds our forced choice takes, and its log-probabilities."""
    participant = Gguf("smollm2", model, threads)
    start = time.perf_counter()
    responses = list(participant.respond(prompts, AnswerMode.CHOOSE))
    seconds = time.perf_counter() - start
    by_id = {trial.id: trial for trial in trials}
    earned = [score(by_id[r.trial_id], r, "strict").credit for r in responses]
    print(f"deixis: {len(prompts) / seconds:.2f} questions/s, accuracy {sum(earned) / len(earned):.3f}")
    return seconds, {r.trial_id: [s.logprob for s in r.scores] for r in responses}


def theirs(
    folder: Path, python: Path, model: Path, trials: list[Trial], prompts: list[Prompt], threads: int
) -> tuple[float, dict[str, list[float]]]:
    """Return the seconds the harness takes, and its log-probabilities."""
    data = folder / "questions.jsonl"
    lines = [
        json.dumps({"id": t.id, "prompt": p.user, "options": list(p.options), "answer": t.answer})
        for t, p in zip(trials, prompts, strict=True)
    ]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "deixis.yaml").write_text(TASK.format(data=data), encoding="utf-8")
    command = [str(python), "-c", DRIVER, str(folder), str(model), str(threads), prompts[0].system]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    right = [s.index(max(s)) == t.answer for t in trials for s in [found["scores"][t.id]]]
    rate = len(trials) / found["seconds"]
    print(f"lm-evaluation-harness: {rate:.2f} questions/s, accuracy {sum(right) / len(right):.3f}")
    return found["seconds"], found["scores"]


def main() -> None:
    """Run both and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, help="an environment to make or to use again")
    parser.add_argument("--questions", type=int, default=160)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    design = experiment("indexicals").design(None, "main", "corrected", 0)
    chosen = {trial.id for trial in subset(design.trials, asked.questions, 0)}
    pairs = [(t, p) for t, p in zip(design.trials, design.prompts, strict=True) if t.id in chosen]
    trials, prompts = [t for t, _ in pairs], [p for _, p in pairs]
    model = embedded_model()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = asked.venv or folder / "venv"
        python = environment / "bin" / "python"
        if not python.exists():
            venv.create(environment, with_pip=True)
            subprocess.run([str(python), "-m", "pip", "install", "-q", *PACKAGES], check=True)
        slow, their_scores = theirs(folder, python, model, trials, prompts, asked.threads)
    fast, our_scores = ours(model, trials, prompts, asked.threads)
    alike = sum(s.index(max(s)) == our_scores[trial].index(max(our_scores[trial])) for trial, s in their_scores.items())
    print(f"ratio {slow / fast:.2f}; the same choice on {alike} of {len(trials)}")


if __name__ == "__main__":
    sys.exit(main())
