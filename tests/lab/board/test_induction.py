"""Deals in bulk against the rules engine, and board values against the same deals one by one."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from fifteentwo.analysis.win.shows import hand_points
from fifteentwo.contest.table import Table
from fifteentwo.fast import discards, hands, layout
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.show import rank_points
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.variants import rules_for
from fifteentwo.strategy.discards import discard_frequencies
from lab.board import board_ends, deal_choices, deal_counts, deal_kernels, induction
from lab.board import deal as deal_policies
from lab.board.deal import DiscardValues, Played, Tally, best_discards, play_deals
from lab.board.win_by_ranks import SUIT_POINTS

KINDS = {
    deal_kernels.HEELS: PeggedFor.HEELS,
    deal_kernels.CARD: PeggedFor.PLAY,
    deal_kernels.LAST_CARD: PeggedFor.LAST_CARD,
    deal_kernels.HAND: PeggedFor.HAND,
    deal_kernels.CRIB: PeggedFor.CRIB,
}


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the kernels as plain Python, because compiling takes longer than these few deals."""
    monkeypatch.setattr(deal_policies, "compiled", import_module)
    monkeypatch.setattr(layout, "has_numba", lambda: False)
    monkeypatch.setattr(board_ends, "compiled", import_module)
    monkeypatch.setattr(deal_counts, "compiled", import_module)


def play_by_book(dealt: Any) -> Played:
    known = deal_counts.strategies()
    chance = np.random.default_rng(5)
    return play_deals(dealt, known.policies(), chance, known.discard(dealt, chance))


def story(row: Any) -> list[tuple[int, PeggedFor, int]]:
    """Return the events of a deal as (side, reason, points)."""
    return [
        (int(event) & 1, KINDS[int(event) >> 1 & 7], int(event) >> 4 & 63)
        for event in row[: list(row).index(0)]
    ]


