"""Events as sentences, in the words of players at a table."""

from collections.abc import Iterable, Iterator, Sequence

from fifteentwo.i18n.cards import card_text, cards_text, listed
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.scores import score_text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import (
    Accepted,
    Claimed,
    ClaimSettled,
    CountCleared,
    DealEnded,
    DealerChosen,
    Dealt,
    DeckCut,
    Discarded,
    DrawTied,
    Drew,
    Event,
    GameWon,
    MugginsCalled,
    PartnersMade,
    Pegged,
    PeggedFor,
    Picked,
    Played,
    Score,
    Shown,
    StarterTurned,
    StockCut,
    WentGo,
)

_SHOW_REASONS = (PeggedFor.HAND, PeggedFor.CRIB)


def event_text(
    event: Event,
    lang: str,
    names: Sequence[str],
    viewer: int | None = None,
    *,
    sides: int | None = None,
    called: bool = False,
) -> str:
    """Return one event as a sentence.

    Args:
        event: the event.
        lang: the language.
        names: names by seat after the event.
        viewer: the reader's own seat.
        sides: 2 if four play in partnerships; by default everyone plays alone.
        called: whether a player called muggins on the claim that is settled.

    >>> event_text(Played(0, Card("5H"), 15), "en", ("Aiko", "Ken"), viewer=0)
    'You play 5♥: 15.'
    """
    return _EventText(lang, names, viewer, sides, called).of(event)


