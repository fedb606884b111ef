"""A comparison of `win_probability` during a deal with the rest of the deal played out.

    python -m lab.measure.pegging_chances --positions 20 --seed 109
    python -m lab.measure.pegging_chances --positions 20 --discards
    python -m lab.measure.pegging_chances --position "107-97 pone 2S3H6D9S/8CJD KC 3HAH" --level expert

Positions come from games of a level against itself, after the second to the sixth card. With `--discards`
they are before the discard with a side at 100 or more, and the best discard is played out. The six cards of
the other side are drawn at random from the unseen cards. The level discards and plays them, and a draw is
used only if the level plays the cards of the position. Then this seat plays its best card by the look-ahead
search, and the other side plays by its level. The result of a deal is the win probability after it.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from fifteentwo.analysis.discards.by_score import discard_by_score
from fifteentwo.analysis.pegging.beliefs import book_frequencies, role_of
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.table import Table
from fifteentwo.contest.view_consistency import pegged_so_far
from fifteentwo.library.chances import win_probability
from fifteentwo.library.position import Position
from fifteentwo.players import Player, player
from fifteentwo.players.expert import drawn
from fifteentwo.rules.actions import Cut, Deal, Discard, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view
from fifteentwo.strategy.discards import discard_frequencies

LEVELS = ("expert", "club")
"""Levels whose games the positions come from."""
CARDS_PLAYED = range(2, 7)
"""Numbers of cards played before a position."""
MIN_DEALS, MAX_DRAWS = 40, 1600
"""Smallest number of deals, and largest number of random hands of the other side, for one position."""
TARGET_ERROR = 0.008
"""Standard error of the win probability at which no more deals are played."""
CHECKED_SHARE = 1 / 8
"""If the usual discard does not fit the position, the share of draws for which the slow discard by score
is tried."""
NEAR_END_SCORE = 100
"""Smallest score of a side in positions whose errors are printed separately."""
MIN_USED_DEALS = 10
"""A position is left out if fewer of its deals can be played out."""


class Measured(NamedTuple):
    """A position's win probability by `win_probability` and by playing the deal out."""

    level: str
    """The level of the other side."""
    seen: View
    predicted: float
    """Win probability by `win_probability`."""
    printed_error: float
    """The error that `win_probability` gives."""
    played_out: float
    """Mean win probability after the deals played out."""
    standard_error: float
    """Standard error of `played_out`."""

    @property
    def agrees(self) -> bool:
        """Whether `predicted` and `played_out` differ by at most `printed_error` plus 3 standard errors."""
        return abs(self.predicted - self.played_out) <= 3 * self.standard_error + self.printed_error


