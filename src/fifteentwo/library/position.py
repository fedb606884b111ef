"""Positions of a game from one seat, as text that can be stored and sent: `Position`.

docs/position.md specifies the text.
"""

from collections.abc import Iterator
from os import PathLike
from typing import Any, final

import msgspec

from fifteentwo.contest.view_consistency import ImpossibleView, pegged_so_far, state_of
from fifteentwo.formats.position import CLEARED, GO, WrittenPosition, in_order, read, write
from fifteentwo.library.arguments import file_path
from fifteentwo.library.hands import DiscardOption, discards
from fifteentwo.rules.actions import Deal, Discard, NameDealer, TurnUp
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card, Rank
from fifteentwo.rules.errors import IllegalAction, InvalidArgument, NotationError, is_seat
from fifteentwo.rules.events import CountCleared, Played, WentGo
from fifteentwo.rules.game import step
from fifteentwo.rules.pegging import LIMIT, playable
from fifteentwo.rules.state import NO_SEAT, Phase, State, evolve, start
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view

replace = msgspec.structs.replace
OWN_SEAT = 0
"""Seat of the player in a position's View."""
_SUITS = "SHDC"


class CardOption(msgspec.Struct, frozen=True, kw_only=True):
    """A playable card and its value."""

    card: Card
    win: float | None
    """Win probability; None in variants for which it is unknown."""
    points: float
    """Own points from here on in pegging, less the opponents'."""

    def __str__(self) -> str:
        win = "" if self.win is None else f", {self.win:.1%} to win"
        return f"{self.card}: {self.points:+.2f}{win}"


