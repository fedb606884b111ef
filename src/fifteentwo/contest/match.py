"""A match: games one after another, the games won, and who deals first in the next (R22, C14)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import msgspec

from fifteentwo.contest.table import Packs, Table
from fifteentwo.players import Player
from fifteentwo.rules.state import NOBODY, State
from fifteentwo.rules.variants import FirstDealer, Rules, options_of, variant
from fifteentwo.rules.view import view

replace = msgspec.structs.replace


class NextDealer(StrEnum):
    """Who deals first in the next game: the loser, or whoever the cards say (C14)."""

    LOSER = "loser"
    DRAW = "draw"


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """What is carried from one game to the next. Make one with `begin`, and go on with `after`."""

    rules: Rules
    """As agreed for the first game; `next_rules` says what the next is played by."""
    next_dealer: NextDealer = NextDealer.LOSER
    tally: tuple[int, ...]
    """Games won by each side: 1, a skunk 2, a double skunk 4; of several losers the largest (R18–R22)."""
    lost: tuple[int, ...]
    """Games lost by each side, each judged alone (C15)."""
    seating: tuple[int, ...]
    """Who came in n-th sits at seat i where seating[i] == n; partners are drawn only once (R29)."""
    played: int = 0
    """Games finished."""
    dealer: int = NOBODY
    """Who deals first in the next game; nobody while that is left to the draw or to the table."""

    @property
    def game(self) -> int:
        """The number of the next game, from 1."""
        return self.played + 1

    @property
    def next_rules(self) -> Rules:
        """The rules of the next game: nobody draws for partners a second time."""
        if not self.played or not self.rules.partners_by_draw:
            return self.rules
        options: dict[str, Any] = options_of(self.rules) | {"partners_by_draw": False}
        return variant(self.rules.form, **options)

    def after(self, state: State) -> "Match":
        """The match with a finished game added; ValueError for one that nobody has won."""
        if state.won is None:
            raise ValueError("a game counts in a match only once it is won")
        lost = state.won.lost
        tally = list(self.tally)
        tally[state.won.side] += max(lost)
        return replace(
            self,
            tally=tuple(tally),
            lost=tuple(before + now for before, now in zip(self.lost, lost, strict=True)),
            seating=tuple(self.seating[seat] for seat in state.seating),
            played=self.played + 1,
            dealer=_loser(state) if self.next_dealer is NextDealer.LOSER else NOBODY,
        )

    def table(self, packs: Packs) -> Table:
        """The table of the next game, with its first dealer named where the match knows one.

        Give each game packs of its own; where no dealer is known or drawn for, name one before play.
        """
        table = Table(self.next_rules, packs, named=self.dealer != NOBODY)
        if self.dealer != NOBODY:
            table.adopt(table.name_dealer(self.dealer))
        return table


def begin(rules: Rules, *, next_dealer: NextDealer = NextDealer.LOSER) -> Match:
    """A match before its first game; that one's dealer is drawn or named as the rules say."""
    if rules.first_dealer is FirstDealer.NAMED:
        next_dealer = NextDealer.LOSER
    nothing = (0,) * rules.sides
    return Match(
        rules=rules,
        next_dealer=next_dealer,
        tally=nothing,
        lost=nothing,
        seating=tuple(range(rules.seats)),
    )


def _loser(state: State) -> int:
    """The seat that lost by most; of equals and of partners, the one whose deal would come first."""
    rules = state.rules
    order = [(state.dealer + place) % rules.seats for place in range(1, rules.seats + 1)]
    losers = [seat for seat in order if state.won is not None and rules.side(seat) != state.won.side]
    return min(losers, key=lambda seat: state.front[rules.side(seat)])


def play_out(table: Table, players: Sequence[Player]) -> None:
    """Let players finish a game; `players` by the order they came in, whoever partners the draw gives them.

    Each is shown its View and nothing else. Where several may act at once, the table asks them in turn.
    """
    if table.waiting == () and not table.over:
        table.adopt(table.chance_due())
    while not table.over:
        if not table.waiting:
            raise ValueError("the table waits for a first dealer to be named (R28)")
        seat = table.waiting[0]
        state = table.state
        table.submit(seat, players[state.seating[seat]].act(view(state, seat)))
