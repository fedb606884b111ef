"""The chance of winning at any moment of a game: `win_probability`.

Two players: the solved tables and searches of `analysis.win` and `analysis.pegging`, both sides playing
well. The other variants: games played on from the View, hidden cards at random.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Self

import msgspec

from fifteentwo.contest.view_consistency import state_of
from fifteentwo.library.arguments import MOST_GAMES, whole_number
from fifteentwo.library.position import Position, as_view
from fifteentwo.players import player
from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Deal, NameDealer, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.game import step, to_act, unseen
from fifteentwo.rules.state import NO_SEAT, Phase, State, start
from fifteentwo.rules.variants import FirstDealer, Muggins, Starter
from fifteentwo.rules.view import View, go_bounds, view

replace = msgspec.structs.replace
PEGGING_ERROR = 0.01
"""Least error of a chance in pegging. Chosen: 200 games of experts show no bias past 0.05."""
LEVEL = "club"
"""Who plays games on."""


class WinProbability(float):
    """A chance of winning from 0 to 1, with its standard error: 0 where it is certain."""

    error: float

    def __new__(cls, chance: float, error: float) -> Self:
        """Return this chance with this error."""
        made = super().__new__(cls, min(max(chance, 0.0), 1.0))
        made.error = error
        return made

    def __repr__(self) -> str:
        return f"WinProbability({float(self):.4f}, error={self.error:.4f})"

    def __reduce__(self) -> tuple[type["WinProbability"], tuple[float, float]]:
        return WinProbability, (float(self), self.error)


def win_probability(seen: View | Position | str, *, games: int = 200, seed: int = 0) -> WinProbability:
    """Return how likely the side of this View, or position, wins the game, at any moment.

    Two players: best play by both from here, as `fifteentwo book` and reviews have it; the error is the
    one measured against deals played out, in pegging at least 0.01, which is chosen. A lead takes 0.1 to 0.5
    s, other moments less. The other variants: `games` games played on by level club, hidden cards as they may
    lie, from this seed; the error is that of the sample. What is already won or lost is 1 or 0.
    InvalidArgument where it is no View; ImpossibleView or ImpossiblePlay where no game leads there.

    >>> win_probability("110-116 pone 5H5S6D7CJCKD")
    WinProbability(0.4499, error=0.0230)
    """
    seen = as_view(seen, "seen")
    if seen.won is not None:
        return WinProbability(float(seen.won.side == seen.side), 0.0)
    from fifteentwo.analysis import win

    if not win.known(seen.rules):
        return _by_games(seen, games, seed)
    chance = _chance(seen)
    in_pegging = seen.phase is Phase.PLAY or (_claims(seen) and not any(seen.open_hands))
    return WinProbability(chance, _error(seen, chance, in_pegging))


def _error(seen: View, chance: float, in_pegging: bool) -> float:
    from fifteentwo.analysis.book_entry import error_of

    if chance in (0.0, 1.0):
        return 0.0
    measured = error_of(_board(seen), chance, seen.rules)
    return max(measured, PEGGING_ERROR) if in_pegging else measured


def _claims(seen: View) -> bool:
    return seen.phase in (Phase.CLAIM, Phase.CHALLENGE)


def _board(seen: View) -> tuple[int, int]:
    return seen.front[seen.side], seen.front[1 - seen.side]


# ── Two players ──────────────────────────────────────────────────────────────────────────────────────────


def _chance(seen: View) -> float:
    """Return the chance of a View of two."""
    from fifteentwo.analysis import win

    race = win.race_of(seen.rules)
    if seen.dealer == NO_SEAT:
        deals = _deals_first(seen)
        by_role = [
            (1 + float(win.after_deal(race, dealt, False)[_board(seen)])) / 2 for dealt in (False, True)
        ]
        return deals * by_role[0] + (1 - deals) * by_role[1]
    if seen.phase in (Phase.CUT, Phase.DEAL):
        # `after_deal` is of the deal before, which the other side dealt if this one deals.
        return (1 + float(win.after_deal(race, not seen.is_dealer, False)[_board(seen)])) / 2
    if seen.starter is None:
        return _at_discard(seen, race)
    if _claims(seen):
        return _claimed(seen)
    return _in_pegging(seen)


def _deals_first(seen: View) -> float:
    """Return how likely this seat deals first, by the cards drawn so far (R24–R28)."""
    open_cards = [
        cards[-1] if cards and seat not in seen.drawing else None for seat, cards in enumerate(seen.drawn)
    ]
    mine, theirs = open_cards[seen.seat], open_cards[1 - seen.seat]
    drawn = mine or theirs
    if (mine is None) == (theirs is None) or drawn is None:
        return 0.5
    lower = sum(card.rank < drawn.rank for card in DECK)
    higher = sum(card.rank > drawn.rank for card in DECK)
    wanted = higher if seen.rules.first_dealer is FirstDealer.LOW else lower
    chance = (wanted + 1.5) / 51
    return chance if drawn is mine else 1 - chance


def _at_discard(seen: View, race: Any) -> float:
    from fifteentwo.analysis import win

    six = (*seen.kept, *seen.discarded) if seen.discarded else seen.hand
    chances = win.chances(six, dealer=seen.is_dealer, board=_board(seen), payoff=race)
    # The last way discards the last two.
    return float(chances[-1] if seen.discarded else chances.max())


def _in_pegging(seen: View) -> float:
    from fifteentwo.analysis.pegging.look_ahead import LookAhead
    from fifteentwo.analysis.pegging.one_count import OneCount

    if seen.rules.one_count:
        return OneCount(seen, on_turn=False).chance()
    return LookAhead(seen, on_turn=False).chance()


def _claimed(seen: View) -> float:
    """Return the chance once the claim that lies open is settled, and what is not pegged yet is counted."""
    rules = seen.rules
    if any(seen.open_hands) or seen.open_crib:
        return _shown(seen, seen.front)
    side = rules.side(seen.played[-1][0])
    right = sum([score.points for score in pegging.scores(seen.in_count)])
    front = _settled(seen, seen.front, side, right)
    if max(front) >= rules.target:
        return float(front[seen.side] >= rules.target)
    if rules.one_count:
        return _in_pegging(replace(seen, front=front))
    if any(seen.hand_sizes):
        if seen.count == pegging.LIMIT:
            seen = replace(seen, count=0, said_go=(), count_ends=(*seen.count_ends, len(seen.played)))
        return _in_pegging(replace(seen, phase=Phase.PLAY, front=front, turn=NO_SEAT, claim=None, to_act=()))
    front = _pegged(front, side, int(seen.count < pegging.LIMIT), rules.target)
    return _shown(seen, front)


def _shown(seen: View, front: tuple[int, ...]) -> float:
    """Return the chance in the show: the hand being counted, those after it, and the crib (R78)."""
    from fifteentwo.analysis import win

    rules = seen.rules
    assert seen.starter is not None
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    if seen.open_crib:
        points = show.points(seen.open_crib, seen.starter, crib=True)
        front = _settled(seen, front, rules.side(seen.dealer), points)
        value = over[front[seen.side], front[1 - seen.side]]
        return (
            float(front[seen.side] >= rules.target) if max(front) >= rules.target else (1 + float(value)) / 2
        )
    if rules.one_count and not seen.is_dealer:
        from fifteentwo.analysis.pegging.one_count import OneCount

        if not seen.open_hands[seen.dealer]:
            front = _settled(seen, front, seen.side, show.points(seen.kept, seen.starter))
            return OneCount(seen, on_turn=False, counted=True).after_play(
                (front[seen.side], front[1 - seen.side])
            )
    pone = (seen.dealer + 1) % rules.seats
    opened = any(seen.open_hands)
    pending = [seen.dealer] if opened and seen.open_hands[seen.dealer] else [pone, seen.dealer]
    for place, seat in enumerate(pending):
        cards = seen.kept if seat == seen.seat else win.of_other(seen)
        points = show.points(cards, seen.starter)
        first = opened and place == 0
        if first:
            front = _settled(seen, front, rules.side(seat), points)
        else:
            front = _pegged(front, rules.side(seat), points, rules.target)
        if max(front) >= rules.target:
            return float(front[seen.side] >= rules.target)
    counted = win.before_crib(over, win.crib_seen(seen), rules.target, dealer=seen.is_dealer)
    return (1 + float(counted[front[seen.side], front[1 - seen.side]])) / 2


def _settled(seen: View, front: tuple[int, ...], side: int, right: int) -> tuple[int, ...]:
    """Return the scores after a claim, wrong ones called where that is played (R93–R95)."""
    rules, claim = seen.rules, seen.claim
    if claim is None or claim == right:
        return _pegged(front, side, right, rules.target)
    front = _pegged(front, side, min(claim, right), rules.target)
    if rules.muggins is Muggins.OFF or front[side] >= rules.target:
        return front
    if claim < right:
        return _pegged(front, 1 - side, right - claim, rules.target)
    called = rules.muggins is Muggins.MISSED_AND_OVERCLAIMS
    return _pegged(front, 1 - side, 2 if called else 0, rules.target)


def _pegged(front: tuple[int, ...], side: int, points: int, target: int) -> tuple[int, ...]:
    scores = list(front)
    scores[side] = min(scores[side] + points, target)
    return tuple(scores)


# ── The other variants ───────────────────────────────────────────────────────────────────────────────────


def _by_games(seen: View, games: int, seed: int) -> WinProbability:
    """Return how many of so many games played on are won."""
    whole_number(games, "games", 1, MOST_GAMES)
    chance = Random(f"{seed}")
    begun = _begun(seen)
    won = sum([_won(_dealt(seen, begun, chance), chance) == seen.side for _ in range(games)])
    # With a game more of each kind, so that none of few is not taken for never.
    rate = (won + 1) / (games + 2)
    return WinProbability(won / games, (rate * (1 - rate) / games) ** 0.5)


def _begun(seen: View) -> State:
    """Return a state that this seat sees so; where nothing is dealt, its score alone."""
    if seen.phase in (Phase.NAME_DEALER, Phase.DRAW, Phase.DRAW_TURN):
        return start(seen.rules, named=seen.phase is Phase.NAME_DEALER)
    if seen.phase in (Phase.CUT, Phase.DEAL):
        return replace(
            start(seen.rules),
            drawing=(),
            dealer=seen.dealer,
            deal=seen.deal,
            phase=Phase.DEAL,
            front=seen.front,
            rear=seen.rear,
            seating=seen.seating,
        )
    if seen.phase is Phase.STARTER and seen.rules.starter is Starter.CUT:
        # The stock is cut again: where, makes no difference.
        seen = replace(seen, phase=Phase.CUT_STOCK, to_act=((seen.dealer + 1) % seen.rules.seats,))
    return state_of(seen)


def _dealt(seen: View, state: State, chance: Random) -> State:
    """Return the state with its hidden cards at random, as the goes allow."""
    others = [seat for seat in range(seen.rules.seats) if seat != seen.seat and not seen.open_hands[seat]]
    if not any(state.hands) and not any(state.kept):
        return state
    least = go_bounds(seen) if seen.played else (0,) * seen.rules.seats
    own = {*seen.hand, *seen.kept, *seen.discarded, *[card for _, card in seen.played], *seen.open_crib}
    known = (
        own
        | {card for hand in seen.open_hands for card in hand}
        | ({seen.starter} if seen.starter else set())
    )
    pool = [card for card in DECK if card not in known]
    for _ in range(1000):
        chance.shuffle(pool)
        left = iter(pool)
        held = {seat: tuple([next(left) for _ in state.hands[seat]]) for seat in others}
        fits = all(card.value > least[seat] for seat in others for card in held[seat])
        turn = held.get(seen.turn) if seen.phase is Phase.PLAY else None
        if fits and (turn is None or pegging.playable(turn, seen.count)):
            break
    else:
        return state
    away = {seat: tuple([next(left) for _ in state.discarded[seat]]) for seat in others}
    rest = tuple([next(left) for _ in range(seen.rules.dealt_to_crib)])
    return _with_hidden(seen, state, held, away, rest)


def _with_hidden(
    seen: View,
    state: State,
    held: dict[int, tuple[Card, ...]],
    away: dict[int, tuple[Card, ...]],
    to_crib: tuple[Card, ...],
) -> State:
    seats = range(seen.rules.seats)
    kept = tuple(
        [
            (*[card for who, card in seen.played if who == seat], *held[seat])
            if seat in held and state.kept[seat]
            else state.kept[seat]
            for seat in seats
        ]
    )
    discarded = tuple([away.get(seat, state.discarded[seat]) for seat in seats])
    crib = (
        state.crib
        if seen.open_crib
        else tuple(sorted((*to_crib, *[card for two in discarded for card in two])))
    )
    hands = tuple([held.get(seat, state.hands[seat]) for seat in seats])
    return replace(state, hands=hands, kept=kept, discarded=discarded, crib=crib)


def _won(state: State, chance: Random) -> int:
    """Return the side that wins, all seats played by `LEVEL`."""
    players: Sequence[Any] = [player(LEVEL, chance.getrandbits(32)) for _ in range(state.rules.seats)]
    while state.won is None:
        state, _ = step(state, _action(state, players, chance))
    return state.won.side


def _action(state: State, players: Sequence[Any], chance: Random) -> Any:
    rules = state.rules
    match state.phase:
        case Phase.DEAL:
            return Deal(tuple(chance.sample(DECK, rules.seats * rules.dealt + rules.dealt_to_crib)))
        case Phase.DRAW_TURN | Phase.STARTER:
            return TurnUp(chance.choice(unseen(state)))
        case Phase.NAME_DEALER:
            return NameDealer(chance.randrange(rules.seats))
        case _:
            seat = to_act(state)[0]
            return players[seat].act(view(state, seat))
