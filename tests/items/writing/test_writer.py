"""The writer, with a participant that misbehaves in every way and one that behaves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.errors import ParticipantError, SignatureError, Unfinished, UsageError
from deixis.items.files import read_items
from deixis.items.lint.run import lint
from deixis.items.reading import read_questions
from deixis.items.writing.assembly import quote
from deixis.items.writing.drafts import BadDraft, read_draft, read_question
from deixis.items.writing.frames import FRAMES, wording
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response
from deixis.runs.writing import Order, order, write_with

EVENTS = {
    "I": ["mend the garden gate", "paint the long fence", "sing the last solo", "carry the heavy piano"],
    "you": ["praised you at the dinner", "invited you to the concert", "chose you as captain", "thanked you"],
    "here": ["tune old pianos", "open a small bakery", "study marine painting", "plant a pear orchard"],
    "tomorrow": ["open the cinema", "move the grand piano", "paint the long fence", "sail the old ferry"],
}
TOPICS = [
    ("clocks lie about in every drawer and nobody winds them", "an old tower leans over the market square"),
    ("a brush has been soaking in the bucket since Easter", "the colour of the gate has faded to grey"),
    ("the choir meets on Fridays behind the fire station", "a dozen chairs are set out in a half circle"),
    ("the stairs are steep and the landing is narrow", "two removal men have sent their apologies"),
]
SENTENCE = {
    "I": "Chris announced that I would {}.",
    "you": "While John was speaking to Travis, he mentioned that Chris {}.",
    "here": "When I was in New York with John, he said that Chris wanted to {} here.",
    "tomorrow": "When we spoke last summer, John told me that Chris would {} tomorrow.",
}
CONTEXT = {
    "I": "My name is Andrew and {}. Chris lives next door, where {}. {} has patient hands.",
    "you": "Dear Donald, Andrew sends greetings, and {}. John, Chris and Travis are well; {}. {} smiled at us.",
    "here": "Andrew writes from Los Angeles, where {}. John and Chris know that {}. There is room for it in {}.",
    "tomorrow": "This is Andrew, and {}. John and Chris share a flat, and {}. Such a thing takes {}.",
}
PRIMED = {
    "I": ("My neighbour", "Chris"),
    "you": ("You", "Travis"),
    "here": ("Los Angeles", "New York"),
    "tomorrow": ("a year", "an hour"),
}


def draft(indexical: str, place: int) -> str:
    one, other = TOPICS[place]
    sentence = SENTENCE[indexical].format(EVENTS[indexical][place])
    first, second = (CONTEXT[indexical].format(one, other, prime) for prime in PRIMED[indexical])
    return f"stimulus_sentence: {sentence}\ncorrect_context: {first}\nwrong_context: {second}"


def question(indexical: str, place: int) -> str:
    event = EVENTS[indexical][place].replace(" you", "")
    frame = FRAMES[indexical]
    middle = {"I": f" will {event}", "tomorrow": f" {event}, "}.get(indexical, f" {event}")
    return f"{frame.begins}{middle}{frame.ends}"


class Scribe:
    """Writes sound items; what it says first to each kind of request can be set."""

    id = "test:scribe"
    abilities = Abilities()
    identity = {"weights": "none"}  # noqa: RUF012

    def __init__(self, indexical: str, stimulus: Sequence[str | Response] = (), asked: Sequence[str] = ()) -> None:
        self.indexical = indexical
        self.wrong = {"stimulus": list(stimulus), "question": list(asked)}
        self.prompts: list[Prompt] = []
        self.place = -1

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        assert mode is AnswerMode.GENERATE
        for prompt in prompts:
            self.prompts.append(prompt)
            kind = prompt.trial_id.split("/")[1]
            if self.wrong[kind]:
                said = self.wrong[kind].pop(0)
                yield (
                    replace(said, trial_id=prompt.trial_id)
                    if isinstance(said, Response)
                    else Response(prompt.trial_id, text=said, finish="stop")
                )
                continue
            if kind == "stimulus":
                self.place += 1
            make = draft if kind == "stimulus" else question
            yield Response(prompt.trial_id, text=make(self.indexical, self.place), finish="stop")

    def close(self) -> None: ...


def asked(out: Path, indexical: str = "here", wanted: int = 3, budget: int = 30, protocol: str = "corrected") -> Order:
    return Order(indexical, wanted, "test:scribe", protocol, budget, 0, out)


def verdicts(out: Path) -> list[str]:
    return [json.loads(line)["verdict"] for line in (out / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("indexical", FRAMES)
def test_what_a_good_writer_writes_becomes_sound_items(tmp_path: Path, indexical: str) -> None:
    written = write_with(asked(tmp_path, indexical, wanted=4), Scribe(indexical), lambda _: None)
    assert len(written.items) == 4
    assert [item.gender for item in written.items] == ["female", "male"] * 2
    items, _ = read_items(tmp_path / "items.jsonl", mend=True)
    assert tuple(items) == written.items
    assert [f for f in lint(read_questions(tmp_path / "items.jsonl")[0]) if f.is_error] == []
    for item in items:
        assert not [base for base in ("Andrew", "Chris", "Travis", "New York") if base in item.cells[0].passage]
        assert {cell.sentence_type: '"' in cell.sentence for cell in item.cells} == {
            "non-quoted": False,
            "quoted": True,
        }


BAD = {
    "": "nothing came back",
    "I would love to help!": "no stimulus_sentence",
    draft("here", 0).replace("wrong_context", "bad_context"): "no wrong_context",
    draft("here", 0) + "\n" + draft("here", 0): "stimulus_sentence stands 2 times",
    "Sure! " + draft("here", 0): "words before the first part",
    draft("here", 0) + "\n\nI hope that helps.\n\nBye": "words after the last part",
    draft("here", 0).replace("John", "Bob"): "the sentence lacks the name John",
    draft("here", 0).replace("There is room", "Olga has room"): "correct_context has another name, Olga",
    draft("here", 0).replace("from Los Angeles", "from home"): "wrong_context lacks the name Los Angeles",
    draft("here", 0).replace("that Chris wanted", "Chris wanted"): "the sentence does not report with a verb and that",
    draft("here", 0).replace("said that", 'said "that'): "the sentence has quotation marks",
    draft("here", 0).replace("room for it in New York", "room for it in Los Angeles"): "the two contexts are one",
}


@pytest.mark.parametrize(("reply", "verdict"), BAD.items(), ids=BAD.values())
def test_a_bad_draft_is_asked_again_and_the_reason_is_kept(tmp_path: Path, reply: str, verdict: str) -> None:
    scribe = Scribe("here", stimulus=[reply])
    written = write_with(asked(tmp_path), scribe, lambda _: None)
    assert len(written.items) == 3
    assert verdicts(tmp_path) == [verdict, *["kept"] * 6]
    first = json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])
    assert first["reply"] == reply  # raw, as it came


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("Where does Chris go?", "the question does not begin with"),
        ("According to the last sentence, where does Chris want to go", "the question does not end with"),
        ("", "nothing came back"),
        (question("here", 0) + "\nBye.", "more than one line"),
        ("According to the last sentence, where does Chris want to juggle?", "other-event: "),
        ("According to the last sentence, where does Chris want to tune old pianos with Bob?", "stranger: "),
    ],
)
def test_a_bad_question_costs_the_draft(tmp_path: Path, reply: str, verdict: str) -> None:
    written = write_with(asked(tmp_path), Scribe("here", asked=[reply]), lambda _: None)
    assert len(written.items) == 3
    assert verdicts(tmp_path)[1].startswith(verdict)
    assert verdicts(tmp_path).count("kept") == 7


def test_what_the_linter_refuses_and_what_was_there_before_is_not_kept(tmp_path: Path) -> None:
    told = draft("here", 0).replace("There is room", "Here is room")
    scribe = Scribe("here", stimulus=[told, draft("here", 0), draft("here", 0)], asked=[question("here", 0)] * 2)
    write_with(asked(tmp_path, wanted=1), scribe, lambda _: None)
    again = Scribe("here", stimulus=[draft("here", 0)])
    written = write_with(asked(tmp_path, wanted=2), again, lambda _: None)
    found = verdicts(tmp_path)
    assert found[1].startswith("indexical-in-context: ")
    assert "the event of item 1 again" in found
    assert len(written.items) == 2


def test_a_near_duplicate_with_another_event_is_dropped(tmp_path: Path) -> None:
    twin = draft("here", 0).replace("tune old pianos", "mend tired engines")
    scribe = Scribe("here", stimulus=[draft("here", 0), twin], asked=[question("here", 0)])
    scribe.wrong["question"].append("According to the last sentence, where does Chris want to mend tired engines?")
    scribe.place = 0
    written = write_with(asked(tmp_path, wanted=2), scribe, lambda _: None)
    assert [v for v in verdicts(tmp_path) if v.startswith("near-duplicate of here/001")]
    assert len(written.items) == 2


def test_the_example_of_the_instructions_is_no_new_item(tmp_path: Path) -> None:
    write_with(
        asked(tmp_path, wanted=1), Scribe("here", stimulus=[wording("here", "corrected").example]), lambda _: None
    )
    assert verdicts(tmp_path)[0] == "the event of the example again"


def test_the_budget_ends_it_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    scribe = Scribe("here", stimulus=["no"] * 3)
    few = write_with(asked(tmp_path, budget=4), scribe, lambda _: None)
    assert (len(few.items), len(few.steps), len(scribe.prompts)) == (0, 4, 4)
    kept = (tmp_path / "replies.jsonl").read_text()
    more = write_with(asked(tmp_path, budget=40), scribe, lambda _: None)
    assert len(more.items) == 3
    assert len(scribe.prompts) == len(more.steps)  # nothing was asked twice
    assert (tmp_path / "replies.jsonl").read_text().startswith(kept)


def test_asking_for_less_takes_nothing_away(tmp_path: Path) -> None:
    whole = write_with(asked(tmp_path), Scribe("here", stimulus=["no"]), lambda _: None)
    for order_ in (asked(tmp_path, wanted=1), asked(tmp_path, budget=2)):
        assert write_with(order_, Scribe("here"), lambda _: None) == whole
        assert len(read_items(tmp_path / "items.jsonl", mend=True)[0]) == 3
        assert len(verdicts(tmp_path)) == 7


def test_stopped_anywhere_it_goes_on_to_the_same_items(tmp_path: Path) -> None:
    """Whatever replies came before a stop, the items at the end are those of an uninterrupted writer."""
    whole = write_with(asked(tmp_path / "whole"), Scribe("here", stimulus=["no"]), lambda _: None)
    replies = (tmp_path / "whole" / "replies.jsonl").read_text().splitlines(keepends=True)
    for kept in range(len(replies)):
        folder = tmp_path / str(kept)
        folder.mkdir()
        (folder / "replies.jsonl").write_text("".join(replies[:kept]) + replies[kept][:20])  # and a cut line
        (folder / "replies.json").write_text((tmp_path / "whole" / "replies.json").read_text())
        scribe = Scribe("here", stimulus=["no"])
        list(scribe.respond([step.prompt for step in whole.steps[:kept]], AnswerMode.GENERATE))
        assert write_with(asked(folder), scribe, lambda _: None) == whole


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    class Interrupted(Scribe):
        def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
            if len(self.prompts) == 5:
                raise KeyboardInterrupt
            return super().respond(prompts, mode)

    with pytest.raises(KeyboardInterrupt):
        write_with(asked(tmp_path), Interrupted("here"), lambda _: None)
    assert len(read_items(tmp_path / "items.jsonl", mend=True)[0]) == 2
    assert (tmp_path / "replies.jsonl").read_text().count("\n") == 5


def test_a_participant_that_keeps_failing_ends_it_and_is_asked_again_next_time(tmp_path: Path) -> None:
    broken = Scribe("here", stimulus=[Response("", error="502")] * 3)
    with pytest.raises(Unfinished, match="failed 3 times in a row, last with '502'"):
        write_with(asked(tmp_path), broken, lambda _: None)
    assert verdicts(tmp_path)[:2] == ["errored: 502"] * 2
    assert len(write_with(asked(tmp_path), Scribe("here"), lambda _: None).items) == 3


def test_a_cut_reply_is_not_read(tmp_path: Path) -> None:
    cut = Response("", text=draft("here", 0), finish="length")
    write_with(asked(tmp_path, wanted=1), Scribe("here", stimulus=[cut]), lambda _: None)
    assert verdicts(tmp_path)[0].startswith("the reply was cut off")


def test_another_protocol_in_the_folder_is_refused(tmp_path: Path) -> None:
    write_with(asked(tmp_path, wanted=1), Scribe("here"), lambda _: None)
    with pytest.raises(SignatureError, match="protocol was 'corrected' and is now 'published'"):
        write_with(asked(tmp_path, wanted=1, protocol="published"), Scribe("here"), lambda _: None)


def test_requests_show_earlier_items_and_differ_by_protocol(tmp_path: Path) -> None:
    scribe = Scribe("here")
    write_with(asked(tmp_path), scribe, lambda _: None)
    assert wording("here", "corrected").example in scribe.prompts[0].user
    assert "open a small bakery" in scribe.prompts[4].user.split("Now write")[0]  # shown for the third
    assert "open a small bakery" in scribe.prompts[3].user  # its passages, for its question
    assert [prompt.temperature for prompt in scribe.prompts] == [1.0] * 6
    assert len({prompt.seed for prompt in scribe.prompts}) == 6


@pytest.mark.parametrize("indexical", FRAMES)
def test_the_papers_prompts_are_whole_and_ours_leave_no_gap(indexical: str) -> None:
    published, own = wording(indexical, "published"), wording(indexical, "corrected")
    for words in (published, own):
        assert words.stimulus.count("{previous_generations}") == words.question.count("{sentences}") == 1
        rest = words.stimulus.replace("{previous_generations}", "") + words.question.replace("{sentences}", "")
        assert not set("{}") & set(rest)
    assert published.stimulus.startswith("I would like you to help me create a stimulus for my project.")
    assert published.begins in published.stimulus
    assert "Provide only the question" in published.question
    assert (published.temperature, published.example) == (None, "")
    assert published.hash != own.hash
    read_draft(own.example, indexical, own)  # our example is what we ask for


def test_a_published_context_begins_as_the_paper_says() -> None:
    words = wording("here", "published")
    with pytest.raises(BadDraft, match=r"correct_context does not begin with 'Hi! I am Andrew"):
        read_draft(draft("here", 0), "here", words)
    sound = draft("here", 0).replace("Andrew writes from Los Angeles", f"{words.begins} I live")
    assert read_draft(sound, "here", words).contexts[0].startswith(words.begins)


def test_labels_may_be_decorated_and_lines_run_on() -> None:
    bold = draft("here", 0).replace("stimulus_sentence:", "**stimulus_sentence**:").replace("\n", " ")
    assert read_draft(bold, "here", wording("here", "corrected")).sentence.startswith("When I was")
    assert read_question(f'"{question("here", 0)}"', "here") == question("here", 0)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Chris thinks that I will win.", 'Chris thinks, "I will win."'),
        ("Chris said that I would win.", 'Chris said, "I will win."'),
        ("He said that evening that Chris wanted to go here.", 'He said that evening, "Chris wants to go here."'),
        (
            "When we spoke, John said that Chris was going to go tomorrow.",
            'When we spoke, John said, "Chris is going to go tomorrow."',
        ),
    ],
)
def test_quoting(told: str, said: str) -> None:
    assert quote(told) == said


def test_bad_orders_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    sound = {"indexical": "here", "wanted": 2, "participant": "gguf:smollm2", "protocol": "published", "budget": None}
    made = order(**sound, seed=0, out=None)  # type: ignore[arg-type]
    assert (made.budget, made.out) == (12, Path("written/here-gguf-smollm2-published"))
    for change, fault, words in (
        ({"indexical": "her"}, UsageError, "no indexical 'her'"),
        ({"protocol": "described"}, UsageError, "no protocol 'described'; there is corrected, published"),
        ({"wanted": 0}, UsageError, "-n 0 writes nothing"),
        ({"budget": 0}, UsageError, "--budget 0 asks nothing"),
        ({"threads": 0}, UsageError, "--threads 0 cannot work"),
        ({"participant": "strategy:oracle"}, ParticipantError, "writes no text"),
        ({"participant": "gguf:none.gguf"}, ParticipantError, "no file 'none.gguf'"),
    ):
        with pytest.raises(fault, match=words):
            order(**{**sound, **change}, seed=0, out=tmp_path)  # type: ignore[arg-type]
