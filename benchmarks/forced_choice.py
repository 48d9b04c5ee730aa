"""Forced choice with shared prefixes against the naive loop on the same engine.

    python benchmarks/forced_choice.py [--questions 96] [--threads N]

The naive loop evaluates the whole prompt once an option, in one batch, and follows the option's tokens from there.
Prints questions a second, the ratio, and on how many questions both choose alike, with the margins where they do not:
quantised weights make numbers depend on the batch. So it also scores every question anew, nothing shared, in the same
pieces, where the numbers must be the same to the last bit.
"""

import argparse
import time

from deixis.experiments import experiment
from deixis.experiments.subsets import subset
from deixis.participants import forced
from deixis.participants.embedded import embedded_model
from deixis.participants.gguf import Gguf
from deixis.participants.llama import Llama
from deixis.records import AnswerMode, Prompt


def naive(llama: Llama, prompt: Prompt) -> list[float]:
    """Score every option by itself, the prompt evaluated anew each time."""
    asked = forced.question(llama, llama.render(prompt), prompt.options)
    sums = []
    for path in asked.paths:
        llama.forget()
        sums.append(forced.choose(llama, forced.Question(asked.context, (path,)))[0].logprob)
    return sums


def alone(llama: Llama, prompt: Prompt) -> list[float]:
    """Score a question with nothing left of any other, in the same pieces."""
    rendered = llama.render(prompt)
    asked = forced.question(llama, rendered, prompt.options)
    llama.forget()
    llama.prepare(rendered, prompt, asked.context)
    return [score.logprob for score in forced.choose(llama, asked)]


def main() -> None:
    """Measure both on the same questions, in turns, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=96)
    parser.add_argument("--threads", type=int)
    asked = parser.parse_args()
    design = experiment("indexicals").design(None, "main", "corrected", 0)
    chosen = {trial.id for trial in subset(design.trials, asked.questions, 0)}
    prompts = [prompt for prompt in design.prompts if prompt.trial_id in chosen]
    model = Gguf("smollm2", embedded_model(), asked.threads)
    start = time.perf_counter()
    shared = {r.trial_id: [s.logprob for s in r.scores] for r in model.respond(prompts, AnswerMode.CHOOSE)}
    fast = time.perf_counter() - start
    start = time.perf_counter()
    llama = model._llama
    plain = {prompt.trial_id: naive(llama, prompt) for prompt in prompts}
    slow = time.perf_counter() - start
    unshared = {prompt.trial_id: alone(llama, prompt) for prompt in prompts}
    n = len(prompts)
    print(
        f"shared prefixes: {n / fast:.2f} questions/s; naive loop: {n / slow:.2f} questions/s; ratio {slow / fast:.2f}"
    )
    differing = [t for t in shared if (shared[t][0] > shared[t][1]) != (plain[t][0] > plain[t][1])]
    same = sum(unshared[trial] == shared[trial] for trial in shared)
    print(f"nothing shared, the same pieces: the same numbers to the last bit on {same} of {n}")
    print(f"the naive loop's one batch: the same choice on {n - len(differing)} of {n}")
    for trial in differing:
        margins = [found[trial][0] - found[trial][1] for found in (shared, plain)]
        print(f"  {trial}: margins {margins[0]:+.3f} and {margins[1]:+.3f}")


if __name__ == "__main__":
    main()
