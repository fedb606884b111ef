"""Pages receive no card that their seat may not know, in whole games of every variant and option.

The messages are the server's own, made from the log. The cards that may be known are found without `view` and
`see`. `test_whole_games` checks the same over the socket, `test_spectators` for spectators,
`test_undo_secrecy` for undo, `test_thinking` for the time of answers.
"""

import json
import random
from collections.abc import Iterator

import pytest

from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import view
from fifteentwo.server.live import wire
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from tests.rules.observer import swapped, with_other_cards
from tests.rules.random_games import EVERY_RULES, rules_of
from tests.support.live_server import cards_in
from tests.support.spectator_logs import NAMES, rows
from tests.support.stored import known_after

A_DAY, ALL = 3, 10_000
BEFORE_THE_SHOW = (Phase.DISCARD, Phase.PLAY, Phase.CUT_STOCK, Phase.CLAIM)
WHOLE = 0.05
"""Probability that the whole table, with its sentences, is sent after a row too."""


def now(rules: Rules) -> wire.TableExtras:
    options = wire.TableOptions(Options().board, 0.0, None, "")
    return wire.TableExtras(
        (None,) * rules.seats, options, undo=False, hints=False, fallbacks=(), invitations=()
    )


def messages(ledger: Ledger, person: int, since: int, lang: str, *, whole: bool) -> Iterator[bytes]:
    """Return the messages that a page is sent after a row, as text."""
    rules = ledger.table.state.rules
    names = NAMES[: rules.seats]
    for v in range(since + 1, ledger.v + 1):
        yield wire.event_message(v, ledger.entry(v), person, lang, names, rules.sides)
    yield wire.view_message(ledger, person, now(rules))
    if whole:
        yield wire.table_message(ledger, person, lang, names, now(rules))


def mentioned(message: bytes, turned: set[str]) -> set[str]:
    """Return the cards of a message, except those drawn for the first deal, which everyone sees."""
    sent = json.loads(message)
    if sent["t"] != "event":
        drawn = {card for cards in sent["d"]["view"].pop("drawn") for card in cards}
        assert drawn <= turned
    if sent["t"] == "table":
        # Its sentences include the draws, in the words of the events.
        sent["d"].pop("sentences")
    return cards_in(json.dumps(sent, ensure_ascii=False))


def sends_nothing_hidden(number: int) -> tuple[int, int]:
    """Play one game; return how many messages were checked, and how many were compared."""
    rules, rng = rules_of(number), random.Random(number)
    lang = ("en", "ja")[number % 2]
    heard: list[tuple[int, int, bytes]] = []
    since, compared = 0, 0
    ledger = None
    for _, ledger in rows(rules, number):
        for person in range(rules.seats):
            whole = rng.random() < WHOLE
            some = list(messages(ledger, person, since, lang, whole=whole))
            heard += [(person, min(since + place, ledger.v), one) for place, one in enumerate(some, 1)]
            compared += _the_same_with_other_cards(ledger, person, some[-1], rng, whole=whole)
        since = ledger.v
    assert ledger is not None
    known = [known_after(ledger.entries, person) for person in range(rules.seats)]
    turned = {
        line.event.card.text  # type: ignore[union-attr]
        for line in ledger.entries
        if type(line.event).__name__ == "Drew"
    }
    cards_of: dict[bytes, set[str]] = {}
    for person, v, message in heard:
        if (cards := cards_of.get(message)) is None:
            cards = cards_of[message] = mentioned(message, turned)
        assert cards <= known[person][v], (number, person, v, cards - known[person][v], message)
    return len(heard), compared


def _the_same_with_other_cards(
    ledger: Ledger, person: int, sent: bytes, rng: random.Random, *, whole: bool
) -> int:
    """Check that the message is the same for other hidden cards; return 1, or 0 if that is impossible."""
    state, seat = ledger.table.state, ledger.seat_of(person)
    if state.phase not in BEFORE_THE_SHOW or state.shown:
        return 0
    seen = view(state, seat)
    known = {*seen.hand, *seen.discarded, *(card for _, card in seen.played)}
    known |= {card for hand in seen.open_hands for card in hand} | set(seen.open_crib)
    other = with_other_cards(state, swapped(known | ({seen.starter} if seen.starter else set()), rng))
    if view(other, seat) != seen:
        return 0
    ledger.table.state = other
    try:
        lang = "ja" if b'"lang":"ja"' in sent else "en"
        *_, again = messages(ledger, person, ledger.v, lang, whole=False)
        if not whole:
            assert again == sent, (person, seen)
    finally:
        ledger.table.state = state
    return not whole


def looked_at(numbers: range) -> None:
    messages = compared = 0
    for number in numbers:
        some, same = sends_nothing_hidden(number)
        messages, compared = messages + some, compared + same
    print(f"{len(numbers)} games: {messages} messages, {compared} the same with other cards")
    assert messages > 200 * len(numbers)
    assert compared > 50 * len(numbers)


def test_no_page_is_sent_a_card_its_seat_may_not_know() -> None:
    looked_at(range(A_DAY))


@pytest.mark.slow
def test_no_page_is_sent_a_card_its_seat_may_not_know_in_ten_thousand_games(
    subtests: pytest.Subtests,
) -> None:
    """The games have every combination of options."""
    for part in range(10):
        with subtests.test(part=part):
            some = range(part * ALL // 10, (part + 1) * ALL // 10)
            assert {rules_of(number) for number in range(ALL)} == set(EVERY_RULES)
            looked_at(some)
