"""Hands: their scores, and the value of every discard."""

from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

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
    """The score of a hand or crib: `points`, `items` in counting order, and words as text.

    >>> print(score("5H 5S 6D JC", starter="8C"))
    fifteen two, fifteen four, pair six, and one's seven
    """

    hand: tuple[Card, ...]
    starter: Card
    crib: bool
    points: int

    @property
    def items(self) -> tuple[Score, ...]:
        """Scores in counting order, with their names, cards, points and rules; counted again each time."""
        return show.scores(self.hand, self.starter, crib=self.crib)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `fifteentwo score --json`."""
        counted, total = [], 0
        for item in self.items:
            total += item.points
            cards = [card.text for card in item.cards]
            counted.append({"name": item.name.value, "cards": cards, "points": item.points, "total": total})
            counted[-1]["rule"] = item.rule
        return {"points": self.points, "starter": self.starter.text, "scores": counted}

    def __int__(self) -> int:
        return self.points

    def __str__(self) -> str:
        return self.spoken("en")

    def spoken(self, lang: str = "en") -> str:
        """Return the spoken count. lang: "en" or "ja"."""
        from fifteentwo.i18n.spoken import count_text

        return count_text(self.items, lang)

    def _repr_html_(self) -> str:
        from fifteentwo.library.pictures import score_html

        return score_html(self)


class DiscardOption(NamedTuple):
    """A discard and its value. Points are means over all unseen cards."""

    discard: tuple[Card, ...]
    keep: tuple[Card, ...]
    win: float | None
    """Win probability; None without a score, and in variants for which it is unknown."""
    net: float
    """Points of the hand, plus or minus the crib, plus pegging."""
    hand: float
    crib: float
    """Points of the crib, for either owner."""
    pegging: float | None
    """Own points pegged less the opponent's; None in variants for which it is unknown."""

    def __str__(self) -> str:
        win = "" if self.win is None else f", {self.win:.1%} to win"
        return f"{show_text(self.keep)} ({show_text(self.discard)}): {self.net:+.2f}{win}"


class Discards(tuple[DiscardOption, ...]):
    """All discards of a hand, the best first: a tuple that `print` and notebooks show as a table.

    A data frame of pandas that is made from it has a column for each field of `DiscardOption`.
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return the options as plain values, named as in `fifteentwo discard --json`."""
        cards = ("discard", "keep")
        return {
            "options": [
                option._asdict() | {name: [card.text for card in getattr(option, name)] for name in cards}
                for option in self
            ]
        }

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [("keep", "discard", "net", "hand", "crib", "pegging", "win")]
        for one in self:
            points = [_number(points, "+.2f") for points in (one.net, one.hand, one.crib, one.pegging)]
            rows.append((show_text(one.keep), show_text(one.discard), *points, _number(one.win, ".1%")))
        # Columns without a value are left out.
        columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
        widths = [max(map(len, column)) for column in columns]
        lines = [
            [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
            for line in zip(*columns, strict=True)
        ]
        return "\n".join("  ".join(line) for line in lines)

    def _repr_html_(self) -> str:
        from fifteentwo.library.pictures import discards_html

        return discards_html(self)


def score(
    hand: Cards, starter: str | Card | None = None, *, crib: bool = False, five_card: bool = False
) -> HandScore:
    """Return the score of a hand with the starter.

    Args:
        hand: four cards, as text ("5H 5S 5D JC", "5♥ 5♠ 5♦ J♣", "5H5S5DJC") or `Card` objects. Without a
            starter, five cards in a row, of which the last is the starter.
        starter: the starter.
        crib: whether the cards are a crib, whose flush needs the starter (R86).
        five_card: whether it is a hand of three of five-card cribbage (R103).

    Raises:
        NotationError: a card cannot be read or occurs twice, or the number of cards is wrong.
        InvalidArgument: an argument has a wrong type, or no card of a set can be the starter.

    >>> score("5H 5S 5D JC", "5C").points, score("5H 5S 5D JC 5C").points
    (29, 29)
    >>> [item.name.value for item in score("4H 5S 6D 6C", "KC").items]
    ['fifteen', 'fifteen', 'fifteen', 'pair', 'run', 'run']
    """
    is_crib, is_five_card = true_or_false(crib, "crib"), true_or_false(five_card, "five_card")
    size = 3 if is_five_card and not is_crib else 4
    if starter is None:
        if isinstance(hand, AbstractSet):
            raise InvalidArgument("no-last-card", "hand", " ".join(sorted(map(str, hand))))
        *first, turned = read_cards(hand, "hand", size + 1)
        held = tuple(first)
    else:
        turned, held = read_card(starter, "starter"), read_cards(hand, "hand", size)
        if turned in held:
            raise NotationError("card-twice", turned.text, len(held))
    return HandScore(hand=held, starter=turned, crib=is_crib, points=show.points(held, turned, crib=is_crib))


def discards(
    hand: Cards,
    *,
    dealer: bool,
    score: Points | None = None,
    variant: str = "six-card",
    target: int | None = None,
) -> Discards:
    """Return every discard of a dealt hand with its value, the best first. This takes about 20 ms.

    The order is by win probability if a score is given, otherwise by net points. Figures are those of
    `fifteentwo discard`.

    Args:
        hand: the cards dealt.
        dealer: whether the crib belongs to this hand's side.
        score: own and opponent's score, as (110, 116) or "110-116"; only for two players.
        variant: name of the variant.
        target: points that win; the variant's by default.

    Raises:
        NotationError: the cards are not as many different ones as the variant deals.
        UnknownVariant: the variant is unknown.
        InvalidArgument: the score is wrong, or win probabilities are unknown for the variant.

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

    found = options(held, own_crib=own_crib, rules=rules, board=board)
    return Discards([_with_means(option) for option in found])


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _with_means(option: Any) -> DiscardOption:
    return DiscardOption(
        discard=option.discard,
        keep=option.keep,
        win=option.win,
        net=option.net,
        hand=option.hand.mean,
        crib=option.crib.mean,
        pegging=option.pegging,
    )
