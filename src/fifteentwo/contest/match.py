"""Matches: several games, the games won, and the first dealer of the next game (R22, C14)."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from fifteentwo.contest.table import Table
from fifteentwo.players import EngineError, Follows, Player
from fifteentwo.rules.decks import Decks
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import NO_SEAT, State
from fifteentwo.rules.variants import FirstDealer, Rules
from fifteentwo.rules.view import view

replace = msgspec.structs.replace


class NextDealer(StrEnum):
    """How the first dealer of the next game is found: the loser who did not leave, or by a draw (C14)."""

    LOSER = "loser"
    DRAW = "draw"


class Length(StrEnum):
    """The length of a match: open, until a number of wins, or nine games for points."""

    OPEN = "open"
    """A match that ends when the players stop."""
    TO_2 = "to-2"
    """Best of three."""
    TO_3 = "to-3"
    TO_5 = "to-5"
    TO_7 = "to-7"
    NINE = "nine"
    """Nine games as in American tournaments: 2 points for a win, 3 with a skunk."""


WINS_NEEDED = {Length.TO_2: 2, Length.TO_3: 3, Length.TO_5: 5, Length.TO_7: 7}
"""Tally that wins a match. `Match.tally` counts a skunk as more than one game (R22)."""
GAMES_OF_NINE = 9
POINTS_OF_A_WIN = 2
POINTS_OF_A_SKUNK = 3


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match between games. Create one with `new_match`, and continue with `after`."""

    rules: Rules
    """Rules of the first game; `next_rules` has the rules of the next one."""
    next_dealer: NextDealer = NextDealer.LOSER
    length: Length = Length.OPEN
    tally: tuple[int, ...]
    """Games won by each side: 1, a skunk 2, a double skunk 4; of several losers the largest counts (R18–R22).
    In a match of nine games, the points won.
    """
    games: tuple[int, ...]
    """Games won by each side, without extra for skunks."""
    spread: tuple[int, ...]
    """For each side the sum of its leads over the best other side at the end of games, in holes."""
    lost: tuple[int, ...]
    """Games lost by each side, each side judged alone (C15)."""
    seating: tuple[int, ...]
    """Players by seat, numbered in the order they arrived; partners are drawn only once (R29)."""
    played: int = 0
    """Games finished at this table."""
    earlier: int = 0
    """Games at this table that belong to earlier matches."""
    dealer: int = NO_SEAT
    """Seat that deals first in the next game; NO_SEAT if the draw or the table decides."""

    @property
    def game(self) -> int:
        """Number of the next game at this table, from 1."""
        return self.played + 1

    @property
    def number_in_match(self) -> int:
        """Number of the next game within its match, from 1."""
        return self.played - self.earlier + 1

    @property
    def next_rules(self) -> Rules:
        """Rules of the next game: partners are not drawn a second time."""
        if self.played == self.earlier or not self.rules.partners_by_draw:
            return self.rules
        return replace(self.rules, partners_by_draw=False)

    @property
    def winners(self) -> tuple[int, ...]:
        """Sides that have won the match: none while it lasts, several if they are tied.

        After nine games the most points win, then the most games, then the spread.
        """
        sides = range(self.rules.sides)
        if self.length in WINS_NEEDED:
            return tuple(side for side in sides if self.tally[side] >= WINS_NEEDED[self.length])
        if self.length is not Length.NINE or self.played - self.earlier < GAMES_OF_NINE:
            return ()
        standing = [(self.tally[side], self.games[side], self.spread[side]) for side in sides]
        return tuple(side for side in sides if standing[side] == max(standing))

    @property
    def next_match(self) -> "Match":
        """The match of the next game: this one, or a new one of the same kind if this one is won."""
        if not self.winners:
            return self
        new = new_match(self.rules, next_dealer=self.next_dealer, length=self.length)
        return replace(new, played=self.played, earlier=self.played)

    def after(self, state: State, left: Collection[int] = ()) -> "Match":
        """Return the match with a finished game added; raise ValueError if the game has no winner.

        left: seats of players who left the game, apart from one who forfeited it.
        """
        if state.won is None:
            raise ValueError("a game counts in a match only once it is won")
        lost = state.won.lost
        value = max(lost)
        if self.length is Length.NINE:
            value = POINTS_OF_A_SKUNK if value > 1 else POINTS_OF_A_WIN
        won, front = state.won.side, state.won.scores
        ahead = [score - max(front[:side] + front[side + 1 :]) for side, score in enumerate(front)]
        # A side that wins by forfeit may be behind; its lead then counts as 0.
        ahead = [max(more, 0) if side == won else min(more, 0) for side, more in enumerate(ahead)]
        return replace(
            self,
            tally=_with_added(self.tally, won, value),
            games=_with_added(self.games, won, 1),
            spread=tuple(before + now for before, now in zip(self.spread, ahead, strict=True)),
            lost=tuple(before + now for before, now in zip(self.lost, lost, strict=True)),
            seating=tuple(self.seating[seat] for seat in state.seating),
            played=self.played + 1,
            dealer=_next_dealer(state, left) if self.next_dealer is NextDealer.LOSER else NO_SEAT,
        )

    def table(self, decks: Decks) -> Table:
        """Return a table for the next game, with its first dealer named if the match knows the dealer.

        decks: decks of this game alone. If no dealer is known or drawn for, the caller must name one.
        """
        table = Table(self.next_rules, decks, named=self.dealer != NO_SEAT)
        if self.dealer != NO_SEAT:
            table.adopt(table.name_dealer(self.dealer))
        return table


