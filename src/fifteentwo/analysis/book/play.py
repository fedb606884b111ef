"""A position of pegging in the Book: dealt cards, two discards, starter, cards played, every next card.

    asked = Asked(dealt=…, dealer=False, board=(110, 116), discard=cards("6D 7C"), starter=Card("4S"))
    position(asked).options[0]

The owner of a card shows who played it; goes follow from the rules (R54). The other side's remaining cards
are unknown and not needed: ten-cards take their place, because they fit most rarely.
"""

from typing import Any, Literal

import msgspec
import numpy as np

from fifteentwo.analysis.book.entry import in_order, joined, key_of, rules_of
from fifteentwo.analysis.pegging.beliefs import book_frequencies
from fifteentwo.analysis.pegging.five_card import play_frequencies
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.analysis.pegging.one_count import OneCount
from fifteentwo.analysis.win.model import JSON_DECIMALS, NetPoints, WinProbability
from fifteentwo.fast.hands import copies
from fifteentwo.fast.play import LIMIT
from fifteentwo.rules.actions import Deal, Discard, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card, show_text
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import Shown
from fifteentwo.rules.game import decide, step
from fifteentwo.rules.pegging import playable
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD
from fifteentwo.rules.view import View, view

OWN, OTHER = 0, 1
"""Seats of both sides in the reconstructed game."""
_RULES_BY_DEALT = {
    rules.dealt: msgspec.structs.replace(rules, first_dealer="named", cut_before_deal=False, starter="top")
    for rules in (SIX_CARD, FIVE_CARD)
}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that describe a position of pegging; its address contains them."""

    dealt: tuple[Card, ...]
    """Six cards, or five in five-card cribbage."""
    dealer: bool
    """Whether the own side deals."""
    board: tuple[int, int]
    """The own and the other side's score before the deal."""
    discard: tuple[Card, ...]
    """The own discards."""
    starter: Card
    played: tuple[Card, ...] = ()
    """Cards of both sides in the order of play."""


class CardValue(msgspec.Struct, frozen=True, kw_only=True):
    """One card that can be played now, and its value."""

    card: Card
    win: WinProbability
    points: NetPoints
    """Net pegging points from this card to the end of pegging."""
    frequency: float
    """Probability (0–1) with which the stored equilibrium plays this rank from this hand."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A position of pegging in the Book, and the value of every card that can be played."""

    asked: Asked
    """The cards that describe the position."""
    turn: Literal["own", "other", "over"]
    """The side on turn; "over" if the own hand is played or the game is won."""
    score: tuple[int, int]
    """The own and the other side's score now."""
    count: int
    played: tuple[tuple[bool, Card], ...]
    """Every card played, and whether the own side played it."""
    cleared: tuple[int, ...]
    """For each finished count, the number of cards played when it ended."""
    hand: tuple[Card, ...]
    """Own cards that are not yet played."""
    went_go: bool
    """Whether the other side, after the last card, must have said go or played one of `might_play`."""
    might_play: tuple[Card, ...]
    """Unseen cards that the other side could play next, or could have played before it said go."""
    options: tuple[CardValue, ...]
    """The values of the own cards that can be played, best first; one card of each rank."""
    holds: tuple[float, ...]
    """(13,) probabilities that the other side holds each rank, ace to king; empty if not own turn."""


def position(asked: Asked) -> Position:
    """Return a position of pegging and, if the own side is on turn, the value of every card.

    A lead takes 60 ms, later cards a tenth; without compiled kernels ten times as long.

    Raises:
        NotationError: these are not the cards of a deal.
        IllegalAction: a card breaks the rules.
    """
    _check(asked)
    state, before, ended = _played(asked)
    over = ended or not state.hands[OWN]
    turn: Literal["own", "other", "over"] = "over" if over else "own" if state.turn == OWN else "other"
    went_go = _went_go(asked, state, before)
    might: tuple[Card, ...] = ()
    if turn == "other" or went_go:
        might = _might_play(asked, before.count + asked.played[-1].value if went_go else state.count)
    options, holds = _options(view(state, OWN)) if turn == "own" else ((), ())
    return Position(
        asked=asked,
        turn=turn,
        score=(state.front[OWN], state.front[OTHER]),
        count=state.count,
        played=tuple([(card in asked.dealt, card) for card in asked.played]),
        cleared=state.count_ends,
        hand=in_order(state.hands[OWN]),
        went_go=went_go and bool(might),
        might_play=might,
        options=options,
        holds=holds,
    )


def _went_go(asked: Asked, state: State, before: State) -> bool:
    """Return whether the other side has said go after the last card, which is an own card."""
    if not asked.played or asked.played[-1] not in asked.dealt or OTHER in before.said_go:
        return False
    if not state.hands[OWN] or state.won is not None:
        return False
    if state.rules.one_count and state.count_ends:
        # Neither side can play, so the only count is over (R102).
        return before.count + asked.played[-1].value < LIMIT
    return state.turn == OWN and OTHER in state.said_go


