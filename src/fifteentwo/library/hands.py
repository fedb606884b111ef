"""Hands: what they score, and every discard with its value."""

from typing import Any

import msgspec

from fifteentwo.library.arguments import (
    Cards,
    Points,
    read_card,
    read_cards,
    read_rules,
    read_score,
    true_or_false,
)
from fifteentwo.rules import show
from fifteentwo.rules.cards import Card, show_text
from fifteentwo.rules.errors import InvalidArgument, NotationError
from fifteentwo.rules.events import Score


class HandScore(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand or crib scores: `points`, the `items` in counting order, and in words as text.

    >>> print(score("5H 5S 6D JC", starter="8C"))
    fifteen two, fifteen four, pair six, and one's seven
    """

    hand: tuple[Card, ...]
    starter: Card
    crib: bool
    items: tuple[Score, ...]
    """Each score: its name, cards, points and rule."""
    points: int

    def __int__(self) -> int:
        return self.points

    def __str__(self) -> str:
        return self.spoken("en")

    def spoken(self, lang: str = "en") -> str:
        """Return the count as it is said aloud, in English ("en") or Japanese ("ja")."""
        from fifteentwo.i18n.spoken import count_text

        return count_text(self.items, lang)

    def _repr_html_(self) -> str:
        from fifteentwo.library.pictures import score_html

        return score_html(self)


class DiscardOption(msgspec.Struct, frozen=True, kw_only=True):
    """One way to discard, and its value. Points are means over all cards not seen."""

    discard: tuple[Card, ...]
    keep: tuple[Card, ...]
    win: float | None
    """The chance of winning the game; None without a score, and in variants where it is not known."""
    net: float
    """Points: hand, plus or minus the crib, plus pegging."""
    hand: float
    crib: float
    """Points of the crib, for either player."""
    pegging: float | None
    """Points pegged, own minus the opponent's; None in variants where it is not known."""

    def __str__(self) -> str:
        win = "" if self.win is None else f", {self.win:.1%} to win"
        return f"{show_text(self.keep)} ({show_text(self.discard)}): {self.net:+.2f}{win}"


class Discards(tuple[DiscardOption, ...]):
    """Every discard of a hand, best first: a tuple that notebooks show as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from fifteentwo.library.pictures import discards_html

        return discards_html(self)


def score(hand: Cards, *, starter: str | Card, crib: bool = False, five_card: bool = False) -> HandScore:
    """Return what a hand of four scores with the starter, item by item.

    crib: it is a crib, whose flush needs the starter (R86). five_card: a hand of three of the five-card game
    (R103). Cards as text ("5H 5S 5D JC", "5♥ 5♠", "5H5S5DJC") or as `Card` objects.
    NotationError where a card cannot be read, is there twice, or there are too many or too few;
    InvalidArgument where it is neither text nor cards, or `crib` neither True nor False.

    >>> score("5H 5S 5D JC", starter="5C").points
    29
    >>> [item.name.value for item in score("4H 5S 6D 6C", starter="KC").items]
    ['fifteen', 'fifteen', 'fifteen', 'pair', 'run', 'run']
    """
    is_crib, is_five_card = true_or_false(crib, "crib"), true_or_false(five_card, "five_card")
    turned = read_card(starter, "starter")
    held = read_cards(hand, "hand", 3 if is_five_card and not is_crib else 4)
    if turned in held:
        raise NotationError("card-twice", turned.text, len(held))
    items = show.scores(held, turned, crib=is_crib)
    return HandScore(
        hand=held, starter=turned, crib=is_crib, items=items, points=sum([item.points for item in items])
    )


def discards(
    hand: Cards,
    *,
    dealer: bool,
    score: Points | None = None,
    variant: str = "six-card",
    target: int | None = None,
) -> Discards:
    """Return every discard of a dealt hand with its value, best first.

    By the chance of winning where a score is given, else by net points. dealer: whether the crib counts for
    this hand's side. score: own and opponent's points, as (110, 116) or "110-116"; two players alone.
    target: 61 for the half game. The same figures as `fifteentwo discard`; about 20 ms.
    NotationError where these are not so many different cards as the variant deals, UnknownVariant,
    InvalidArgument where the score is none, or no chances are known.

    >>> best = discards("5H 5S 6D 7C JC KD", dealer=False, score=(110, 116))[0]
    >>> show_text(best.discard), round(best.win, 2)
    ('6D 7C', 0.45)
    """
    rules = read_rules(variant, target)
    held = read_cards(hand, "hand")
    if len(held) != rules.dealt:
        raise NotationError("cards-not-as-dealt", show_text(held), rules.dealt)
    own_crib = true_or_false(dealer, "dealer")
    board = None
    if score is not None:
        if rules.seats != 2:
            raise InvalidArgument("no-win-chances", "score", rules.variant.value)
        board = read_score(score, rules.target)
    from fifteentwo.analysis.discards.discard import options

    return Discards([_means(option) for option in options(held, own_crib=own_crib, rules=rules, board=board)])


def _means(option: Any) -> DiscardOption:
    return DiscardOption(
        discard=option.discard,
        keep=option.keep,
        win=option.win,
        net=option.net,
        hand=option.hand.mean,
        crib=option.crib.mean,
        pegging=option.pegging,
    )
