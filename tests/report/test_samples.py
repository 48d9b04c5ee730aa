"""Trials to look at: which are shown, and what is told of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.records import AnswerMode, Prompt, Response
from deixis.report.gather import GatheredDesign, gather
from deixis.report.samples import hardest, sample, samples
from deixis.scoring.results import PROTOCOL
from tests.report.runs import Says, asked, planned


class SaysIts(Says):
    """Is right but where the speaker of the first prompt's objects owns them: says what it is told by trial id."""

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        for prompt in prompts:
            yield Response(prompt.trial_id, text=self.words if "boy-speaks" in prompt.trial_id else "", finish="stop")


def gathered(folder: Path) -> GatheredDesign:
    (design,) = gather([folder], PROTOCOL)
    return design


@pytest.fixture(scope="module")
def possessive(tmp_path_factory: pytest.TempPathFactory) -> GatheredDesign:
    """One model says *I prefer mine* to all 32 trials, another to the 8 that it was asked, and nothing to some."""
    folder = asked(tmp_path_factory.mktemp("run"), "possessive", Says())
    asked(folder, "possessive", SaysIts("demo/some"), limit=8)
    return gathered(folder)


def test_a_sample_is_a_trial_that_most_were_asked(possessive: GatheredDesign) -> None:
    found = sample(possessive)
    assert found is not None
    some = possessive.table[possessive.table["participant"] == "demo/some"]
    name = found.link.removeprefix("#trial=possessive/people/corrected/")
    assert name in set(some["trial_id"].astype(str))
    assert found.title == "possessive, people"
    assert found.picture.startswith("data:image/svg+xml;base64,")
    assert "a line from the eyes of the" in found.alt
    assert found.text
    assert not found.folded
    right = some.loc[some["trial_id"] == name, "right"].astype(str).item()
    pronoun, word = right.split(" ", 1)
    silent = "boy-speaks" not in name
    said = "“I prefer mine” 1 time, empty 1 time" if silent else "“I prefer mine” 2 times"
    assert found.told == f"right: “{pronoun} prefer {word}”; said: {said}"


def test_the_hardest_items_come_first(possessive: GatheredDesign) -> None:
    found = hardest(possessive)
    own = possessive.table[possessive.table["participant"].astype(str).str.startswith("demo/")]
    means = own.groupby(own["item"].astype(str))["correct"].agg(["mean", "size"])
    assert len(found) == 4
    names = [one.title.partition(":")[0] for one in found]
    assert len(set(names)) == 4
    assert [means["mean"][name] for name in names] == sorted(means["mean"])[:4]
    for name, one in zip(names, found, strict=True):
        count = means["size"][name]
        assert one.title == f"{name}: {means['mean'][name]:.2f} right over {count} answer{'s' if count > 1 else ''}"
        assert one.folded
        assert f"/{name}/" in one.link


def test_what_nobody_missed_is_not_hard(possessive: GatheredDesign) -> None:
    assert hardest(replace(possessive, table=possessive.table.assign(correct=1.0))) == []


def test_two_objects_of_a_pair_are_both_right(tmp_path: Path) -> None:
    found = sample(gathered(asked(tmp_path, "comprehension", people=2)))
    assert found is not None
    assert found.told.startswith(("right: “A” or “B”; said: ", "right: “C” or “D”; said: "))
    assert hardest(gathered(tmp_path)), "people count where no model was asked"


def test_without_answers_there_is_nothing_to_show(tmp_path: Path) -> None:
    design = gathered(planned(tmp_path))
    assert hardest(design) == []
    assert all(one.told.startswith("right: ") and "said" not in one.told for one in samples([design]))
