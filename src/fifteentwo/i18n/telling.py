"""What happened, one sentence an event, as somebody at the table would say it."""

from collections.abc import Iterable, Sequence

from fifteentwo.i18n.catalogue import text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import (
    Accepted,
    Claimed,
    ClaimSettled,
    CountCleared,
    DealEnded,
    DealerChosen,
    Dealt,
    DrawTied,
    Drew,
    Event,
    GameWon,
    LaidAway,
    MugginsCalled,
    PackCut,
    PartnersMade,
    Pegged,
    PeggedFor,
    Picked,
    Played,
    Score,
    ScoreName,
    Shown,
    StarterTurned,
    StockCut,
    WentGo,
)

_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_text(card: Card | str, lang: str) -> str:
    """A card as it is read: "5♥" in English, 「♥5」 in Japanese."""
    written = card.text if isinstance(card, Card) else card
    rank = "10" if written[0] == "T" else written[0]
    return text("card", lang, rank=rank, sign=_SIGNS[written[1]])


def cards_text(cards: Sequence[Card | str], lang: str) -> str:
    """Cards one after another, as they are read.

    >>> cards_text(["4C", "TS"], "en"), cards_text(["4C", "TS"], "ja")
    ('4♣ 10♠', '♣4と♠10')
    """
    told = [card_text(card, lang) for card in cards]
    return text("join.two-cards" if len(told) == 2 else "join.cards", lang).join(told)


def tell(
    event: Event, lang: str, names: Sequence[str], viewer: int | None = None, *, sides: int | None = None
) -> str:
    """One event in words. `names`: by seat as seated after the event; `viewer`: the reader's own seat.

    `sides` is 2 where four play in partnerships; without it everyone plays alone.

    >>> tell(Played(0, Card("5H"), 15), "en", ("Aiko", "Ken"), viewer=0)
    'You lay 5♥: 15.'
    """
    return _Teller(lang, names, viewer, sides).tell(event)


