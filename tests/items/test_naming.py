"""Names are whole words and change all at once."""

from deixis.items.naming import female_pronouns, mentions, rename


def test_mentions_are_whole_words() -> None:
    assert mentions("Ann met Anna, Ann's sister. Ann.", "Ann") == [3, 17, 31]
    assert mentions("the Anns", "Ann") == []


def test_no_replacement_is_replaced_again() -> None:
    assert rename("Chris met Christina.", {"Chris": "Lena", "Lena": "Chris"}) == "Lena met Christina."
    assert rename("Andrew and Chris", {"Andrew": "Chris", "Chris": "Andrew"}) == "Chris and Andrew"
    assert rename("in New York, York", {"York": "Ulm", "New York": "Bonn"}) == "in Bonn, Ulm"


def test_pronouns_keep_their_capital() -> None:
    assert female_pronouns("He's sure his cat likes him, he himself said.") == (
        "She's sure her cat likes her, she herself said."
    )
    assert female_pronouns("This is here for them.") == "This is here for them."
