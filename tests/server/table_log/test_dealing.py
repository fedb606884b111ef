"""Fair dealing: seeds committed to before the first card, uniform decks, and verifiable records."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import count, product

import msgspec
import pytest

from fifteentwo.rules.actions import Deal
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.record import Record
from fifteentwo.server.errors import DealingRefuted
from fifteentwo.server.table_log import dealing
from fifteentwo.server.table_log.dealing import commitment_to, decks_of_secret, shuffled
from fifteentwo.server.table_log.proofs import verify_dealing
from tests.dealing.games import played
from tests.support.live_server import Person

RANKS, SUITS = "A23456789TJQK", "SHDC"
SECRET = bytes(range(32))


def deck_as_documented(secret: bytes, name: str) -> list[str]:
    """Return a deck as docs/dealing.md, "From one secret", describes it, like another program would."""

    def stream() -> Iterator[int]:
        for block in count():
            yield from hmac.new(secret, f"{name}/{block}".encode(), hashlib.sha256).digest()

    numbers = stream()
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    for last in reversed(range(1, 52)):
        while True:
            number = next(numbers)
            if number < (256 // (last + 1)) * (last + 1):
                break
        chosen = number % (last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck


def test_decks_are_as_documented(subtests: pytest.Subtests) -> None:
    for name in ["draw-1", "deal-1", "deal-2", "deal-37"]:
        with subtests.test(name=name):
            assert [card.text for card in decks_of_secret(SECRET)(name)] == deck_as_documented(SECRET, name)
            assert commitment_to(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_documented_example_is_correct() -> None:
    first = [card.text for card in decks_of_secret(SECRET)("deal-1")[:6]]
    from pathlib import Path

    document = (Path(__file__).parents[3] / "docs" / "dealing.md").read_text(encoding="utf-8")
    assert " ".join(first) in document


def test_every_order_of_the_deck_is_equally_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 4 cards, the pairs of first bytes lead equally often to each of the 24 orders."""
    monkeypatch.setattr(dealing, "DECK", DECK[:4])
    orders: Counter[tuple[Card, ...]] = Counter()
    for four, three, two in product(range(0, 256, 1), range(0, 255, 17), range(2)):
        orders[shuffled(iter([four, three, two]))] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {256 * 15 * 2 // 24}


def test_byte_above_the_bound_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "DECK", DECK[:3])
    assert shuffled(iter([255, 2, 1])) == shuffled(iter([2, 1]))
    assert shuffled(iter([254, 1])) == shuffled(iter([2, 1]))


def test_cards_are_uniform_over_places() -> None:
    decks = decks_of_secret(SECRET)
    places = [Counter[Card]() for _ in range(52)]
    deals = 3000
    for deal in range(deals):
        for place, card in zip(places, decks(f"deal-{deal}"), strict=True):
            place[card] += 1
    expected = deals / 52
    chi = sum((place[card] - expected) ** 2 / expected for place in places for card in DECK)
    # 51 × 51 degrees of freedom: mean 2,601, standard deviation 72; the secret is fixed.
    assert abs(chi - 2601) < 5 * 72


def refuted(record: Record) -> tuple[str, int | None]:
    with pytest.raises(DealingRefuted) as error:
        verify_dealing(record)
    return error.value.code, error.value.action


def test_dishonest_records_are_refuted() -> None:
    honest = played(0)
    change = msgspec.structs.replace
    assert refuted(change(honest, commitment="")) == ("nothing-committed", None)
    assert refuted(change(honest, committed=())) == ("nothing-committed", None)
    assert refuted(change(honest, seeds=("00" * 32, ""))) == ("seed-broken", None)
    assert refuted(change(honest, seeds=("no hex", ""))) == ("seed-broken", None)
    assert refuted(change(honest, links=())) == ("link-missing", None)
    assert refuted(change(honest, links=("no hex", *honest.links[1:]))) == ("commitment-broken", None)
    assert refuted(change(honest, commitment=commitment_to(b"other"))) == ("commitment-broken", None)
    assert refuted(change(honest, commitment="約束")) == ("commitment-broken", None)
    place = next(place for place, action in enumerate(honest.actions) if isinstance(action, Deal))
    deal = honest.actions[place]
    assert isinstance(deal, Deal)
    swapped = Deal((deal.cards[1], deal.cards[0], *deal.cards[2:]))
    actions = (*honest.actions[:place], swapped)
    assert refuted(change(honest, actions=actions)) == ("not-as-committed", place + 1)


def test_every_seat_receives_the_commitment_before_the_first_draw(aiko: Person) -> None:
    game = aiko.new_game()
    with aiko.open(game, v="none") as page:
        page.until("waiting")
        assert len(page.table["commitment"]) == 64
        assert aiko.browser.get(f"/game/{game}/record").status_code == 409
        assert "secret" not in page.heard[0]