class _Replayer:
    """Replays a deal with other cards of the other side, and then plays it to its end."""

    def __init__(self, seen: View, level: str, seed: int) -> None:
        self.seen, self.level, self.seed = seen, level, seed
        self._best: dict[tuple[Card | None, ...], Card] = {}
        pegged = [front for front, _ in pegged_so_far(seen)] if seen.played else [0, 0]
        board = tuple([front - points for front, points in zip(seen.front, pegged, strict=True)])
        self._begun = replace(
            start(seen.rules),
            drawing=(),
            dealer=seen.dealer,
            deal=seen.deal - 1,
            phase=Phase.DEAL,
            front=board,
            rear=board,
            seating=seen.seating,
        )
        self._luck = random.Random(f"{seed}/{level}")
        self._discarded = _best_discard(seen) if seen.phase is Phase.DISCARD else ()
        self._draws = 0

    def draw(self) -> tuple[float, float] | None:
        """Return the weight and the win probability of a random deal, or None if it does not fit."""
        seen, other = self.seen, 1 - self.seen.seat
        self._draws += 1
        rival = player(self.level, self.seed * 1_000_003 + self._draws)
        theirs = [card for seat, card in seen.played if seat == other]
        own = seen.hand if self._discarded else (*seen.kept, *seen.discarded)
        unseen = [card for card in DECK if card not in {*own, *theirs, seen.starter}]
        cards = self._luck.sample(unseen, 7 - len(theirs))
        six, starter = [*theirs, *cards[1:]], seen.starter or cards[0]
        hands = [own, six] if seen.seat == 0 else [six, own]
        eldest = 1 - seen.dealer
        dealt = [hands[seat][place] for place in range(6) for seat in (eldest, seen.dealer)]
        begun = _step(self._begun, Deal(tuple(dealt)))
        now, factor = view(begun, other), 1.0
        if self.level == "expert":
            pair = drawn(discard_frequencies(now.hand, role_of(now, other)), self._luck.random())
            discarded = tuple([card for card in now.hand if card in pair])
            if self._reached(begun, rival, discarded, starter) is None:
                # The discard by the score takes 20 ms and makes few of these draws possible.
                if self._luck.random() >= CHECKED_SHARE:
                    return None
                factor = 1 / CHECKED_SHARE
            discarded = discard_by_score(now, discarded)
        else:
            action = rival.act(now)
            assert isinstance(action, Discard)
            discarded = action.cards
        reached = self._reached(begun, rival, discarded, starter)
        if reached is None:
            return None
        weight, state = reached
        return factor * weight, self._play_to_end(state, rival)

    def _reached(
        self, state: State, rival: Player, discarded: tuple[Card, ...], starter: Card
    ) -> tuple[float, State] | None:
        """Return the probability of the cards played and the state after them; None if impossible."""
        seen, other = self.seen, 1 - self.seen.seat
        if any(seat == other and card in discarded for seat, card in seen.played):
            return None
        for one in (Discard(other, discarded), Discard(seen.seat, self._discarded or seen.discarded)):
            state = _step(state, one)
        if state.phase is Phase.CUT_STOCK:
            state = _step(state, Cut(1 - seen.dealer, 10))
        state = _step(state, TurnUp(starter))
        weight = 1.0
        for seat, card in seen.played:
            try:
                if seat == other:
                    weight *= self._probability(rival, view(state, other), card)
                if weight == 0:
                    return None
                state = _step(state, Play(seat, card))
            except IllegalAction:
                # The other side would have to say go, or could play although it said go.
                return None
        public = state.turn, state.said_go, state.count_ends
        if seen.played and public != (seen.turn, seen.said_go, seen.count_ends):
            return None
        return weight, state

    def _probability(self, rival: Player, now: View, card: Card) -> float:
        if self.level == "expert":
            often = book_frequencies(now)
            alike = next(held for held in now.hand if held.rank == card.rank)
            return often.get(card.index >> 2, 0.0) / sum(often.values()) if alike == card else 0.0
        return float(rival.act(now) == Play(now.seat, card))

    def _play_to_end(self, state: State, rival: Player) -> float:
        """Play the deal to its end; return this seat's win probability after it."""
        seen = self.seen
        while state.won is None and state.phase is Phase.PLAY:
            seat = to_act(state)[0]
            now = view(state, seat)
            action = rival.act(now) if seat != seen.seat else Play(seat, self._best_card(now))
            state = _step(state, action)
        if state.won is not None:
            return float(state.won.side == seen.side)
        own, other = state.front[seen.side], state.front[1 - seen.side]
        over = win.after_deal(win.race_of(seen.rules), seen.is_dealer, False)
        return (1 + float(over[own, other])) / 2

    def _best_card(self, now: View) -> Card:
        fitting = now.playable
        if len({card.rank for card in fitting}) == 1:
            return fitting[0]
        acts = (now.starter, *[card for _, card in now.played])
        if acts not in self._best:
            values = LookAhead(now).chances(games=False)
            rank = max(values, key=lambda one: (values[one], one))
            self._best[acts] = next(card for card in fitting if card.index >> 2 == rank)
        return self._best[acts]


def _best_discard(seen: View) -> tuple[Card, ...]:
    board = seen.front[seen.side], seen.front[1 - seen.side]
    chances = win.chances(seen.hand, dealer=seen.is_dealer, board=board, payoff=win.race_of(seen.rules))
    return tuple([seen.hand[place] for place in WAYS[int(chances.argmax())]])


def _step(state: State, action: object) -> State:
    return step(state, action)[0]  # type: ignore[arg-type]


def measure(seen: View, level: str, deals: int, seed: int) -> Measured | None:
    """Play out a position in at most `deals` deals; return None if the level hardly ever plays its cards."""
    told = win_probability(seen)
    mean, spread, number = _play_deals(_Replayer(seen, level, seed), deals, MAX_DRAWS)
    return Measured(level, seen, float(told), told.error, mean, spread) if number >= MIN_USED_DEALS else None


def _play_deals(follower: _Replayer, deals: int, draws: int) -> tuple[float, float, int]:
    """Return the mean win probability, its standard error and the number of deals."""
    found: list[tuple[float, float]] = []
    mean = spread = 0.0
    for _ in range(draws):
        if (result := follower.draw()) is None:
            continue
        found.append(result)
        if len(found) % 10 and len(found) < deals:
            continue
        mean, spread = _weighted_mean(found)
        if len(found) >= deals or (len(found) >= MIN_DEALS and 0 < spread < TARGET_ERROR):
            return mean, spread, len(found)
    return (*(_weighted_mean(found) if found else (0.0, 0.0)), len(found))


