"""An entry of the Book as its page shows it."""

from fifteentwo.rules.cards import cards
from fifteentwo.server.study.book import compute_entry, entry_page


def test_charts_show_the_chosen_discard_or_the_best() -> None:
    found = compute_entry(cards("5H 5S 6D 7C JC KD"), True, (0, 0))
    shown = entry_page(found, True, ())
    assert shown.chosen == shown.rows[0]
    third = shown.rows[2]
    assert entry_page(found, True, third.choice.discard[::-1]).chosen == third
    # Cards that are not in the hand cannot be discarded.
    assert entry_page(found, True, cards("AH 2H")).chosen == shown.rows[0]
