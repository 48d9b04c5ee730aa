"""A judge run from the command line so that it can be killed: ``python -m tests.runs.slow_judge RUN LOG``."""

import sys
import time
from pathlib import Path

from deixis.records import Prompt
from tests.scoring.bench import Judge, judged

if __name__ == "__main__":

    def reply(prompt: Prompt) -> str:
        with Path(sys.argv[2]).open("a") as file:
            file.write(prompt.trial_id + "\n")
        time.sleep(0.003)
        return "VERDICT: A"

    judged(Path(sys.argv[1]), Judge(reply))
