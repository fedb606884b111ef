"""Win probabilities at any moment of a game: `win_probability`.

For two players they come from the solved tables and searches of `analysis.win` and `analysis.pegging`, if
both sides play well. For other variants games are played from the View, with random hidden cards.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Self

import msgspec

from fifteentwo.analysis.book.entry import error_of
from fifteentwo.analysis.pegging.look_ahead import CLUB_PLAYER, LookAhead
from fifteentwo.analysis.pegging.one_count import OneCount
from fifteentwo.analysis.review.luck import board_of
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import log_odds
from fifteentwo.contest.view_consistency import state_of
from fifteentwo.library.arguments import MAX_GAMES, whole_number
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
MIN_PEGGING_ERROR = 0.01
"""Smallest error given in pegging."""
PEGGING_ERROR_POINTS = 1.5
"""Points of score whose value is a part of the error in pegging. The other part is the difference between the
win probabilities against the equilibrium and against club players. Fitted to positions that were played out
(docs/analysis.md, section 13)."""
ROLLOUT_LEVEL = "club"
"""Level that plays the games."""


class WinProbability(float):
    """A win probability from 0 to 1, with its standard error, which is 0 if the result is certain."""

    error: float

    def __new__(cls, chance: float, error: float) -> Self:
        """Return a probability with an error; estimates outside 0 to 1 are limited to this range."""
        made = super().__new__(cls, min(max(chance, 0.0), 1.0))
        made.error = error
        return made

    def __repr__(self) -> str:
        return f"WinProbability({float(self):.4f}, error={self.error:.4f})"

    def __reduce__(self) -> tuple[type["WinProbability"], tuple[float, float]]:
        return WinProbability, (float(self), self.error)


def win_probability(seen: View | Position | str, *, games: int = 200, seed: int = 0) -> WinProbability:
    """Return the probability that this seat's side wins the game, at any moment.

    For two players both sides are assumed to play best, as in `fifteentwo book` and in reviews. The error was
    measured against simulated deals; in pegging it includes that the other side may play like a club player.
    A lead takes 0.2 to 1 s, other moments less. For other variants the error is that of the sample.

    Args:
        seen: a View, a Position, or its text.
        games: number of games that level club plays from here, for variants not of two players.
        seed: seed of these games.

    Raises:
        InvalidArgument: `seen` is none of these.
        ImpossibleView: no game leads to the View.

    >>> win_probability("110-116 pone 5H5S6D7CJCKD")
    WinProbability(0.4499, error=0.0230)
    """
    given = seen
    seen = as_view(seen)
    if seen.won is not None:
        return WinProbability(float(seen.won.side == seen.side), 0.0)
    if seen is not given and seen.phase is Phase.PLAY and seen.turn != seen.seat:
        # A View shows that a side on turn need not say go; a Position does not.
        seen = replace(seen, turn=NO_SEAT)
    if not win.has_win_probability(seen.rules):
        return _by_rollouts(seen, games, seed)
    chance = _two_player_probability(seen)
    if chance in (0.0, 1.0):
        return WinProbability(chance, 0.0)
    pegging_error = chance.error if isinstance(chance, WinProbability) else 0.0
    return WinProbability(chance, max(error_of(board_of(seen), chance, seen.rules), pegging_error))


def _two_player_probability(seen: View) -> float:
    race = win.race_of(seen.rules)
    if seen.dealer == NO_SEAT:
        deals = _first_deal_chance(seen)
        by_role = [
            (1 + float(win.after_deal(race, dealt, False)[board_of(seen)])) / 2 for dealt in (False, True)
        ]
        return deals * by_role[0] + (1 - deals) * by_role[1]
    if seen.phase in (Phase.CUT, Phase.DEAL):
        # `after_deal` takes the previous deal, which the other side dealt if this seat deals.
        return (1 + float(win.after_deal(race, not seen.is_dealer, False)[board_of(seen)])) / 2
    if seen.starter is None:
        return _at_discard(seen, race)
    if seen.phase in (Phase.CLAIM, Phase.CHALLENGE):
        return _after_open_claim(seen)
    return _in_pegging(seen)


def _first_deal_chance(seen: View) -> float:
    """Return the probability that this seat deals first, from the cards drawn so far (R24–R28)."""
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
    six = (*seen.kept, *seen.discarded) if seen.discarded else seen.hand
    chances = win.chances(six, dealer=seen.is_dealer, board=board_of(seen), payoff=race)
    # The last of the 15 ways discards the last two cards.
    return float(chances[-1] if seen.discarded else chances.max())


def _in_pegging(seen: View) -> WinProbability:
    if seen.rules.one_count:
        return WinProbability(OneCount(seen, on_turn=False).chance(), MIN_PEGGING_ERROR)
    chance = LookAhead(seen, on_turn=False).chance()
    against_club = LookAhead(seen, CLUB_PLAYER, on_turn=False).chance()
    error = abs(chance - against_club) + PEGGING_ERROR_POINTS * _value_of_a_point(seen, chance)
    return WinProbability(chance, max(error, MIN_PEGGING_ERROR))


def _value_of_a_point(seen: View, chance: float) -> float:
    """Return the change of a win probability if the other side has a point more, by the board values."""
    own, other = board_of(seen)
    last = seen.rules.target - 1
    around = [max(other - 2, 0), min(other + 2, last)]
    values = win.after_deal(win.race_of(seen.rules), not seen.is_dealer, False)[own, around]
    fewer, more = log_odds((1 + values) / 2)
    return chance * (1 - chance) * float(fewer - more) / (around[1] - around[0])


def _after_open_claim(seen: View) -> float:
    """Return the win probability after an open claim is settled and all remaining points are counted."""
    rules = seen.rules
    if any(seen.open_hands) or seen.open_crib:
        return _shown(seen, seen.front)
    side = rules.side(seen.played[-1][0])
    right = sum([score.points for score in pegging.scores(seen.in_count)])
    front = _scores_after_claim(seen, seen.front, side, right)
    if max(front) >= rules.target:
        return float(front[seen.side] >= rules.target)
    if rules.one_count:
        return _in_pegging(replace(seen, front=front))
    if any(seen.hand_sizes):
        if seen.count == pegging.LIMIT:
            seen = replace(seen, count=0, said_go=(), count_ends=(*seen.count_ends, len(seen.played)))
        return _in_pegging(replace(seen, phase=Phase.PLAY, front=front, turn=NO_SEAT, claim=None, to_act=()))
    front = _with_points(front, side, int(seen.count < pegging.LIMIT), rules.target)
    return _shown(seen, front)


def _shown(seen: View, front: tuple[int, ...]) -> float:
    """Return the win probability in the show: the current hand, the hands after it, and the crib (R78)."""
    rules = seen.rules
    assert seen.starter is not None
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    if seen.open_crib:
        points = show.points(seen.open_crib, seen.starter, crib=True)
        front = _scores_after_claim(seen, front, rules.side(seen.dealer), points)
        value = over[front[seen.side], front[1 - seen.side]]
        return (
            float(front[seen.side] >= rules.target) if max(front) >= rules.target else (1 + float(value)) / 2
        )
    if rules.one_count and not seen.is_dealer and not seen.open_hands[seen.dealer]:
        front = _scores_after_claim(seen, front, seen.side, show.points(seen.kept, seen.starter))
        scores = front[seen.side], front[1 - seen.side]
        return OneCount(seen, on_turn=False, counted=True).chance_after_count(scores)
    pone = (seen.dealer + 1) % rules.seats
    opened = any(seen.open_hands)
    pending = [seen.dealer] if opened and seen.open_hands[seen.dealer] else [pone, seen.dealer]
    for place, seat in enumerate(pending):
        cards = seen.kept if seat == seen.seat else win.of_other(seen)
        points = show.points(cards, seen.starter)
        first = opened and place == 0
        if first:
            front = _scores_after_claim(seen, front, rules.side(seat), points)
        else:
            front = _with_points(front, rules.side(seat), points, rules.target)
        if max(front) >= rules.target:
            return float(front[seen.side] >= rules.target)
    counted = win.before_crib(over, win.crib_seen(seen), rules.target, dealer=seen.is_dealer)
    return (1 + float(counted[front[seen.side], front[1 - seen.side]])) / 2


def _scores_after_claim(seen: View, front: tuple[int, ...], side: int, right: int) -> tuple[int, ...]:
    """Return the scores after a claim; wrong claims are called if muggins is played (R93–R95)."""
    rules, claim = seen.rules, seen.claim
    if claim is None or claim == right:
        return _with_points(front, side, right, rules.target)
    front = _with_points(front, side, min(claim, right), rules.target)
    if rules.muggins is Muggins.OFF or front[side] >= rules.target:
        return front
    if claim < right:
        return _with_points(front, 1 - side, right - claim, rules.target)
    called = rules.muggins is Muggins.MISSED_AND_OVERCLAIMS
    return _with_points(front, 1 - side, 2 if called else 0, rules.target)


def _with_points(front: tuple[int, ...], side: int, points: int, target: int) -> tuple[int, ...]:
    scores = list(front)
    scores[side] = min(scores[side] + points, target)
    return tuple(scores)


def _by_rollouts(seen: View, games: int, seed: int) -> WinProbability:
    """Return the share of games won from this View, for variants of more than two players."""
    whole_number(games, "games", 1, MAX_GAMES)
    chance = Random(f"{seed}")
    begun = _starting_state(seen)
    won = sum([_winner(_with_random_cards(seen, begun, chance), chance) == seen.side for _ in range(games)])
    # One win and one loss are added, so that the error of a few games is not 0.
    rate = (won + 1) / (games + 2)
    return WinProbability(won / games, (rate * (1 - rate) / games) ** 0.5)


def _starting_state(seen: View) -> State:
    """Return a state with this View, or only with its scores if nothing is dealt."""
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
        # The place of the cut does not matter, so the stock is cut again.
        seen = replace(seen, phase=Phase.CUT_STOCK, to_act=((seen.dealer + 1) % seen.rules.seats,))
    return state_of(seen)


def _with_random_cards(seen: View, state: State, chance: Random) -> State:
    """Return the state with random hidden cards that the goes allow."""
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


def _winner(state: State, chance: Random) -> int:
    """Return the side that wins if ROLLOUT_LEVEL plays all seats."""
    players: Sequence[Any] = [player(ROLLOUT_LEVEL, chance.getrandbits(32)) for _ in range(state.rules.seats)]
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
            return players[seat].act(view(state, seat, past=True))
