"""Games as lists of deals: made from records for writing, and played by the rules when they are read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fifteentwo.rules import pegging
from fifteentwo.rules.actions import (
    Accept,
    Action,
    CallMuggins,
    Claim,
    Deal,
    Discard,
    Forfeit,
    NameDealer,
    Play,
    TurnUp,
)
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card, Rank, Suit
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, NotationError
from fifteentwo.rules.events import ClaimSettled, DealEnded, DealerChosen, Event, GameWon
from fifteentwo.rules.game import MAX_POINTS, step
from fifteentwo.rules.record import UNKNOWN, Record, replay, unseen
from fifteentwo.rules.show import points as show_points
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Counting, Muggins, Rules, Variant, rules_for

Cards = tuple[Card, ...]


class CannotBeWritten(FifteenTwoError, ValueError):
    """Raised if a format cannot express something in a game."""

    def __init__(self, code: str, deal: int = 0) -> None:
        self.code = code
        self.deal = deal
        super().__init__(f"{code}: deal {deal}" if deal else code)


class Notice(NamedTuple):
    """A notice about an imported game: something was filled in, or was scored by other rules."""

    code: str
    line: int = 0
    """Line in the file, from 1; 0 for the whole file."""
    values: Mapping[str, str | int] = {}


class WrittenCard(NamedTuple):
    """A card as written down, possibly without its suit."""

    rank: Rank
    suit: Suit | None
    line: int = 0
    unknown: bool = False
    """Whether the card is a placeholder for one that is not written down (see `substitute_cards`)."""

    def is_of(self, card: Card) -> bool:
        """Return whether the written card may be this card."""
        return card.rank is self.rank and self.suit in (None, card.suit)

    def __str__(self) -> str:
        return RANK_TEXT[self.rank - 1] + (self.suit or "")


class WrittenDeal(NamedTuple):
    """A deal of two players as written down, with all thirteen cards."""

    dealer: int
    kept: tuple[Cards, Cards]
    """Cards kept, by seat."""
    discarded: tuple[Cards, Cards]
    starter: Card
    play: tuple[WrittenCard, ...]
    """Cards in the order played; fewer than eight in the deal that ends a game."""
    missed: Mapping[int, int] = {}
    """Points not claimed, by the card's index in `play`."""
    overclaimed: Mapping[int, int] = {}
    """Points claimed but not made, by the card's index in `play`."""
    text: str = ""
    line: int = 0
    unknown: Cards = ()
    """Substitutes for cards that are not written down."""
    unknown_line: int = 0
    """Line of the first of them."""


def substitute_cards(named: Iterable[Card], avoided: Iterable[Rank] = ()) -> Iterator[Card]:
    """Yield substitutes for cards that are not written down: unnamed cards, those of avoided ranks last.

    High cards come first, because a player who says go may hold them (R55).
    """
    taken, late = {*named}, {*avoided}
    rest = [card for card in DECK if card not in taken]
    yield from sorted(rest, key=lambda card: (-card.value, card.rank in late))


def unknown_card(line: int) -> NotationError:
    """Return the error for a card that is not written down but needed."""
    return NotationError("card-unknown", UNKNOWN, line)


def notation_rules(
    target: int, muggins: Muggins = Muggins.OFF, counting: Counting = Counting.AUTOMATIC
) -> Rules:
    return rules_for(
        Variant.SIX_CARD,
        target=target,
        first_dealer="named",
        cut_before_deal=False,
        starter="top",
        counting=counting.value,
        muggins=muggins.value,
    )


