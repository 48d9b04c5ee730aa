"""Names are whole words and change all at once."""

from deixis.items.naming import female_pronouns, mentions, rename, same_answer


def test_mentions_are_whole_words() -> None:
    assert mentions("Ann met Anna, Ann's sister. Ann.", "Ann") == [3, 17, 31]
    assert mentions("the Anns", "Ann") == []


def test_options_that_are_one_answer() -> None:
    assert same_answer("Bob", " bob. ")
    assert same_answer("New  York", "New York")
    assert not same_answer("Ann", "Anna")


def test_no_replacement_is_replaced_again() -> None:
    assert rename("Chris met Christina.", {"Chris": "Lena", "Lena": "Chris"}) == "Lena met Christina."
    assert rename("Andrew and Chris", {"Andrew": "Chris", "Chris": "Andrew"}) == "Chris and Andrew"
    assert rename("in New York, York", {"York": "Ulm", "New York": "Bonn"}) == "in Bonn, Ulm"


def test_pronouns_keep_their_capital() -> None:
    assert female_pronouns("He's sure his cat likes him, he himself said.") == (
        "She's sure her cat likes her, she herself said."
    )
    assert female_pronouns("HE won, and the choice was his. His!") == "SHE won, and the choice was hers. Hers!"
    assert female_pronouns("This is here for them.") == "This is here for them."