@final
class Position:
    """A position as one player sees it. Positions are equal if their texts are.

    >>> print(Position("100-91* 5-6-8-Q-Q-K"))
    100-91 pone 568QQK
    >>> print(Position("110-116 pone 5H5S6D7CJCKD").best())
    5H 5S JC KD (6D 7C): +4.81, 45.0% to win
    """

    __slots__ = ("_seen", "_written", "assumed", "text")

    text: str
    """Canonical text."""
    assumed: tuple[Card, ...]
    """If only ranks are known, the own cards with suits that make no flush; otherwise empty."""
    _written: WrittenPosition
    _seen: View

    def __init__(self, text: str) -> None:
        """Read a position; raise NotationError if the text is wrong, or no game leads there."""
        if not isinstance(text, str):
            raise InvalidArgument("not-text", "text", text)
        written = read(text)
        try:
            seen, tokens = _to_view(written)
        except (ImpossibleView, IllegalAction) as error:
            raise NotationError("position-impossible", text) from error
        written = replace(written, played=tokens)
        for name, value in (
            ("_written", written),
            ("_seen", seen),
            ("text", write(written)),
            ("assumed", () if written.has_suits else (*(seen.kept or seen.hand), *seen.discarded)),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a position does not change: {name}")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Position({self.text!r})"

    def _repr_html_(self) -> str:
        from fifteentwo.library.pictures import position_html

        return position_html(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[type["Position"], tuple[str]]:
        return Position, (self.text,)

    @classmethod
    def of(cls, seen: View) -> "Position":
        """Return the position of a View.

        Raises:
            InvalidArgument: no dealer is known, or a claim is open.
        """
        if not isinstance(seen, View):
            raise InvalidArgument("not-a-view", "seen", seen)
        return cls(write(_from_view(as_view(seen))))

    @classmethod
    def load_all(cls, file: "str | PathLike[str]") -> "tuple[Position, ...]":
        """Return the positions in a file, one a line; empty lines and lines that begin with # are ignored.

        Raises:
            NotationError: with the first line that is not a position.
            OSError: the file cannot be read.
        """
        return tuple([position for _, position in positions_in(file_path(file).read_bytes())])

    @property
    def rules(self) -> Rules:
        """Rules of the variant with this target, without cuts."""
        return self._seen.rules

    @property
    def score(self) -> tuple[int, ...]:
        """Scores: the own side's first, then the others' clockwise."""
        return self._written.score

    @property
    def is_dealer(self) -> bool:
        """Whether this player deals."""
        return self._seen.is_dealer

    def view(self) -> View:
        """Return the View of this position; the player's seat is 0.

        If only ranks are known, the cards have the suits of `assumed`.
        """
        return self._seen

    def options(self) -> tuple[DiscardOption, ...] | tuple[CardOption, ...]:
        """Return every discard, or every playable card, the best first.

        Raises:
            InvalidArgument: it is not this player's turn.
        """
        seen = self._seen
        if seen.phase is Phase.DISCARD:
            rules = seen.rules
            known = rules.seats == 2
            return discards(
                seen.hand,
                dealer=rules.side(seen.dealer) == seen.side,
                score=self.score if known else None,
                variant=rules.variant.value,
                target=rules.target,
            )
        if seen.phase is not Phase.PLAY or seen.turn != OWN_SEAT:
            raise InvalidArgument("nothing-to-choose", "position", self.text)
        from fifteentwo.analysis.review.hint import card_values

        values = card_values(seen).values
        cards = {card.index >> 2: card for card in reversed(seen.playable)}
        best_first = sorted(cards, key=lambda rank: (values[rank].merit, rank), reverse=True)
        return tuple(
            [
                CardOption(card=cards[rank], win=values[rank].win, points=values[rank].points)
                for rank in best_first
            ]
        )

    def best(self) -> DiscardOption | CardOption:
        """Return the best discard or card to play; cards without suits are analysed as `assumed`."""
        return self.options()[0]

    def before_deal(self) -> tuple[int, ...]:
        """Return the scores when this deal began, own side first."""
        if self._seen.starter is None:
            return self.score
        return tuple(
            [
                points - pegged
                for points, (pegged, _) in zip(self.score, pegged_so_far(self._seen), strict=True)
            ]
        )


def positions_in(data: bytes | str) -> Iterator[tuple[int, Position]]:
    """Yield the positions of a text with their line numbers; raise NotationError at the first wrong line."""
    from fifteentwo.formats.encodings import decode

    for number, line in enumerate(decode(data)[0].splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield number, Position(line.strip())
        except NotationError as error:
            raise NotationError("position-line", line.strip(), number) from error


def _to_view(written: WrittenPosition) -> tuple[View, tuple[str, ...]]:
    """Return the View of a position, and its played cards in canonical form."""
    rules = written.rules
    dealer = -written.place % rules.seats
    state, _ = step(start(rules, named=True), NameDealer(dealer))
    state = replace(state, front=written.score, rear=written.score)
    if not written.hand:
        return view(state, OWN_SEAT), ()
    deck = _Deck(written)
    state = _dealt(state, deck)
    tokens: tuple[str, ...] = ()
    if deck.starter is not None:
        state = replace(state, front=(-1000,) * rules.sides, rear=(-1000,) * rules.sides)
        state, _ = step(state, TurnUp(deck.starter))
        pegging = _Pegging(state, suited=deck.suited)
        for token in written.played:
            pegging.read(token, deck)
        pegging.add_forced()
        state, tokens = replace(pegging.state, front=written.score, rear=written.score), tuple(pegging.tokens)
        if not any(state.hands) or state.phase is not Phase.PLAY:
            raise IllegalAction("not-now", "R78", phase="play")
    seen = view(state, OWN_SEAT)
    if deck.starter is not None:
        moves = [last for _, last in pegged_so_far(seen)]
        seen = replace(
            seen, rear=tuple([max(f - last, 0) for f, last in zip(seen.front, moves, strict=True)])
        )
        state_of(seen)
    return seen, tokens


def _dealt(state: State, deck: "_Deck") -> State:
    """Return the state after the deal, and after the discards if the position has them."""
    rules = state.rules
    hidden = iter(deck.unknown())
    own = (*deck.hand, *deck.discarded)
    hands = [own if seat == OWN_SEAT else tuple([next(hidden) for _ in own]) for seat in range(rules.seats)]
    seats = [(state.eldest + place) % rules.seats for place in range(rules.seats)]
    in_turn = [hands[seat][place] for place in range(rules.dealt) for seat in seats]
    state, _ = step(state, Deal((*in_turn, *[next(hidden) for _ in range(rules.dealt_to_crib)])))
    if deck.discarded:
        for seat in seats:
            away = deck.discarded if seat == OWN_SEAT else hands[seat][: rules.discards]
            state, _ = step(state, Discard(seat, away))
    return state


class _Deck:
    """The cards of a position; if it has only ranks, with suits that make no flush and no nobs."""

    def __init__(self, written: WrittenPosition) -> None:
        self.suited = written.has_suits
        self.used: list[Card] = []
        if not self.suited:
            own = [*written.hand, *written.discarded]
            # Suits take turns, so that none occurs more than twice.
            ordered = in_order(own)
            dealt = [self._take(rank + _SUITS[place % 4]) for place, rank in enumerate(ordered)]
            by_rank = {rank: [card for card in dealt if card.text[0] == rank] for rank in own}
            self.hand = tuple([by_rank[rank].pop(0) for rank in written.hand])
            self.discarded = tuple([by_rank[rank].pop(0) for rank in written.discarded])
        else:
            self.hand = tuple([self._take(card) for card in written.hand])
            self.discarded = tuple([self._take(card) for card in written.discarded])
        self.starter = None if written.starter is None else self.card(written.starter, starter=True)
        self.known = {token for token in written.played if len(token) == 2}

    def card(self, text: str, *, starter: bool = False) -> Card:
        """Return a card of another seat; for a rank alone, of an unused suit, preferably without nobs."""
        if self.suited:
            return self._take(text)
        jacks = {card.suit for card in self.hand if card.rank is Rank.JACK} if starter else set()
        free = [suit for suit in _SUITS if Card(text + suit) not in self.used]
        if not free:
            raise NotationError("card-twice", text)
        return self._take(text + next((suit for suit in free if suit not in jacks), free[0]))

    def _take(self, text: str) -> Card:
        if len(text) != 2:
            raise NotationError("position-card", text)
        card = Card(text)
        if card in self.used:
            raise NotationError("card-twice", text)
        self.used.append(card)
        return card

    def unknown(self) -> list[Card]:
        """Return the cards that can replace hidden ones."""
        return [card for card in DECK if card not in self.used and card.text not in self.known]


class _Pegging:
    """The pegging of a position, card by card, with every go and every end of a count."""

    def __init__(self, state: State, *, suited: bool) -> None:
        self.state = state
        self.suited = suited
        self.tokens: list[str] = []

    def read(self, token: str, deck: _Deck) -> None:
        """Play a card, a go or the end of a count; goes that are not written are added."""
        if token == GO:
            if self.state.turn != NO_SEAT and self.state.played:
                self._go()
                return
            raise IllegalAction("not-now", "R54", phase="play")
        if token == CLEARED:
            cleared = len(self.state.count_ends) + 1
            if self.state.played and not self._is_clear():
                self.say_goes(cleared, 0)
            return
        value = min(RANK_TEXT.index(token[0]) + 1, 10)
        for _ in range(3 * self.state.rules.seats):
            turn = self.state.turn
            own = self._own(token)
            mine = own is not None and (deck.suited or turn == OWN_SEAT)
            if turn != NO_SEAT and self.state.count + value <= LIMIT and (turn == OWN_SEAT) == mine:
                self.play(turn, own if mine and own is not None else deck.card(token))
                return
            self._advance()
        raise IllegalAction("out-of-turn", "R50")

    def play(self, seat: int, card: Card) -> None:
        hands = list(self.state.hands)
        if not hands[seat]:
            raise IllegalAction("card-not-held", "R51", seat, card=card.text)
        if seat != OWN_SEAT and card not in hands[seat]:
            hands[seat] = (card, *hands[seat][1:])
        state = replace(self.state, hands=tuple(hands))
        self.state = evolve(state, Played(seat, card, state.count + card.value))
        self.tokens.append(card.text if self.suited else card.text[0])

    def play_after_goes(self, seat: int, card: Card) -> None:
        """Play a card after the goes that bring the seat on turn."""
        for _ in range(3 * self.state.rules.seats):
            if self.state.turn == seat and self.state.count + card.value <= LIMIT:
                self.play(seat, card)
                return
            self._advance()
        raise IllegalAction("out-of-turn", "R50", seat)

    def say_goes(self, cleared: int, gone: int) -> None:
        """Say goes until the given numbers of counts are over and of seats have said go."""
        for _ in range(3 * self.state.rules.seats):
            if len(self.state.count_ends) >= cleared and len(self.state.said_go) >= gone:
                return
            self._advance()

    def add_forced(self) -> None:
        """Add what follows from the own cards alone: a go if none fits, the end of a count at 31."""
        for _ in range(3 * self.state.rules.seats):
            state = self.state
            own_waits = state.turn == OWN_SEAT and not playable(state.hands[OWN_SEAT], state.count)
            if (
                not state.played
                or self._is_clear()
                or not (own_waits or state.count == LIMIT or state.turn == NO_SEAT)
            ):
                return
            self._advance()

    def _own(self, token: str) -> Card | None:
        return next((card for card in self.state.hands[OWN_SEAT] if card.text.startswith(token)), None)

    def _is_clear(self) -> bool:
        return len(self.state.played) in self.state.count_ends

    def _advance(self) -> None:
        """Say go for the seat on turn, or end the count if no seat can play."""
        if not self.state.played or self._is_clear():
            raise IllegalAction("out-of-turn", "R50")
        if self.state.count == LIMIT or self.state.turn in (self.state.played[-1][0], NO_SEAT):
            self.state = evolve(self.state, CountCleared(self.state.count))
            self.tokens.append(CLEARED)
        else:
            self._go()

    def _go(self) -> None:
        self.state = evolve(self.state, WentGo(self.state.turn))
        self.tokens.append(GO)


def _from_view(seen: View) -> WrittenPosition:
    """Return the written position of a View."""
    rules = seen.rules
    if seen.dealer == NO_SEAT or seen.phase in (Phase.CLAIM, Phase.CHALLENGE, Phase.OVER):
        raise InvalidArgument("view-without-position", "seen", seen.phase.value)
    first = seen.seat if rules.sides == rules.seats else seen.side
    written = WrittenPosition(
        variant=rules.variant,
        target=rules.target,
        score=tuple([seen.front[(first + place) % rules.sides] for place in range(rules.sides)]),
        place=(seen.seat - seen.dealer) % rules.seats or rules.seats,
    )
    if seen.phase in (Phase.CUT, Phase.DEAL):
        return written
    written = replace(
        written,
        hand=in_order([card.text for card in seen.kept or seen.hand]),
        discarded=in_order([card.text for card in seen.discarded]),
    )
    if seen.starter is None:
        return written
    written = replace(
        written, starter=seen.starter.text, played=tuple([card.text for _, card in seen.played])
    )
    state = _dealt(
        step(start(written.rules, named=True), NameDealer(-written.place % rules.seats))[0], _Deck(written)
    )
    pegging = _Pegging(step(state, TurnUp(seen.starter))[0], suited=True)
    for seat, card in seen.played:
        pegging.play_after_goes((seat - seen.seat) % rules.seats, card)
    pegging.say_goes(len(seen.count_ends), len(seen.said_go))
    return replace(written, played=tuple(pegging.tokens))


def as_view(given: Any) -> View:
    """Return a View from a View, a Position or its text; raise InvalidArgument for anything else."""
    if isinstance(given, View):
        if not is_seat(given.seat, given.rules.seats):
            raise InvalidArgument("not-a-seat", "seen", given.seat)
        return given
    if isinstance(given, Position):
        return given.view()
    if isinstance(given, str):
        return Position(given).view()
    raise InvalidArgument("not-a-view", "seen", given)
