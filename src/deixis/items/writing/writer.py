"""The writer: ask for a stimulus, ask for its question, build the item, keep it if it is sound, else ask again."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from deixis.errors import Unfinished
from deixis.items.lint.sets import alike, fingerprint
from deixis.items.lint.words import content, stems
from deixis.items.questions import of_item
from deixis.items.quotation import parts
from deixis.items.writing.assembly import assemble, check
from deixis.items.writing.drafts import BadDraft, Draft, read_draft, read_question
from deixis.items.writing.frames import BASE_NAMES, Wording, wording
from deixis.records import Item, Prompt, Response
from deixis.seeds import derived

Ask = Callable[[Prompt], Response]
"""Puts a prompt to the participant, or finds the reply that came before."""

_SHOWN = 5
"""How many earlier items a request shows."""
_ERRORS = 3
"""After so many errors in a row the participant is taken to be gone."""
_LONGEST = 700


@dataclass(frozen=True, slots=True)
class Step:
    """One request and what became of it."""

    prompt: Prompt
    """What was asked."""
    reply: Response
    """What came back, raw."""
    verdict: str
    """``kept``, or why it was not."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a writer came to."""

    items: tuple[Item, ...]
    """The items kept."""
    steps: tuple[Step, ...]
    """Every request, in order."""


class Writer:
    """Writes items about one indexical with one participant. The same replies give the same items."""

    def __init__(self, indexical: str, protocol: str, seed: int, ask: Ask, told: Callable[[str], None]) -> None:
        self._indexical = indexical
        self._wording: Wording = wording(indexical, protocol)
        self._seed = seed
        self._ask = ask
        self._told = told
        self._drafts: list[Draft] = []
        self._items: list[Item] = []
        self._steps: list[Step] = []

    def write(self, wanted: int, budget: int, known: int = 0) -> Written:
        """Ask until there are ``wanted`` items or ``budget`` requests are spent; at least ``known``, replied before.

        Raises :class:`Unfinished` where the participant fails several times in a row.
        """
        budget = max(budget, known)
        while len(self._steps) < (budget if len(self._items) < wanted else known):
            self._attempt(budget)
        return self.so_far

    @property
    def so_far(self) -> Written:
        """What there is, also after an interruption."""
        return Written(tuple(self._items), tuple(self._steps))

    def _attempt(self, budget: int) -> None:
        text = self._wording.stimulus.replace("{previous_generations}", self._earlier())
        reply = self._request("stimulus", text)
        try:
            draft = read_draft(_text(reply), self._indexical, self._wording)
            self._check_event(draft)
        except BadDraft as fault:
            self._judge(str(fault))
            return
        self._judge("kept")
        if len(self._steps) < budget:
            self._finish(draft)

    def _finish(self, draft: Draft) -> None:
        passages = "\n\n".join(draft.passages)
        reply = self._request("question", self._wording.question.replace("{sentences}", passages))
        try:
            question = read_question(_text(reply), self._indexical)
            item = assemble(draft, question, self._indexical, len(self._items) + 1, self._seed)
            check(item)
            self._check_new(item)
        except BadDraft as fault:
            self._judge(str(fault))
            return
        self._drafts.append(draft)
        self._items.append(item)
        self._judge("kept")

    def _request(self, kind: str, text: str) -> Response:
        name = f"{self._indexical}/{kind}/{len(self._steps) + 1:04d}"
        prompt = Prompt(
            trial_id=name,
            system="",
            user=text,
            options=(),
            temperature=self._wording.temperature,
            max_tokens=_LONGEST,
            seed=derived(self._seed, name) & 0x7FFFFFFF,
        )
        reply = self._ask(prompt)
        self._steps.append(Step(prompt, reply, ""))
        last = [step.reply.error for step in self._steps[-_ERRORS:]]
        if len(last) == _ERRORS and all(last):
            raise Unfinished(
                f"the participant failed {_ERRORS} times in a row, last with {last[-1]!r}; run again later"
            )
        return reply

    def _judge(self, verdict: str) -> None:
        self._steps[-1] = replace(self._steps[-1], verdict=verdict)
        self._told(f"{self._steps[-1].prompt.trial_id}: {verdict} ({len(self._items)} items)")

    def _earlier(self) -> str:
        labels = self._wording.fields
        shown = [
            "\n".join(f"{label}: {text}" for label, text in zip(labels, (d.sentence, *d.contexts), strict=True))
            for d in self._drafts[-_SHOWN:]
        ]
        return "\n\n".join(shown) or self._wording.example

    def _check_event(self, draft: Draft) -> None:
        event = _event(draft)
        for number, other in enumerate(self._drafts, start=1):
            if event == _event(other):
                raise BadDraft(f"the event of item {number} again")
        if self._wording.example and event == _event(read_draft(self._wording.example, self._indexical, self._wording)):
            raise BadDraft("the event of the example again")

    def _check_new(self, item: Item) -> None:
        prints = [fingerprint(of_item(one)[0]) for one in (*self._items, item)]
        for one, other, share in alike(prints):
            if other == len(self._items):
                raise BadDraft(f"near-duplicate of {self._items[one].id}: {share:.0%} of its word triples")


def _event(draft: Draft) -> set[str]:
    _, clause, _ = parts(draft.sentence)
    return stems(content(clause, BASE_NAMES))


def _text(reply: Response) -> str:
    if reply.error is not None:
        raise BadDraft(f"errored: {reply.error}")
    text = (reply.text or "").strip()
    if not text:
        raise BadDraft("nothing came back")
    if reply.finish == "length":
        raise BadDraft("the reply was cut off at the limit of its length")
    return text