def by_the_rules(cards: Any, option: Any, ranks: Any) -> list[tuple[int, PeggedFor, int]]:
    """Play the same deal at a table with the pone at seat 0; return all points."""
    pone, dealer = ([int(c) for c in cards[:6]], [int(c) for c in cards[6:12]])
    order = [card for pair in zip(pone, dealer, strict=True) for card in pair] + [int(cards[12])]
    order += [card for card in range(52) if card not in order]
    deck = tuple(DECK[card] for card in order)
    rules = rules_for("six-card", first_dealer="named", starter="top", cut_before_deal=False)
    table = Table(rules, lambda _: deck, named=True)
    table.adopt(table.name_dealer(1))
    for seat, held in enumerate((pone, dealer)):
        held.sort()
        discarded = (held[option[seat] // 6], held[option[seat] % 6])
        table.submit(seat, Discard(seat, tuple(DECK[card] for card in discarded)))
    for rank in ranks:
        (seat,) = table.waiting
        hand: tuple[Card, ...] = table.state.hands[seat]
        card = next(
            card
            for card in hand
            if card.index >> 2 == rank and card not in [c for _, c in table.state.played]
        )
        table.submit(seat, Play(seat, card))
    pegged = [event for event in table.events if isinstance(event, Pegged) and event.points]
    return [(event.seat, event.reason, event.points) for event in pegged]


def test_every_point_of_a_deal_is_scored_by_the_rules() -> None:
    dealt = random_deals(60, 13, 11)
    # Many fives and jacks make heels, nobs and long counts.
    dealt = np.concatenate([dealt, crowded(60, 12)])
    played = play_by_book(dealt)
    kinds = set()
    for n, cards in enumerate(dealt):
        bulk = story(played.events[n])
        assert bulk == by_the_rules(cards, played.options[n], played.ranks[n])
        kinds |= {kind for _, kind, _ in bulk}
    assert kinds == set(KINDS.values())


def crowded(number: int, seed: int) -> Any:
    chance = np.random.default_rng(seed)
    few = np.array([card for card in range(52) if card >> 2 in (0, 1, 2, 3, 4, 10)], np.uint8)
    return np.stack([chance.permutation(few)[:13] for _ in range(number)])


def test_the_solved_strategies_play_by_the_rules_and_by_their_tables() -> None:
    known = deal_counts.strategies()
    chance = np.random.default_rng(3)
    dealt = random_deals(40, 13, chance)
    options = known.discard(dealt, chance)
    played = play_deals(dealt, known.policies(), 5, options)
    for n, cards in enumerate(dealt):
        assert story(played.events[n]) == by_the_rules(cards, played.options[n], played.ranks[n])
        for side, role in enumerate(("pone", "dealer")):
            six = sorted(int(card) for card in cards[6 * side : 6 * side + 6])
            pair = {DECK[six[options[n, side] // 6]], DECK[six[options[n, side] % 6]]}
            often = discard_frequencies([DECK[card] for card in six], "pone" if role == "pone" else "dealer")
            assert pair in [set(two) for two, probability in often.items() if probability > 0]


def test_discarding_to_win_takes_the_hand_most_likely_to_score_enough() -> None:
    """A hand is worth 1 if it scores at least nine points, otherwise 0."""
    dealt = np.concatenate([random_deals(30, 13, 21), one_suit(30, 22)])
    need = 9
    made = hand_points().T
    by_ranks = np.repeat((made >= need)[:, None], 91, axis=1).astype(np.float32)
    more = [(made + added >= need) & (made < need) for added in SUIT_POINTS]
    by_suit = np.stack([*more, np.zeros_like(more[0])], axis=1).astype(np.float32)
    options = np.zeros((len(dealt), 2), np.int8)
    for side in range(2):
        best_discards(dealt, DiscardValues(by_ranks, by_suit), side, options)
        six = np.sort(dealt[:, 6 * side : 6 * side + 6], axis=1)
        likely = discards.kept_counts(six)[..., need:].sum(axis=2)
        discarded = [(one, two) for one in range(6) for two in range(one + 1, 6)]
        chosen = [discarded.index((int(o) // 6, int(o) % 6)) for o in options[:, side]]
        assert (likely[np.arange(len(six)), chosen] == likely.max(axis=1)).all()


def test_nobs_in_the_crib_needs_the_starters_suit() -> None:
    """A discard is worth 1 if one of its jacks has the starter's suit."""
    six = np.array([0, 4, 8, 40, 41, 50], np.uint8)
    dealt = np.concatenate([six, np.arange(20, 27, dtype=np.uint8)])[None]
    by_suit = np.zeros((1820, 5, 13), np.float32)
    by_suit[:, deal_choices.CRIB_NOBS] = 1.0
    options = np.zeros((1, 2), np.int8)
    best_discards(dealt, DiscardValues(np.zeros((1820, 91, 13), np.float32), by_suit), 0, options)
    # The best discard is both jacks, because no starter has both suits.
    assert int(options[0, 0]) == 3 * 6 + 4


def one_suit(number: int, seed: int) -> Any:
    chance = np.random.default_rng(seed)
    few = np.array([card for card in range(52) if card & 3 < 2], np.uint8)
    return np.stack([chance.permutation(few)[:13] for _ in range(number)])


def counts_of(played: Played) -> Tally:
    tally = deal_policies.empty_tally()
    deal_policies.add_deals(tally, played)
    return tally


@pytest.mark.parametrize("cell", [(0, 0), (95, 60), (118, 97), (101, 119), (120, 120)])
def test_a_board_from_counts_is_the_mean_of_its_deals(cell: tuple[int, int]) -> None:
    played = play_by_book(random_deals(150, 13, 31))
    net = np.random.default_rng(1).uniform(-2, 2, (3, 121, 121))
    pays = induction.loser_pays()
    one_by_one = np.zeros((150, 3))
    deal_kernels.outcomes(played.events, *cell, net, pays, one_by_one)
    counted = induction.DealProbabilities([counts_of(played)]).value(cell, net[None], pays)[0]
    assert counted == pytest.approx(one_by_one.mean(axis=0), abs=1e-9)


def test_the_pone_counts_first() -> None:
    # The pone needs 4 and shows 4; the dealer needs 1 and shows 8.
    events = np.zeros((1, deal_kernels.MAX_EVENTS), np.int16)
    events[0, :2] = (4 << 4 | deal_kernels.HAND << 1, 8 << 4 | deal_kernels.HAND << 1 | 1)
    made = np.zeros((1, 3))
    deal_kernels.outcomes(events, 120, 117, np.zeros((3, 121, 121)), induction.loser_pays(), made)
    assert made.tolist() == [[-1, -1, -1]]


@pytest.mark.slow
def test_compiled_kernels_play_the_same_deals_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = random_deals(300, 13, 41)
    plain = play_by_book(dealt)
    monkeypatch.undo()
    fast = play_by_book(dealt)
    for name in Played._fields:
        assert np.array_equal(getattr(plain, name), getattr(fast, name)), name


def test_kept_hands_have_the_solvers_numbers() -> None:
    digits = hands.FOURS @ 13 ** np.arange(3, -1, -1)
    assert (hands.number_by_digits(4)[digits] == np.arange(1820)).all()
    assert rank_points(5).shape == (13**5,)
