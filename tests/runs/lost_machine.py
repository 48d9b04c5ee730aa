"""Two machines of one worker each, simulated here; one is taken away after the first answers.

    python -m tests.runs.lost_machine

Prints how many answers came, and to how many questions.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from deixis.experiments import experiment
from deixis.items.bank import load_bank
from deixis.items.files import write_items
from deixis.records import AnswerMode
from deixis.runs import cluster
from deixis.runs.cluster import Cluster, Place
from tests.runs.scripted_workers import Recipe


def main() -> None:
    os.environ["RAY_DEDUP_LOGS_SKIP_REGEX"] = ".*"  # before the import, which reads it
    from ray.cluster_utils import Cluster as Machines

    cluster._PATROL = 1.0
    with TemporaryDirectory() as folder:
        items = Path(folder) / "few.jsonl"
        write_items(items, [item for item in load_bank() if item.number <= 12])
        prompts = experiment("indexicals").design(items, "classic", "corrected", 0).prompts
    machines = Machines(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = machines.add_node(num_cpus=1)
    two = Cluster(Place(machines.address, None))
    spread = two.participant("test:remote", Recipe(pause=0.02), None, two.share(on_gpu=False))
    answers = []
    for answer in spread.respond(prompts, AnswerMode.GENERATE):
        answers.append(answer.trial_id)
        if len(answers) == 30:
            machines.remove_node(second, allow_graceful=False)
    print(len(answers), len(set(answers)))
    two.leave()
    machines.shutdown()


if __name__ == "__main__":
    main()
