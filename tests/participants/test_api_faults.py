"""Trouble at the provider in every third question: nothing lost, doubled or scored as wrong, and no key anywhere."""

from collections import Counter
from pathlib import Path

import pytest

from deixis.records import Outcome
from deixis.scoring.results import Scored, read_results
from tests.participants import chat_server
from tests.participants.chat_server import ChatServer, Received, Reply, first_option

pytest.importorskip("inspect_ai", reason="needs the package inspect-ai (pip install 'deixis[api]')")
from deixis.participants import api
from tests.participants.troubled import KEY, LASTING, PASSING, Troubled, ask, cut, findings, hurried


def rows(out: Path) -> list[Scored]:
    return [row for results in read_results(out) for model in results.models for row in model.rows]


def outcomes(out: Path) -> Counter[str]:
    return Counter(row.score.outcome.value for row in rows(out))


def test_every_kind_of_trouble_is_told_apart_and_the_key_is_nowhere(tmp_path: Path) -> None:
    out, log, trouble = tmp_path / "run", tmp_path / "log", Troubled(0.3)
    designs = [cut("possessive", "main", 600)]
    with ChatServer(trouble) as server, hurried(server.url, log):
        ask(designs, out)
        assert server.requests[0].headers["authorization"].endswith(KEY)
        met = [trouble.fate(received.text, received.pictures) for received in server.requests]
    assert {fate.lasting for fate in met} == {"", *LASTING}
    assert {kind for fate in met for kind in fate.passing} == {*PASSING}
    found = findings(designs, out, log, trouble)
    assert found.wrong == []
    assert sum(found.outcomes.values()) == 600
    assert set(found.outcomes) == {"answered", "refused", "empty", "truncated", "errored"}
    assert set(found.reasons) == {"NotFoundError 404", "InternalServerError 500"}
    assert found.retries > 600 * 0.3 / 2
    assert log.stat().st_size

    errored = found.outcomes["errored"]
    with ChatServer() as well, hurried(well.url, log):  # the same command again
        ask(designs, out)
        assert len(well.requests) == errored
    assert outcomes(out)["answered"] == found.outcomes["answered"] + errored


def test_an_outage_of_15_of_27_trials_leaves_12_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "RETRIES", 2)
    designs = [cut("possessive", "picture-none", 27)]
    down = {prompt.user for prompt in designs[0].prompts[12:]}

    def behave(received: Received, attempt: int) -> Reply:
        return chat_server.server_error(502) if received.text in down else first_option(received, attempt)

    with ChatServer(behave) as server, hurried(server.url, tmp_path / "log"):
        ask(designs, tmp_path / "run")
        assert len(server.requests) == 12 + 15 * 3
    assert outcomes(tmp_path / "run") == {"errored": 15, "answered": 12}
    errored = [row for row in rows(tmp_path / "run") if row.score.outcome is Outcome.ERRORED]
    assert all(row.response and row.response.text is None and "502" in str(row.response.error) for row in errored)
    assert sum(row.score.credit for row in errored) == 0


@pytest.mark.parametrize("retry_after", [None, 0.05])
def test_a_limit_of_the_rate_that_comes_after_call_50_loses_no_trial(tmp_path: Path, retry_after: float | None) -> None:
    limited = chat_server.rate_limited(retry_after)

    def behave(received: Received, attempt: int) -> Reply:
        return limited if 50 <= received.number < 90 else first_option(received, attempt)

    with ChatServer(behave) as server, hurried(server.url, tmp_path / "log"):
        ask([cut("possessive", "picture-none", 100)], tmp_path / "run", connections=8)
        assert len(server.requests) == 140
    assert outcomes(tmp_path / "run") == {"answered": 100}
    assert sum(row.response.retries for row in rows(tmp_path / "run") if row.response) == 40
