"""What of a scored run is put before a judge, and under which signature its verdicts are kept."""

from collections.abc import Collection

from deixis.records import Prompt
from deixis.scoring.judge import goes_to_judge, instructions, question, questions
from deixis.scoring.kinship import own_family
from deixis.scoring.results import DesignResults, Result


def judge_signature(design: DesignResults, result: Result, judge: str) -> dict[str, str | int]:
    """Return what must be equal for verdicts to belong together, the judge's own hashes and versions aside.

    The reader is no part of it: it says which answers are put before the judge, not what the judge is told. It stands
    beside every number, in the score.
    """
    told = instructions()
    return {
        **design.signature,
        "participant": result.participant,
        "judge": judge,
        "instructions": told.version,
        "instructions_hash": told.hash,
        "own_family": own_family(result.participant, judge),
    }


def docket(
    design: DesignResults, result: Result, *, every: bool, limit: int | None, also: Collection[str] = ()
) -> list[Prompt]:
    """Return what a judge is asked about one participant's answers, which are read by the reader alone.

    ``also`` names trials whose answers are put before it in any case.
    """
    seed = int(design.signature["seed"])
    found = questions([(r.trial, r.score, r.response) for r in result.rows], seed, every=every, limit=limit)
    known = {prompt.trial_id for prompt in found}
    for row in result.rows:
        if row.trial.id in also and goes_to_judge(row.response, row.score, every=True):
            prompt = question(row.trial, (row.response.text if row.response else None) or "", seed)
            found += [prompt] if prompt.trial_id not in known else []
    return found