def address(asked: Asked) -> str:
    """Return the address of a position: dealt cards, discards, starter and cards played."""
    role = "dealer" if asked.dealer else "pone"
    parts = [joined(in_order(asked.dealt)), role, f"{asked.board[0]}-{asked.board[1]}"]
    parts += [joined(in_order(asked.discard)), asked.starter.text]
    return "/book/" + "/".join(parts + ([joined(asked.played)] if asked.played else []))


def _check(asked: Asked) -> None:
    """Raise NotationError unless all cards are different and two of the dealt ones are discarded."""
    known = (*asked.dealt, asked.starter, *[card for card in asked.played if card not in asked.dealt])
    twice = next((card for place, card in enumerate(known) if card in known[:place]), None)
    again = next((card for place, card in enumerate(asked.played) if card in asked.played[:place]), None)
    if twice or again:
        raise NotationError("card-twice", str(twice or again))
    if len(asked.discard) != 2 or not {*asked.discard} <= {*asked.dealt}:
        raise NotationError("not-discarded", show_text(asked.discard))
    for card in asked.played:
        if card in asked.discard:
            raise NotationError("played-and-discarded", card.text)
    if sum([card not in asked.dealt for card in asked.played]) > rules_of(asked.dealt).kept:
        raise NotationError(
            "more-than-four", show_text([card for card in asked.played if card not in asked.dealt])
        )


def _played(asked: Asked) -> tuple[State, State, bool]:
    """Return the state after the cards played, the state before the last one, and whether pegging is over."""
    theirs = [card for card in asked.played if card not in asked.dealt]
    unseen = [card for card in DECK if card not in (*asked.dealt, *theirs, asked.starter)]
    # Kings first, because they fit most rarely.
    rules = _RULES_BY_DEALT[len(asked.dealt)]
    hand = (theirs + unseen[::-1])[: rules.kept]
    discarded = [card for card in unseen if card not in hand][:2]
    state = start(rules, named=True)
    state, _ = step(state, NameDealer(OWN if asked.dealer else OTHER))
    state = msgspec.structs.replace(state, front=asked.board, rear=asked.board)
    others = (*hand, *discarded)
    first, second = (others, asked.dealt) if asked.dealer else (asked.dealt, others)
    state, _ = step(state, Deal(tuple([card for both in zip(first, second, strict=True) for card in both])))
    state, _ = step(state, Discard(OWN, asked.discard))
    state, _ = step(state, Discard(OTHER, tuple(discarded)))
    state, _ = step(state, TurnUp(asked.starter))
    before, ended = state, False
    for card in asked.played:
        before = state
        for event in decide(state, Play(OWN if card in asked.dealt else OTHER, card)):
            # Hands are not counted, because the other side's cards are unknown.
            if ended := isinstance(event, Shown):
                break
            state = evolve(state, event)
    return state, before, ended or state.won is not None


def _might_play(asked: Asked, count: int) -> tuple[Card, ...]:
    """Return the unseen cards that fit on this count; none if the other side has no cards left."""
    if sum([card not in asked.dealt for card in asked.played]) == rules_of(asked.dealt).kept:
        return ()
    seen = {*asked.dealt, *asked.played, asked.starter}
    return playable([card for card in in_order(DECK) if card not in seen], count)


def _options(seen: View) -> tuple[tuple[CardValue, ...], tuple[float, ...]]:
    """Return `Position.options` and `Position.holds` of a View on turn."""
    if seen.rules.one_count:
        one_count = OneCount(seen)
        values = one_count.values()
        by_hand = one_count.held.weight.sum(axis=1) / one_count.whole
        often = play_frequencies(seen)
    else:
        search = LookAhead(seen)
        points, wins = search.points(), search.wins(search.chances(games=False))
        values = {rank: (points[rank], wins[rank]) for rank in points}
        by_hand = search.belief.sum(axis=0)
        often = book_frequencies(seen)
    fitting = {card.index >> 2: card for card in reversed(in_order(seen.hand)) if card.index >> 2 in values}
    rated = [
        CardValue(card=card, win=values[rank][1], points=values[rank][0], frequency=often.get(rank, 0.0))
        for rank, card in fitting.items()
    ]
    best_first = sorted(rated, key=lambda one: (one.win, one.points), reverse=True)
    size = seen.hand_sizes[OTHER]
    held = np.minimum(by_hand @ (copies(size)[: len(by_hand)] > 0), 1) if size else np.zeros(13)
    return tuple(best_first), tuple(held.tolist())


def report(found: Position) -> dict[str, Any]:
    """Return a position as plain values for JSON."""
    plain: dict[str, Any] = msgspec.to_builtins(found, enc_hook=str)
    for one in plain["options"]:
        one |= {name: round(value, JSON_DECIMALS) for name, value in one.items() if isinstance(value, float)}
    cards = plain["asked"].pop("dealt")
    plain["asked"] = {key_of(found.asked.dealt): cards, **plain["asked"]}
    return {"address": address(found.asked), **plain}
