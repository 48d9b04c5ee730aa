"""The table of ratings, by hand."""

from deixis.analysis.people.ratings import ratings
from deixis.records import Option, Response, Trial
from deixis.scoring import score
from deixis.scoring.results import DesignResults, Result, Scored


def row(name: str, word: str, roles: tuple[str, ...], given: tuple[int, ...] | None) -> Scored:
    task = "possessive" if word in ("mine", "yours") else "demonstrative"
    options = tuple(Option("ABCD"[place], {"role": role}) for place, role in enumerate(roles))
    factors = {"task": task, "word": word}
    trial = Trial(name, "comprehension", "people", "corrected", factors, options, 0, {})
    response = None if given is None else Response(name, ratings=given)
    return Scored(trial, score(trial, response, "strict"), response)


PAIRS = ("target pair", "target pair", "other pair", "other pair")


def results(*parts: Result) -> list[DesignResults]:
    return [DesignResults("comprehension-people", {}, (), (), parts)]


def test_one_row_an_object() -> None:
    rows = (row("m", "mine", PAIRS, (7, 6, 1, 2)), row("t", "that one", ("3", "2", "1", "0"), (6, 5, 3, 1)))
    table = ratings(results(Result("people:pilot/01", {"answer": "rating"}, rows)))
    assert list(table.columns) == ["task", "word", "person", "rating", "role", "trial_id"]
    assert table.rating.tolist() == [7, 6, 1, 2, 6, 5, 3, 1]
    assert table.role.tolist() == [*PAIRS, "3", "2", "1", "0"]
    assert table.iloc[4].tolist() == ["demonstrative", "that one", "people:pilot/01", 6, "3", "t"]
    assert set(table.person) == {"people:pilot/01"}


def test_what_was_not_rated_has_no_rows() -> None:
    rows = (row("a", "mine", PAIRS, None), row("b", "mine", PAIRS, (7, 1)), row("c", "mine", PAIRS, (1, 1, 1, 1)))
    parts = Result("people:pilot/01", {"answer": "rating"}, rows), Result("strategy:oracle", {"answer": "choice"}, rows)
    assert ratings(results(*parts)).trial_id.tolist() == ["c"] * 4
    empty = ratings([])
    assert (list(empty.columns), len(empty)) == (["task", "word", "person", "rating", "role", "trial_id"], 0)