class GameBuilder:
    """Builds a game deal by deal; raises NotationError if the rules do not allow a deal."""

    def __init__(self, rules: Rules, *, fill_suits: bool = False) -> None:
        self.rules = rules
        self.fill_suits = fill_suits
        self.state: State = start(rules)
        self.actions: list[Action] = []
        self.unknown: Cards = ()
        self.unknown_line = 0
        self.stopped: NotationError | None = None
        """The error at a card that is not written down, at which reading stopped."""

    def record(self, names: Iterable[str]) -> Record:
        """Return the game up to the last deal read."""
        return Record(
            rules=self.rules,
            names=tuple(names),
            actions=tuple(self.actions),
            named=True,
            unknown=self.unknown,
        )

    def stop(self, error: NotationError) -> None:
        """Stop before the deal with this error; it is raised if no deal was read, or it is another error."""
        if error.code != "card-unknown" or not self.actions:
            raise error
        self.stopped = error

    def add(self, deal: WrittenDeal) -> list[tuple[Event, ...]]:
        """Play a deal, and return the events of each card played.

        If a card that is not written down matters, nothing is played and NotationError 'card-unknown' is
        raised.
        """
        if not deal.unknown:
            return self._add(deal)
        before, played = self.state, len(self.actions)
        try:
            by_card = self._add(deal)
            if not unseen(self.record(("", ""))).issuperset(deal.unknown):
                raise unknown_card(deal.unknown_line)
        except NotationError as error:
            among_played = any(one.is_of(card) for one in deal.play for card in deal.unknown)
            if error.code not in ("card-unknown", "play-not-whole") and not among_played:
                raise
            self.state = before
            del self.actions[played:]
            raise unknown_card(deal.unknown_line) from error
        self.unknown, self.unknown_line = deal.unknown, deal.unknown_line
        return by_card

    def _add(self, deal: WrittenDeal) -> list[tuple[Event, ...]]:
        if self.state.won is not None:
            raise NotationError("game-already-won", deal.text, deal.line)
        if self.state.phase is Phase.NAME_DEALER:
            self._step(NameDealer(deal.dealer), deal)
        if self.state.dealer != deal.dealer:
            raise NotationError("dealer-does-not-alternate", deal.text, deal.line)
        eldest = self.state.eldest
        hands = [(*deal.kept[seat], *deal.discarded[seat]) for seat in (eldest, deal.dealer)]
        cards = (*hands[0], *hands[1], deal.starter)
        if twice := [card.text for card in cards if cards.count(card) > 1]:
            raise NotationError("deal-card-twice", twice[0], deal.line)
        self._step(Deal(tuple([card for pair in zip(*hands, strict=True) for card in pair])), deal)
        for seat in (eldest, deal.dealer):
            self._step(Discard(seat, deal.discarded[seat]), deal)
        self._step(TurnUp(deal.starter), deal)
        return self._play(deal)

    def _play(self, deal: WrittenDeal) -> list[tuple[Event, ...]]:
        by_card: list[tuple[Event, ...]] = []
        for place, written in enumerate(deal.play):
            if self.state.won is not None:
                return by_card
            line, seat = written.line or deal.line, self.state.turn
            card = self._find_card(written, deal.play[place + 1 :], line)
            # A card that cannot be played is refused below, with its line.
            fits = pegging.playable(self.state.hands[seat], self.state.count)
            made = pegging.scores((*self.state.in_count, card)) if card in fits else ()
            right = sum(score.points for score in made)
            claimed = right - deal.missed.get(place, 0) + deal.overclaimed.get(place, 0)
            if not 0 <= claimed <= MAX_POINTS:
                raise NotationError("more-missed-than-made", card.text, line)
            events = self._step(Play(seat, card), deal, line)
            by_card.append((*events, *self._claims(deal, line, claimed)))
        if self.state.won is None and self.state.phase is Phase.PLAY:
            last = deal.play[-1].line if deal.play else 0
            raise NotationError("play-not-whole", deal.text, last or deal.line)
        return by_card

    def _find_card(self, written: WrittenCard, later: Sequence[WrittenCard], line: int) -> Card:
        """Return the card of the hand that was written down, and is not named later."""
        named = [other for other in later if other.suit is not None] if written.suit is None else []
        held = [
            card
            for card in self.state.hands[self.state.turn]
            if written.is_of(card) and not any(other.is_of(card) for other in named)
        ]
        if not held:
            raise NotationError("card-out-of-turn", str(written), line)
        if len(held) > 1 and not self.fill_suits:
            raise NotationError("suit-missing", str(written), line)
        return held[0]

    def _claims(self, deal: WrittenDeal, line: int, claimed: int) -> tuple[Event, ...]:
        """Claim the given points for the card just played, and the right points for all hands after it."""
        events: tuple[Event, ...] = ()
        for_the_card = True
        while self.state.phase in (Phase.CLAIM, Phase.CHALLENGE):
            seat = self.state.turn
            if self.state.phase is Phase.CLAIM:
                for_the_card = not self.state.shown
                events += self._step(
                    Claim(seat, claimed if for_the_card else _shown_points(self.state)), deal, line
                )
            elif for_the_card and deal.missed.get(len(self.state.played) - 1):
                events += self._step(CallMuggins(1 - seat), deal, line)
            else:
                events += self._step(Accept(1 - seat), deal, line)
        return events

    def _step(self, action: Action, deal: WrittenDeal, line: int = 0) -> tuple[Event, ...]:
        try:
            self.state, events = step(self.state, action)
        except IllegalAction as error:
            raise NotationError("action-refused", deal.text, line or deal.line) from error
        self.actions.append(action)
        return events