class _EventText:
    def __init__(
        self, lang: str, names: Sequence[str], viewer: int | None, sides: int | None, called: bool
    ) -> None:
        self.lang = lang
        self.names = names
        self.viewer = viewer
        self.sides = len(names) if sides is None else sides
        self.called = called

    def of(self, event: Event) -> str:
        match event:
            case Played(seat=seat, card=card, count=count):
                return self._about_seat("event.played", seat, card=self._card(card), count=count)
            case WentGo(seat=seat):
                return self._about_seat("event.go", seat)
            case Pegged():
                return self._pegged_sentence(event)
            case CountCleared(count=count):
                return self._text("event.cleared", count=count)
            case Discarded(seat=seat, cards=cards):
                return self._about_seat("event.discarded", seat, cards=self._cards(cards))
            case Shown(seat=seat, cards=cards, crib=crib):
                key = "event.crib-shown" if crib else "event.hand-shown"
                return self._about_seat(key, seat, cards=self._cards(cards))
            case DealEnded(dealer=dealer):
                return self._about_seat("event.deal-ended", dealer)
            case GameWon():
                return self._won_sentence(event)
            case Claimed(seat=seat, points=points):
                return self._about_seat("event.claimed", seat, points=points)
            case MugginsCalled(seat=seat):
                return self._about_seat("event.called", seat)
            case Accepted(seat=seat):
                return self._about_seat("event.accepted", seat)
            case ClaimSettled():
                return self._settled_sentence(event)
            case _:
                return self._before_pegging(event)

    def _before_pegging(self, event: Event) -> str:
        match event:
            case Picked(seat=seat):
                return self._about_seat("event.picked", seat)
            case Drew(seat=seat, card=card):
                return self._about_seat("event.drew", seat, card=self._card(card))
            case DrawTied(seats=seats):
                return self._text("event.tied", names=listed(map(self._name_within, seats), self.lang))
            case PartnersMade():
                self.sides = 2
                one, other = self._side_name(0), self._side_name(1)
                return self._text("event.partners", one=one, other=other)
            case DealerChosen(dealer=dealer):
                return self._about_seat("event.dealer", dealer)
            case DeckCut(seat=seat):
                return self._about_seat("event.deck-cut", seat)
            case Dealt():
                return self._text("event.dealt")
            case StockCut(seat=seat):
                return self._about_seat("event.stock-cut", seat)
            case StarterTurned(card=card):
                return self._text("event.starter", card=self._card(card))
            case _:
                raise AssertionError(event)

    def _pegged_sentence(self, event: Pegged) -> str:
        sentences = list(self._scores(event.scores))
        if not event.scores:
            sentences.append(self._text("event.pegged.claim", points=event.points))
        elif event.reason in _SHOW_REASONS:
            sentences.append(self._text(f"event.pegged.{event.reason.value}", points=event.points))
        elif len(event.scores) > 1:
            sentences.append(self._text("event.pegged.together", points=event.points))
        name = (
            self._side_name(event.side, first=True)
            if self._partners
            else self._name_within(event.seat, first=True)
        )
        sentences.append(self._text("event.total", name=name, score=event.score))
        return self._sentences(sentences)

    def _settled_sentence(self, event: ClaimSettled) -> str:
        claimed, right = event.claimed, event.right
        if claimed == right:
            return self._text(
                "event.settled.call-fails" if self.called else "event.settled.right", points=right
            )
        if claimed < right:
            sentence = self._text(
                "event.settled.missed", claimed=claimed, right=right, missed=right - claimed
            )
        else:
            sentence = self._text("event.settled.over", claimed=claimed, right=right, over=claimed - right)
        return self._sentences((sentence, *self._scores(event.scores)))

    def _scores(self, scores: Iterable[Score]) -> Iterator[str]:
        for score in scores:
            words = score_text(score, self.lang, cards_text)
            yield self._text("event.score", score=words[:1].upper() + words[1:])

    def _won_sentence(self, event: GameWon) -> str:
        self.sides = len(event.scores)
        others = [score for side, score in enumerate(event.scores) if side != event.side]
        won, lost = event.scores[event.side], listed(others, self.lang)
        if len(others) == 2:
            lost = self._text("list.score").join(map(str, others))
        sentences = [self._about_side("event.won", event.side, score=won, others=lost)]
        if event.forfeited is not None and event.why is not None:
            sentences.insert(0, self._about_seat(f"event.forfeit.{event.why.value}", event.forfeited))
        for side, games in enumerate(event.lost):
            if games > 1:
                sentences.append(
                    self._about_side("event.double-skunked" if games == 4 else "event.skunked", side)
                )
        return self._sentences(sentences)

    def _about_seat(self, key: str, seat: int, **values: object) -> str:
        """Return the sentence about a seat, in the second person if it is the reader's."""
        if seat == self.viewer:
            return self._text(f"{key}.you", **values)
        return self._text(key, name=self._name(seat), **values)

    def _about_side(self, key: str, side: int, **values: object) -> str:
        if self._partners:
            return self._text(f"{key}.team", name=self._side_name(side, first=True), **values)
        return self._about_seat(key, side, **values)

    @property
    def _partners(self) -> bool:
        return self.sides < len(self.names)

    def _side_name(self, side: int, *, first: bool = False) -> str:
        """Return the name of a side, the reader first. first: whether it begins a sentence."""
        if not self._partners:
            return self._name_within(side, first=first)
        one, other = side, side + self.sides
        if other == self.viewer:
            one, other = other, one
        return self._text(
            "name.team", first=self._name_within(one, first=first), second=self._name_within(other)
        )

    def _name_within(self, seat: int, *, first: bool = False) -> str:
        """Return the name of a seat. first: whether it begins a sentence."""
        if seat == self.viewer:
            return self._text("name.you" if first else "name.you-within")
        return self._name(seat)

    def _name(self, seat: int) -> str:
        return self.names[seat] or self._text("name.seat", n=seat + 1)

    def _text(self, key: str, **values: object) -> str:
        return text(key, self.lang, **values)

    def _sentences(self, sentences: Iterable[str]) -> str:
        return (" " if self.lang == "en" else "").join(sentences)

    def _card(self, card: Card) -> str:
        return card_text(card, self.lang)

    def _cards(self, cards: Sequence[Card]) -> str:
        return cards_text(cards, self.lang)
