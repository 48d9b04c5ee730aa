"""A plan in words and as CSV: a line a condition, sums, assumptions, costs and hours."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from deixis.participants.registry import Setting, abilities, is_model, is_reference
from deixis.runs.costs import Bill
from deixis.runs.counting import LETTERS, MARGIN, Count, total
from deixis.runs.planning import Plan, bills


def csv_lines(planned: Plan, found: Iterable[Count]) -> Iterator[str]:
    """Yield CSV: one row a condition and participant. Conditions share pictures, so their numbers do not add up."""
    yield ",".join(COLUMNS)
    made = bills(planned)
    for count in found:
        begun = [count.experiment, count.condition, planned.setup.protocol, count.trials, len(count.pictures)]
        begun += [count.sent, count.text_tokens, count.output_tokens]
        hours = _hours(count, planned)
        for billed in [_billed(bill, count, hours) for bill in made] or [[f"{hours:.4f}", *[""] * 4]]:
            yield _record([*begun, *billed])


COLUMNS = (
    *("experiment", "condition", "protocol", "trials", "pictures", "pictures_sent", "text_tokens", "output_tokens"),
    *("hours", "participant", "picture_tokens", "input_tokens", "cost_usd"),
)
"""The columns of the CSV; cost and tokens that are not known are empty."""


def _billed(bill: Bill, count: Count, hours: float) -> Sequence[object]:
    cost = bill.cost(count)
    dollars = None if cost is None else f"{cost:.6f}"
    taken = f"{hours if is_model(bill.participant) else 0:.4f}"
    found = [taken, bill.participant, bill.picture_tokens, bill.input_tokens(count), dollars]
    return ["" if value is None else value for value in found]


def _record(values: Iterable[object]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(values)
    return buffer.getvalue()


def text_lines(planned: Plan, found: Iterable[Count]) -> Iterator[str]:
    """Yield the table for reading, a line a condition as it is counted, then sums, assumptions, costs and hours."""
    yield planned.about
    yield _row("experiment", "condition", "trials", "pictures", "sent", "text tokens in", "tokens out")
    held = []
    for count in found:
        held.append(count)
        yield _numbers(count, count.experiment, count.condition)
    whole = total(held)
    yield _numbers(whole, "total", "")
    yield from _assumptions(planned, held, whole)
    made = bills(planned)
    yield from (_bill_line(planned, bill, whole) for bill in made)
    if not made:
        yield f"{_time(whole, planned)}; -p NAME, such as -p openai/gpt-4o, adds what a model costs"


def _assumptions(planned: Plan, held: Sequence[Count], whole: Count) -> Iterator[str]:
    used = ", ".join(f"{LETTERS[name]:.2f} ({name})" for name in dict.fromkeys(count.experiment for count in held))
    yield f"estimated: letters a token {used}; an answer is an option and {MARGIN} tokens"
    long = ", ".join(dict.fromkeys(count.condition for count in held if count.long_tokens))
    if long:
        yield f"assumed: {long} explained at half the length allowed, {whole.long_tokens:,} of the tokens out"
    if planned.picture_tokens is not None and whole.sent:
        added = whole.sent * planned.picture_tokens
        yield f"pictures sent, at {planned.picture_tokens:,} tokens each: {added:,} more tokens in"
    elif whole.sent:
        yield "pictures sent add tokens in, how many depends on the model"


def _bill_line(planned: Plan, bill: Bill, whole: Count) -> str:
    if is_reference(bill.participant):
        return f"{bill.participant}: costs nothing, answers all trials at once"
    if not is_model(bill.participant):
        return f"{bill.participant}: costs nothing, each answers the trials of one list at once"
    if bill.here:
        kind = bill.participant.partition(":")[0]
        blind = kind == "gguf" and whole.sent > 0 and not abilities(bill.participant, Setting()).pictures
        told = "; it sees no pictures and cannot be asked these" if blind else ""
        return f"{bill.participant}: costs nothing, it runs here; {_time(whole, planned)}{told}"
    cost, tokens = bill.cost(whole), bill.input_tokens(whole)
    if bill.price is None or cost is None or tokens is None:
        missing = [
            *(["its price (--price IN,OUT)"] if bill.price is None else []),
            *(["its tokens a picture (--picture-tokens N)"] if tokens is None else []),
        ]
        return f"{bill.participant}: cost unknown, give {' and '.join(missing)}; {_time(whole, planned)}"
    each = f", {bill.picture_tokens:,} a picture" if whole.sent else ""
    read = f"{tokens:,} tokens in{each}, at ${bill.price.input:g}"
    written = f"{whole.output_tokens:,} out at ${bill.price.output:g} a million"
    return (
        f"{bill.participant}: {_dollars(cost)} for {read}, and {written} ({bill.price.source}); {_time(whole, planned)}"
    )


def _dollars(cost: float) -> str:
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}"


def _hours(count: Count, planned: Plan) -> float:
    return count.trials / planned.rate / 60


def _time(count: Count, planned: Plan) -> str:
    hours = _hours(count, planned)
    told = f"{hours:.1f} hours" if hours >= 1 else f"{hours * 60:.1f} minutes"
    return f"{told} at {planned.rate:g} trials a minute"


def _numbers(count: Count, name: str, condition: str) -> str:
    shown = (count.trials, len(count.pictures), count.sent, count.text_tokens, count.output_tokens)
    return _row(name, condition, *(f"{number:,}" for number in shown))


def _row(name: str, condition: str, *numbers: str) -> str:
    widths = (9, 9, 9, 15, 11)
    told = "  ".join(number.rjust(width) for number, width in zip(numbers, widths, strict=True))
    return f"{name:<14} {condition:<22} {told}"