def _shown_points(state: State) -> int:
    assert state.starter is not None
    hand = state.crib if state.showing_crib else state.kept[state.turn]
    return show_points(hand, state.starter, crib=state.showing_crib)


_WrongClaim = tuple[ClaimSettled, State]
"""A wrong claim, and the state before it."""


class WrittenGame(NamedTuple):
    """A game as notations express it."""

    deals: list[WrittenDeal]
    """The finished deals. Cards that were not played when the game was won are at the end of `play`."""
    rest: tuple[Action, ...]
    """Actions after the last deal of an abandoned game, first the dealer's choice if there is no deal."""


def to_written_game(record: Record) -> WrittenGame:
    """Return a game as notations express it; raise CannotBeWritten if that is impossible."""
    if record.rules.variant is not Variant.SIX_CARD:
        raise CannotBeWritten("format-six-card-only")
    deals: list[WrittenDeal] = []
    open_deal = gave_up = False
    claims: list[_WrongClaim] = []
    rest: list[Action] = []
    before = start(record.rules, named=record.named)
    for action, after, events in replay(record):
        rest.append(action)
        if isinstance(action, Deal):
            claims, open_deal = [], True
        for event in events:
            if isinstance(event, DealerChosen):
                rest = [NameDealer(event.dealer)]
            if isinstance(event, ClaimSettled) and event.claimed != event.right:
                claims.append((event, before))
        gave_up = isinstance(action, Forfeit)
        if open_deal and not gave_up and any(isinstance(event, DealEnded | GameWon) for event in events):
            deals.append(_ended_deal(before, action, claims, len(deals) + 1))
            open_deal, rest = False, []
        before = after
    if open_deal and not gave_up:
        raise CannotBeWritten("format-within-a-deal", len(deals) + 1)
    if not gave_up:
        rest = []
    elif not deals and not isinstance(rest[0], NameDealer):
        # Without a dealer only the forfeit is written, because the notation cannot express a draw.
        rest = rest[-1:]
    return WrittenGame(deals, tuple(rest))


def _ended_deal(before: State, action: Action, claims: Iterable[_WrongClaim], number: int) -> WrittenDeal:
    """Return the deal that an action ended, from the state before it and the deal's wrong claims."""
    missed: dict[int, int] = {}
    over: dict[int, int] = {}
    for claim, then in claims:
        _add_wrong_claim(claim, then, number, missed, over)
    starter = action.card if isinstance(action, TurnUp) else before.starter
    assert starter is not None
    played = [card for _, card in before.played]
    if isinstance(action, Play):
        played.append(action.card)
    left = [card for hand in before.kept for card in hand if card not in played]
    kept, discarded = before.kept, before.discarded
    return WrittenDeal(
        before.dealer,
        (kept[0], kept[1]),
        (discarded[0], discarded[1]),
        starter,
        tuple(WrittenCard(card.rank, card.suit) for card in (*played, *left)),
        missed,
        over,
    )


def _add_wrong_claim(
    event: ClaimSettled, state: State, deal: int, missed: dict[int, int], over: dict[int, int]
) -> None:
    """Add a wrong claim by its card; raise CannotBeWritten if there is no sign for it."""
    muggins, place = state.rules.muggins, len(state.played) - 1
    taken = event.caller is not None
    if not state.shown and event.claimed < event.right and taken is (muggins is not Muggins.OFF):
        missed[place] = event.right - event.claimed
    elif (
        not state.shown
        and event.claimed > event.right
        and muggins is Muggins.MISSED_AND_OVERCLAIMS
        and not taken
    ):
        over[place] = event.claimed - event.right
    else:
        raise CannotBeWritten("format-claim", deal)