def _weighted_mean(found: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the mean and standard error of (weight, value) pairs."""
    weights, values = np.array(found).T
    weights = weights / weights.sum()
    mean = float(weights @ values)
    # The standard error of a ratio of two sums.
    return mean, float(np.sqrt(np.sum((weights * (values - mean)) ** 2)))


def positions(level: str, number: int, seed: int, discards: bool = False) -> Iterator[View]:
    """Yield `number` Views from games of a level against itself, from one in three deals.

    discards: yield Views before the discard instead, from each deal that begins with a side at 100 or more.
    """
    luck = random.Random(f"positions/{level}/{seed}")
    game = 0
    while number > 0:
        table = Table(rules_for("six-card", first_dealer="named"), seeded(f"told/{seed}/{level}/{game}"))
        table.adopt(table.name_dealer(game % 2))
        players = [player(level, 2 * game), player(level, 2 * game + 1)]
        game += 1
        wanted = -1, -1
        while not table.over and number > 0:
            state = table.state
            if state.phase is Phase.DISCARD:
                if discards and max(state.front) >= NEAR_END_SCORE and wanted != (state.deal, 0):
                    wanted = state.deal, 0
                    number -= 1
                    yield view(state, luck.choice(table.waiting))
                if not discards:
                    wanted = state.deal, luck.choice(CARDS_PLAYED) if luck.random() < 1 / 3 else -1
            if state.phase is Phase.PLAY and not discards and wanted == (state.deal, len(state.played)):
                wanted = -1, -1
                seat = luck.randrange(2)
                if any(state.hands[1 - seat]):
                    yield view(state, seat)
                    number -= 1
            seat = table.waiting[0]
            table.submit(seat, players[seat].act(view(table.state, seat)))


def _measure(deals: int, seed: int, level: str, seen: View) -> Measured | None:
    return measure(seen, level, deals, seed)


def summary(all_found: Sequence[Measured]) -> str:
    """Return a line of statistics of the differences between predicted and played out win probabilities."""
    if not all_found:
        return "no positions"
    apart = np.array([one.predicted - one.played_out for one in all_found])
    spread = np.array([one.standard_error for one in all_found])
    without_noise = max(float((apart**2 - spread**2).mean()), 0.0) ** 0.5
    holds = np.mean([one.agrees for one in all_found])
    return (
        f"{len(all_found):4} positions: told less played out {100 * apart.mean():+.2f} ± "
        f"{100 * apart.std() / len(apart) ** 0.5:.2f}, root mean square without noise "
        f"{100 * without_noise:.2f}, standard error {100 * spread.mean():.2f}, "
        f"printed error {100 * np.mean([one.printed_error for one in all_found]):.2f}, "
        f"within it and three standard errors {round(holds * len(all_found))} ({100 * holds:.1f} %)"
    )


def main() -> None:
    """Print each position's predicted and played out win probability, * if they disagree, and statistics."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=20, help="half of them from each level")
    parser.add_argument("--discards", action="store_true", help="before discards near the end")
    parser.add_argument("--position", help="play out only this position")
    parser.add_argument("--level", choices=LEVELS, default="expert", help="level of the other side")
    parser.add_argument("--deals", type=int, default=400, help="most deals of a position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    if given.position:
        seen = Position(given.position).view()
        ranks = {card.index >> 2: card for card in seen.playable}
        told = LookAhead(seen)
        for rank, chance in told.wins(told.chances(games=False)).items():
            then = _play_out_card(seen, ranks[rank], given)
            print(f"{ranks[rank].text}: told {100 * chance:.1f}, played out {then}")
        return
    each = given.positions // len(LEVELS)
    games = [positions(level, each, given.seed, given.discards) for level in LEVELS]
    views = [view for together in zip(*games, strict=True) for view in zip(LEVELS, together, strict=True)]
    work, found = partial(_measure, given.deals), []
    with ProcessPoolExecutor(given.jobs) as pool:
        for one in pool.map(work, range(1, len(views) + 1), *zip(*views, strict=True)):
            if one is not None:
                found.append(one)
                print(" " if one.agrees else "*", _describe(one), flush=True)
    for level in LEVELS:
        print(level, summary([one for one in found if one.level == level]))
    for stage in CARDS_PLAYED:
        print(stage, "cards", summary([one for one in found if len(one.seen.played) == stage]))
    print("a side with 100 or more", summary([one for one in found if max(one.seen.front) >= NEAR_END_SCORE]))
    print("all", summary(found))


def _play_out_card(seen: View, card: Card, given: argparse.Namespace) -> str:
    """Return as text the win probability, in percent, if this card is played now."""
    follower = _Replayer(seen, given.level, given.seed)
    follower._best[(seen.starter, *[one for _, one in seen.played])] = card
    mean, spread, _ = _play_deals(follower, given.deals, 40 * MAX_DRAWS)
    return f"{100 * mean:.1f} ± {100 * spread:.1f}"


def _describe(one: Measured) -> str:
    seen = one.seen
    cards = " ".join([card.text for _, card in seen.played])
    own = "".join([card.text for card in (*seen.hand, *seen.discarded)])
    return (
        f"{one.level}: {seen.front[seen.side]}-{seen.front[1 - seen.side]} "
        f"{'dealer' if seen.is_dealer else 'pone'} {own} after {cards}: told {100 * one.predicted:.1f} "
        f"± {100 * one.printed_error:.1f}, played out {100 * one.played_out:.1f} "
        f"± {100 * one.standard_error:.1f}"
    )


if __name__ == "__main__":
    main()
