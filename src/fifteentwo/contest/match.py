"""A match: games one after another, the games won, and who deals first in the next (R22, C14)."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from fifteentwo.contest.table import Decks, Table
from fifteentwo.players import Follows, Player, PlayerFailed
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import NO_SEAT, State
from fifteentwo.rules.variants import FirstDealer, Rules, options_of, rules_for
from fifteentwo.rules.view import view

replace = msgspec.structs.replace


class NextDealer(StrEnum):
    """Who deals first in the next game: the loser who did not leave, or as the draw decides (C14)."""

    LOSER = "loser"
    DRAW = "draw"


class Length(StrEnum):
    """How long a match is: as long as players like, to so many won games, or nine games for points."""

    OPEN = "open"
    TO_3 = "to-3"
    TO_5 = "to-5"
    TO_7 = "to-7"
    NINE = "nine"
    """All nine are played, as in American tournaments: 2 points a game won, 3 with a skunk."""


WINS = {Length.TO_3: 3, Length.TO_5: 5, Length.TO_7: 7}
"""The tally that wins a match, with skunks by the rules (R22)."""
GAMES, A_GAME, A_SKUNK = 9, 2, 3


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """What is carried from one game to the next. Make one with `begin`, and go on with `after`."""

    rules: Rules
    """As agreed for the first game; `next_rules` says what the next is played by."""
    next_dealer: NextDealer = NextDealer.LOSER
    length: Length = Length.OPEN
    tally: tuple[int, ...]
    """Games won by each side: 1, a skunk 2, a double skunk 4; of several losers the largest (R18–R22). In a
    match of nine games the points won."""
    games: tuple[int, ...]
    """Games won by each side, each counted once."""
    spread: tuple[int, ...]
    """Holes by which each side was ahead of the best of the others at the end of games, behind taken off."""
    lost: tuple[int, ...]
    """Games lost by each side, each judged alone (C15)."""
    seating: tuple[int, ...]
    """Who came in n-th sits at seat i where seating[i] == n; partners are drawn only once (R29)."""
    played: int = 0
    """Games finished at this table."""
    earlier: int = 0
    """How many of them belong to matches that are over."""
    dealer: int = NO_SEAT
    """The seat that deals first in the next game; NO_SEAT while the draw or the table decides."""

    @property
    def game(self) -> int:
        """The number of the next game at this table, from 1."""
        return self.played + 1

    @property
    def of_match(self) -> int:
        """The number of the next game within its match, from 1."""
        return self.played - self.earlier + 1

    @property
    def next_rules(self) -> Rules:
        """The rules of the next game: partners are not drawn a second time."""
        if self.played == self.earlier or not self.rules.partners_by_draw:
            return self.rules
        options: dict[str, Any] = options_of(self.rules) | {"partners_by_draw": False}
        return rules_for(self.rules.variant, **options)

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that have won the match: none while it goes on, several where they are tied.

        After nine games most points win, then most games, then the spread.
        """
        sides = range(self.rules.sides)
        if self.length in WINS:
            return tuple(side for side in sides if self.tally[side] >= WINS[self.length])
        if self.length is not Length.NINE or self.played - self.earlier < GAMES:
            return ()
        standing = [(self.tally[side], self.games[side], self.spread[side]) for side in sides]
        return tuple(side for side in sides if standing[side] == max(standing))

    @property
    def following(self) -> "Match":
        """The match that the next game belongs to: this one, or a new one of the same kind once it is won."""
        if not self.winners:
            return self
        new = begin(self.rules, next_dealer=self.next_dealer, length=self.length)
        return replace(new, played=self.played, earlier=self.played)

    def after(self, state: State, left: Collection[int] = ()) -> "Match":
        """Return the match with a finished game added; ValueError if the game has no winner.

        left: the seats of players who left the game, in addition to one who forfeited it.
        """
        if state.won is None:
            raise ValueError("a game counts in a match only once it is won")
        lost = state.won.lost
        value = max(lost)
        if self.length is Length.NINE:
            value = A_SKUNK if value > 1 else A_GAME
        won, front = state.won.side, state.won.scores
        ahead = [score - max(front[:side] + front[side + 1 :]) for side, score in enumerate(front)]
        # The winner by a forfeit may have been behind: then no holes are counted.
        ahead = [max(more, 0) if side == won else min(more, 0) for side, more in enumerate(ahead)]
        return replace(
            self,
            tally=_added(self.tally, won, value),
            games=_added(self.games, won, 1),
            spread=tuple(before + now for before, now in zip(self.spread, ahead, strict=True)),
            lost=tuple(before + now for before, now in zip(self.lost, lost, strict=True)),
            seating=tuple(self.seating[seat] for seat in state.seating),
            played=self.played + 1,
            dealer=_next_dealer(state, left) if self.next_dealer is NextDealer.LOSER else NO_SEAT,
        )

    def table(self, decks: Decks) -> Table:
        """The table of the next game, with its first dealer named where the match knows one.

        Give each game decks of its own; where no dealer is known or drawn for, name one before play.
        """
        table = Table(self.next_rules, decks, named=self.dealer != NO_SEAT)
        if self.dealer != NO_SEAT:
            table.adopt(table.name_dealer(self.dealer))
        return table


def _added(counts: tuple[int, ...], side: int, more: int) -> tuple[int, ...]:
    return (*counts[:side], counts[side] + more, *counts[side + 1 :])


def begin(rules: Rules, *, next_dealer: NextDealer = NextDealer.LOSER, length: Length = Length.OPEN) -> Match:
    """A match before its first game; that one's dealer is drawn or named as the rules say."""
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
    """Return the seat that lost by most; of equals and of partners, the one whose deal would come first.

    No side with a player who left deals, unless every side has one: the first deal is an advantage. If all
    losers left, the winner deals.
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


class Failed(NamedTuple):
    """Who could not finish a game, by the order they came in, and why."""

    player: int
    error: PlayerFailed


def play_out(table: Table, players: Sequence[Player]) -> Failed | None:
    """Let players finish a game; `players` by the order they came in, whatever partners the draw gives them.

    Each is shown its View and nothing else. Where several may act at once, the table asks them in turn.
    A player that fails forfeits the game, and is returned; None if all played on.
    """
    if table.waiting == () and not table.over:
        table.adopt(table.chance_due())
    following = {id(one): one for one in players if isinstance(one, Follows)}
    for one in following.values():
        one.new_game(table.state.rules)
    failed = None
    while not table.over:
        if not table.waiting:
            raise ValueError("the table waits for a first dealer to be named (R28)")
        seat = table.waiting[0]
        state = table.state
        came = state.seating[seat]
        try:
            action = players[came].act(view(state, seat))
        except PlayerFailed as error:
            failed = Failed(came, error)
            table.forfeit(seat, ForfeitedFor.TIME if error.code == "time" else ForfeitedFor.FAILED)
            break
        table.submit(seat, action)
    assert table.state.won is not None
    for one in following.values():
        one.game_over(table.state.won)
    return failed
