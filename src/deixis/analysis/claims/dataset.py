"""The claim about the items themselves (Oğuz, Bakman and Yaldiz 2025, section 3.1), which only the items decide."""

from collections.abc import Mapping

from deixis.analysis.claims.claim import Claim, Finding, Verdict, only_untested, together, untested

FACTS = ("female", "male", "out of turn", "pairs", "pairs that differ otherwise", "damaged")
"""What must be known of a set of items: how many have female and male names; how many have the gender of the item
before them; pairs of non-quoted and quoted sentences, and those that differ in more than quotation; damaged items."""

CLAIMS = (
    Claim(
        "I15",
        "§3.1",
        "Half the samples have female names, half male, alternating; paired sentences differ in quotation alone; "
        "a quarter was checked by hand.",
        only_untested("needs the items themselves"),
    ),
)


def of_items(facts: Mapping[str, int]) -> Finding:
    """Judge the claim on facts computed from items, named as in :data:`FACTS`; that anyone checked them cannot be told.

    Untested where a fact is not given.
    """
    absent = [name for name in FACTS if name not in facts]
    if absent:
        return untested(f"needs of the items: {', '.join(absent)}")
    good = (
        abs(facts["female"] - facts["male"]) <= 1,
        facts["out of turn"] == 0,
        facts["pairs that differ otherwise"] == 0,
        facts["damaged"] == 0,
    )
    evidence = (
        f"{facts['female']} items with female and {facts['male']} with male names, {facts['out of turn']} with the "
        f"gender of the item before; {facts['pairs that differ otherwise']} of {facts['pairs']} pairs differ in more "
        f"than quotation; {facts['damaged']} items damaged"
    )
    return Finding(together(Verdict.HOLDS if one else Verdict.FAILS for one in good), evidence)