def _with_added(counts: tuple[int, ...], side: int, more: int) -> tuple[int, ...]:
    return (*counts[:side], counts[side] + more, *counts[side + 1 :])


def new_match(
    rules: Rules, *, next_dealer: NextDealer = NextDealer.LOSER, length: Length = Length.OPEN
) -> Match:
    """Return a match before its first game, whose dealer is drawn or named by the rules."""
    if rules.first_dealer is FirstDealer.NAMED:
        next_dealer = NextDealer.LOSER
    nothing = (0,) * rules.sides
    return Match(
        rules=rules,
        next_dealer=next_dealer,
        length=length,
        tally=nothing,
        games=nothing,
        spread=nothing,
        lost=nothing,
        seating=tuple(range(rules.seats)),
    )


def _next_dealer(state: State, left: Collection[int]) -> int:
    """Return the seat that lost by most; of equal seats, the first one after the dealer.

    A side that a player left does not deal, because the first deal is an advantage, unless all sides were
    left. If all losers left, the winner deals.
    """
    rules, won = state.rules, state.won
    assert won is not None
    order = [(state.dealer + place) % rules.seats for place in range(1, rules.seats + 1)]
    leavers = {rules.side(seat) for seat in left} | (
        set() if won.forfeited is None else {rules.side(won.forfeited)}
    )

    def rank(seat: int) -> tuple[bool, bool, int]:
        side = rules.side(seat)
        return side in leavers, side == won.side, state.front[side]

    return min(order, key=rank)


class FailedPlayer(NamedTuple):
    """A player who could not finish a game, by order of arrival, and the error."""

    player: int
    error: EngineError


def play_out(table: Table, players: Sequence[Player]) -> FailedPlayer | None:
    """Let players finish a game; return the first player that failed, who forfeits the game, or None.

    players: in order of arrival, before partners are drawn. Each player sees only its View. If several may
    act at once, they are asked in turn.
    """
    if table.waiting == () and not table.over:
        table.adopt(table.chance_due())
    followers = {id(one): one for one in players if isinstance(one, Follows)}
    for one in followers.values():
        one.new_game(table.state.rules)
    failed = None
    while not table.over:
        if not (waiting := table.waiting):
            raise ValueError("the table waits for a first dealer to be named (R28)")
        seat, state = waiting[0], table.state
        came = state.seating[seat]
        try:
            action = players[came].act(view(state, seat, past=True))
        except EngineError as error:
            failed = FailedPlayer(came, error)
            table.forfeit(seat, ForfeitedFor.TIME if error.code == "time" else ForfeitedFor.FAILED)
            break
        table.submit(seat, action)
    assert table.state.won is not None
    for one in followers.values():
        one.game_over(table.state.won)
    return failed
