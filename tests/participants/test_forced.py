"""Forced choice on a toy engine whose probabilities are known by hand."""

import math

import pytest

from deixis.participants.forced import Tokens, choose, question
from tests.participants.toy import END, Toy, uniform


def test_uniform_over_v_tokens_gives_minus_n_ln_v() -> None:
    engine = Toy(uniform(256))
    scores = choose(engine, question(engine, "who? ", ["Ida", "Nora"]))
    assert [s.tokens for s in scores] == [3, 4]
    assert [s.logprob for s in scores] == pytest.approx([-3 * math.log(256), -4 * math.log(256)])
    assert [s.mean for s in scores] == pytest.approx([-math.log(256)] * 2)


def test_the_likelier_option_scores_higher_and_rare_tokens_are_asked_for() -> None:
    def after(context: Tokens) -> dict[int, float]:
        return {ord("x"): 0.5, ord("y"): 0.3, ord("m"): 0.15, ord("z"): 0.05} if context[-1:] == (32,) else {101: 1.0}

    engine = Toy(after, likely=2)
    asked = question(engine, "it is ", ["me", "ze"])
    scores = choose(engine, asked)
    assert [s.logprob for s in scores] == pytest.approx([math.log(0.15), math.log(0.05)])
    assert [token for _, token in engine.asked] == [ord("m"), ord("z")]


def test_shared_first_tokens_are_evaluated_once() -> None:
    engine = Toy(uniform(256), likely=400)
    choose(engine, question(engine, "q ", ["New York", "New Ulm"]))
    assert len(engine.followed) == len(set(engine.followed))
    assert sum(context == engine.tokenise("q New ") for context in engine.followed) == 1


@pytest.mark.parametrize(("prompt", "options"), [("cup is ", ["mine", "yours"]), ("cup is", [" mine", " yours"])])
def test_boundaries_are_those_of_the_whole_text(prompt: str, options: list[str]) -> None:
    """A space that merges with the option is scored with it, wherever the caller put it."""
    engine = Toy(uniform(256), merges=(" m", " y"))
    asked = question(engine, prompt, options)
    assert asked.context == engine.tokenise("cup is")
    assert [len(path) for path in asked.paths] == [4, 5]
    assert choose(engine, asked)[0].logprob == pytest.approx(-4 * math.log(256))


def test_an_option_that_begins_another_is_scored_with_the_end() -> None:
    engine = Toy(uniform(256))
    asked = question(engine, "a ", ["Ann", "Anna"])
    assert [path[-1] for path in asked.paths] == [END, END]
    assert [s.tokens for s in choose(engine, asked)] == [4, 5]


def test_options_without_tokens_of_their_own_are_refused() -> None:
    engine = Toy(uniform(256))
    with pytest.raises(ValueError, match="no token of its own"):
        question(engine, "a ", ["", "b"])
    with pytest.raises(ValueError, match="same tokens"):
        question(engine, "a ", ["b", "b"])


def test_a_probability_of_nothing_is_an_error_and_never_a_choice() -> None:
    engine = Toy(lambda _context: {1: 1.0})
    with pytest.raises(ArithmeticError, match="-inf"):
        choose(engine, question(engine, "a ", ["b", "c"]))
