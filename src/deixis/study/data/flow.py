"""How far everybody came, in all and by list: arrived, consented, assigned, finished, left out and why."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from deixis.study.data.gathering import Answered, Gathering


def flow(found: Gathering) -> dict[str, Any]:
    """Return how far everybody came, in all and by list and order: what a flow diagram shows.

    ``excluded`` counts people; by rule somebody is counted under each rule that says so.
    """
    return {
        "study": found.plan.id,
        "design_sha256": found.manifest.design_sha256,
        "mode": found.mode,
        "not_counted": dict(found.aside),
        **_counted(found.people),
        "by_arm": {
            arm.id: _counted([one for one in found.people if one.arm == arm], assigned_only=True)
            for arm in found.manifest.arms
        },
    }


def flow_json(found: Gathering) -> str:
    """Return :func:`flow` as a file has it."""
    return json.dumps(flow(found), indent=1, ensure_ascii=False) + "\n"


def rule_of(reason: str) -> str:
    """Return the rule that a reason begins with."""
    return reason.partition(":")[0].partition(" in ")[0].strip()


def _counted(people: Sequence[Answered], *, assigned_only: bool = False) -> dict[str, Any]:
    started = {
        "arrived": len(people),
        "consented": sum(bool(one.person.consented_at) for one in people),
    }
    assigned = [one for one in people if one.arm is not None]
    excluded = [one for one in assigned if one.excluded]
    rules = Counter(rule for one in excluded for rule in {rule_of(part) for part in one.excluded.split("; ")})
    statuses = Counter(one.person.status for one in people)
    return {
        **({} if assigned_only else started),
        "assigned": len(assigned),
        "finished": sum(one.complete for one in assigned),
        "status": dict(sorted(statuses.items())),
        "excluded": {"people": len(excluded), "by_rule": dict(sorted(rules.items()))},
        "kept": sum(not one.excluded and bool(one.of("trial")) for one in assigned),
    }
