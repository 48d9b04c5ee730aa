"""A study's data set: its tables, made from what was gathered."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, median

from deixis import __version__
from deixis.records import Outcome, Score
from deixis.study.data.column import Column, Value
from deixis.study.data.columns import TABLES
from deixis.study.data.gathering import Answered, Gathering, Reply
from deixis.study.data.rows import Question, Respondent, answer_row, rating_rows, text_hash
from deixis.study.data.tables import Row
from deixis.study.database.records import Answer
from deixis.study.manifest import Manifest, Stimulus

Tables = Mapping[str, tuple[Sequence[Column], Sequence[Row]]]
"""Name of a table to its columns and rows."""
_KINDS = {"live": "human", "simulated": "simulated", "test": "test"}


def tables_of(found: Gathering) -> Tables:
    """Return the tables of a study: answers, extras, ratings, people."""
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for one in found.people:
        who = respondent(found, one)
        rows["answers"] += _trials(found, one, who)
        rows["extras"] += _extras(found.manifest, one, who)
        rows["ratings"] += _ratings(found.manifest, one, who)
        rows["people"].append(_person(one, who))
    return {name: (TABLES[name], rows[name]) for name in TABLES}


def respondent(found: Gathering, one: Answered) -> Respondent:
    """Return a person as rows name it."""
    return Respondent(
        study_id=found.plan.id,
        kind=_KINDS[found.mode],
        id=f"people:{found.plan.id}/{one.person.code}",
        design_sha256=found.manifest.design_sha256,
        code_version=__version__,
        block_order=one.arm.order if one.arm is not None and one.arm.several else "",
        excluded_reason=one.excluded,
    )


def stimulus_hash(stimulus: Stimulus) -> str:
    """Return the hash of what a page shows of a trial: of its picture's file, or of its texts."""
    if stimulus.picture:
        return stimulus.picture.partition(".")[0]
    return text_hash(stimulus.passage, stimulus.question, *stimulus.options)


def _trials(found: Gathering, one: Answered, who: Respondent) -> Iterator[Row]:
    """Yield the rows of trials: those answered in their order, then those planned without an answer."""
    stimuli = found.manifest.stimuli
    answered = one.of("trial")
    for key, reply in answered:
        yield answer_row(who, _question(reply.stored.answer, reply, stimuli[key]), reply.response, reply.score)
    done = {key for key, _ in answered}
    for block, key in found.manifest.trials_of(one.arm) if one.arm is not None and one.planned else ():
        if key not in done:
            trial = found.trials[key]
            asked = Question(trial, block, None, stimulus_hash(stimuli[key]))
            yield answer_row(who, asked, None, Score(trial.id, Outcome.MISSING, None, 0.0, "no response", ""))


def _extras(manifest: Manifest, one: Answered, who: Respondent) -> Iterator[Row]:
    for key, reply in one.of("practice", "check"):
        asked = _question(reply.stored.answer, reply, manifest.stimuli[key])
        yield answer_row(who, asked, reply.response, reply.score)


def _ratings(manifest: Manifest, one: Answered, who: Respondent) -> Iterator[Row]:
    for key, reply in one.of("trial"):
        asked = _question(reply.stored.answer, reply, manifest.stimuli[key])
        yield from rating_rows(who, asked, reply.response.ratings)


def _question(answer: Answer, reply: Reply, stimulus: Stimulus) -> Question:
    measured: dict[str, Value] = {
        "rt_ms": answer.rt_ms,
        "answered_at": reply.stored.server_at or None,
        "presentation": answer.presentation,
        "input_kind": answer.input or None,
        "hidden_ms": answer.hidden_ms,
        "blurs": answer.blurs,
        "trusted": bool(answer.trusted),
        "travel_px": round(answer.travel_px),
        "viewport": answer.size or None,
        "motion": answer.motion or None,
        "page_loads": answer.loads,
    }
    stored = reply.stored
    return Question(reply.trial, stored.block, answer.order or None, stimulus_hash(stimulus), stored.part, measured)


def _person(one: Answered, who: Respondent) -> Row:
    person = one.person
    trials = [reply for _, reply in one.of("trial")]
    checks = [reply for _, reply in one.of("check")]
    return {
        "study_id": who.study_id,
        "respondent_kind": who.kind,
        "respondent_id": who.id,
        "status": person.status,
        "list_id": one.arm.list if one.arm is not None else None,
        "block_order": who.block_order or None,
        "trials_answered": len(trials),
        "trials_planned": len(one.planned),
        "share_correct": round(mean(reply.score.credit for reply in trials), 6) if trials else None,
        "median_rt_ms": round(median(reply.stored.answer.rt_ms for reply in trials), 1) if trials else None,
        "checks_passed": sum(reply.score.credit == 1.0 for reply in checks),
        "checks_answered": len(checks),
        **{name: getattr(person, name) or None for name in _TIMES},
        "consent_sha256": person.consent_sha256 or None,
        "all_page_loads": person.loads,
        "webdriver": bool(person.webdriver),
        "touch": bool(person.touch),
        "last_viewport": person.size or None,
        "motion_setting": person.motion or None,
        "excluded_reason": one.excluded or None,
    }


_TIMES = ("arrived_at", "consented_at", "assigned_at", "completed_at", "ended_at")