class _Teller:
    """Who reads, in which language, and who sits where."""

    def __init__(self, lang: str, names: Sequence[str], viewer: int | None, sides: int | None) -> None:
        self.lang = lang
        self.names = names
        self.viewer = viewer
        self.sides = len(names) if sides is None else sides

    def tell(self, event: Event) -> str:
        match event:
            case Played(seat=seat, card=card, count=count):
                return self._of("event.played", seat, card=self._card(card), count=count)
            case WentGo(seat=seat):
                return self._of("event.go", seat)
            case Pegged():
                return self._pegged(event)
            case CountCleared(count=count):
                return self._text("event.cleared", count=count)
            case LaidAway(seat=seat, cards=cards):
                return self._of("event.laid-away", seat, cards=self._cards(cards))
            case Shown(seat=seat, cards=cards, crib=crib):
                key = "event.crib-shown" if crib else "event.hand-shown"
                return self._of(key, seat, cards=self._cards(cards))
            case DealEnded(dealer=dealer):
                return self._of("event.deal-ended", dealer)
            case GameWon():
                return self._won(event)
            case Claimed(seat=seat, points=points):
                return self._of("event.claimed", seat, points=points)
            case MugginsCalled(seat=seat):
                return self._of("event.called", seat)
            case Accepted(seat=seat):
                return self._of("event.accepted", seat)
            case ClaimSettled():
                return self._settled(event)
            case _:
                return self._before_the_play(event)

    def _before_the_play(self, event: Event) -> str:
        match event:
            case Picked(seat=seat):
                return self._of("event.picked", seat)
            case Drew(seat=seat, card=card):
                return self._of("event.drew", seat, card=self._card(card))
            case DrawTied(seats=seats):
                return self._sentence(self._text("event.tied", names=self._all(map(self._within, seats))))
            case PartnersMade():
                first, second, third, fourth = (self._name(seat) for seat in range(4))
                return self._text("event.partners", first=first, second=second, third=third, fourth=fourth)
            case DealerChosen(dealer=dealer):
                return self._of("event.dealer", dealer)
            case PackCut(seat=seat):
                return self._of("event.pack-cut", seat)
            case Dealt():
                return self._text("event.dealt")
            case StockCut(seat=seat):
                return self._of("event.stock-cut", seat)
            case StarterTurned(card=card):
                return self._text("event.starter", card=self._card(card))
            case _:
                raise AssertionError(event)

    def _pegged(self, event: Pegged) -> str:
        name = self._side(event.side) if self._partners else self._within(event.seat, first=True)
        total = self._text("event.total", name=name, score=event.score)
        joint = " " if self.lang == "en" else ""
        return f"{self._sentence(self._made(event))}{joint}{total}"

    def _made(self, event: Pegged) -> str:
        if not event.scores:
            return self._text("event.pegged.claim", points=event.points)
        if event.reason in (PeggedFor.HAND, PeggedFor.CRIB):
            key = f"event.pegged.{event.reason.value}"
            return self._text(key, points=event.points, kinds=self._kinds(event.scores))
        scores = self._all(self._score(score) for score in event.scores)
        if len(event.scores) == 1:
            return self._text("event.pegged.one", scores=scores)
        return self._text("event.pegged.sum", scores=scores, points=event.points)

    def _score(self, score: Score) -> str:
        length: object = len(score.cards)
        if self.lang == "en" and score.name is ScoreName.RUN:
            length = text(f"number.{length}", "en")
        return self._text(f"made.{score.name.value}", points=score.points, length=length)

    def _kinds(self, scores: Iterable[Score]) -> str:
        by_kind: dict[ScoreName, int] = {}
        for score in scores:
            by_kind[score.name] = by_kind.get(score.name, 0) + score.points
        told = [self._text(f"kind.{name.value}", points=points) for name, points in by_kind.items()]
        return self._text("join.comma").join(told)

    def _settled(self, event: ClaimSettled) -> str:
        claimed, right = event.claimed, event.right
        if claimed == right:
            return self._text("event.settled.right", points=right)
        if claimed < right:
            return self._text("event.settled.missed", claimed=claimed, right=right, missed=right - claimed)
        return self._text("event.settled.over", claimed=claimed, right=right, over=claimed - right)

    def _won(self, event: GameWon) -> str:
        self.sides = len(event.scores)
        others = [score for side, score in enumerate(event.scores) if side != event.side]
        told = [
            self._of_side("event.won", event.side, score=event.scores[event.side], others=self._all(others))
        ]
        for side, games in enumerate(event.lost):
            if games > 1:
                told.append(self._of_side("event.double-skunked" if games == 4 else "event.skunked", side))
        return (" " if self.lang == "en" else "").join(told)

    # ── Who ──────────────────────────────────────────────────────────────────────────────────────────────

    def _of(self, key: str, seat: int, **values: object) -> str:
        """The sentence about a seat, or to the reader where it is the reader's own."""
        if seat == self.viewer:
            return self._text(f"{key}.you", **values)
        return self._text(key, name=self._name(seat), **values)

    def _of_side(self, key: str, side: int, **values: object) -> str:
        if self._partners:
            return self._text(f"{key}.team", name=self._side(side), **values)
        return self._of(key, side, **values)

    @property
    def _partners(self) -> bool:
        return self.sides < len(self.names)

    def _side(self, side: int) -> str:
        if not self._partners:
            return self._within(side, first=True)
        first, second = side, side + self.sides
        if second == self.viewer:
            first, second = second, first
        return self._text("name.team", first=self._within(first, first=True), second=self._within(second))

    def _within(self, seat: int, *, first: bool = False) -> str:
        """The name inside a sentence."""
        if seat == self.viewer:
            return self._text("name.you" if first else "name.you-object")
        return self._name(seat)

    def _name(self, seat: int) -> str:
        return self.names[seat] or self._text("name.seat", n=seat + 1)

    # ── Words ────────────────────────────────────────────────────────────────────────────────────────────

    def _text(self, key: str, **values: object) -> str:
        return text(key, self.lang, **values)

    def _sentence(self, told: str) -> str:
        return told[:1].upper() + told[1:]

    def _card(self, card: Card) -> str:
        return card_text(card, self.lang)

    def _cards(self, cards: Sequence[Card]) -> str:
        return cards_text(cards, self.lang)

    def _all(self, items: Iterable[object]) -> str:
        """a, b and c."""
        told = [str(item) for item in items]
        if len(told) < 2:
            return "".join(told)
        commas = self._text("join.comma").join(told[:-1])
        return f"{commas}{self._text('join.and')}{told[-1]}"
