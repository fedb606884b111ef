"""The best answer in the play of two with six cards, looked through to the end of the deal, compiled.

The other side is believed to play by one of two habits, the solved book or a club player's reckoning, each
from the hands it would have kept: Bayes over habit and hand together, from every card and go. Every card of
the own hand is then followed to the end of the play, the other side by habit, the own side always with what
is best against the beliefs; at the end stand points, or the chance of winning with both hands and the crib
counted in their order. Own discards and starter are known to it, which the solved play leaves out.

A lead costs some 30 ms, the dealer's first card 8, later cards 2 or less. The first use in a process unpacks
the whole book (0.4 s), the first on a machine compiles (about 10 s), which a server
leaves to a process aside (`compiling_aside`).
"""

from functools import cache
from typing import Any

import numpy as np

from fifteentwo.analysis.beliefs import Floats, Ints, history, kept_by, role_of
from fifteentwo.analysis.compiling_aside import Aside
from fifteentwo.analysis.counting import points_by_starter, ranks_of
from fifteentwo.analysis.deal_chances import Window, crib_chances
from fifteentwo.book.play import book_arrays, load_pegging_book
from fifteentwo.fast import play as public_play
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import hands, number_by_digits, up
from fifteentwo.rules import show
from fifteentwo.rules.view import View

LOOPS = "fifteentwo.analysis.look_ahead_loops"
HABITS = "fifteentwo.analysis.beliefs_loops"
PRIOR = (0.7, 0.3)
"""How likely each habit of the other side is before a card is laid."""
MISTRUST = 0.03
"""Part of every card's chance that owes nothing to either habit."""


@cache
def _shows() -> Ints:
    """(13, 1820) points of every hand by the starter's rank, suits left out."""
    return np.array([points_by_starter(hand) for hand in hands(4)], np.int64).T.copy()


def _left(view: View) -> Ints:
    """(13,) cards of each rank this seat has not in its own hand, discards or the starter."""
    left = np.full(13, 4, np.int64)
    for card in (*view.kept, *view.laid_away, *([view.starter] if view.starter else [])):
        left[card.index >> 2] -= 1
    return left


def _counted(window: Window, crib: Floats) -> Floats:
    """Worths when both hands are counted and the crib is not, about where this deal can lead."""
    over = window.over
    found = over.copy()
    rows = slice(window.own, window.target)
    columns = slice(window.other, window.target)
    summed = np.zeros((rows.stop - rows.start, columns.stop - columns.start))
    for number in np.flatnonzero(crib):
        if window.role == "dealer":
            part = over[rows.start + number : rows.stop + number, columns]
        else:
            part = over[rows, columns.start + number : columns.stop + number]
        summed += crib[number] * part
    found[rows, columns] = summed
    return found


def prepare() -> None:
    """Load or compile the loops and unpack the book, so that the next decision costs what it should."""
    book = tuple(book_arrays(load_pegging_book()))
    here = starting()
    pile, hand, theirs = np.zeros(16, np.int64), np.zeros(13, np.int64), np.zeros(4, np.int64)
    reach, none_laid = np.full((len(PRIOR), 1820), 1 / 3640), np.zeros((0, 2), np.int64)
    compiled(HABITS).believe(none_laid, 0, 0, 0, reach, book, up(), MISTRUST, pile, here)
    none = np.zeros((1, 1))
    stakes = (0, 0, 0, none, none, number_by_digits(4), _shows()[0])
    worths = np.zeros(13)
    answer = compiled(LOOPS).answer
    answer(
        0,
        0,
        0,
        hand,
        theirs,
        pile,
        here,
        reach,
        0,
        book,
        up(),
        MISTRUST,
        stakes,
        worths,
    )


aside = Aside("fifteentwo.analysis.look_ahead", prepare)


def at_hand() -> bool:
    """Whether cards can be looked through here and now; where nobody may wait, getting ready begins aside."""
    return aside.at_hand()


def starting() -> Ints:
    """The public play before a card is laid, as the loops keep it."""
    here = np.zeros(public_play.WIDTH, np.int64)
    here[public_play.LAST] = 1
    here[public_play.HELD : public_play.HELD + 2] = 4
    return here


class Answers:
    """What each card of the play is worth now, and what the other side is believed to be."""

    def __init__(self, view: View, *, prior: tuple[float, ...] = PRIOR) -> None:
        self.book = tuple(book_arrays(load_pegging_book()))
        self.view = view
        self.side = int(view.is_dealer)
        foe = 1 - view.seat
        kept = kept_by(role_of(view, foe), _left(view))
        self.reach = np.array([share * kept / kept.sum() for share in prior])
        self.pile = np.zeros(16, np.int64)
        self.here = starting()
        assert view.starter is not None
        self.starter = view.starter.index >> 2
        acts = history(view)
        self.acts = np.array(
            [(int(role == "dealer"), -1 if rank is None else rank - 1) for role, rank in acts], np.int64
        ).reshape(-1, 2)
        self.theirs = np.zeros(4, np.int64)
        laid = [card.index >> 2 for seat, card in view.played if seat == foe]
        self.theirs[: len(laid)] = laid
        self._believe()

    def _believe(self) -> None:
        size = compiled(HABITS).believe(
            self.acts,
            self.side,
            self.side,
            self.starter,
            self.reach,
            self.book,
            up(),
            MISTRUST,
            self.pile,
            self.here,
        )
        self.reach = np.ascontiguousarray(self.reach[:, : len(hands(size))])
        self.reach /= self.reach.sum()

    def points(self) -> dict[int, float]:
        """Points to come of each rank that fits, own less the other's, to the end of the play."""
        none = np.zeros((1, 1))
        return self._answer(0, 0, (0, self.side, 0, none, none, number_by_digits(4), _shows()[self.starter]))

    def chances(self, *, games: bool) -> dict[int, float]:
        """Worth of each rank that fits: -1 a sure loss, 1 a sure win; `games`: times what skunks pay."""
        stakes, (own, other) = self.stakes(games=games)
        return self._answer(own, other, stakes)

    def stakes(self, *, games: bool) -> tuple[tuple[Any, ...], tuple[int, int]]:
        """What the end of the play is worth, as the loops read it, and the scores now, own and other's."""
        view = self.view
        assert view.starter is not None
        own, other = view.front[view.side], view.front[1 - view.side]
        window = Window(view.rules, own, other, view.is_dealer, games=games)
        mine = show.points(view.kept, view.starter)
        foe = 1 - view.seat
        left = _left(view)
        for seat, card in view.played:
            if seat == foe:
                left[card.index >> 2] -= 1
        crib = crib_chances(ranks_of(view.laid_away), role_of(view, foe), self.starter, left.tolist())
        stakes = (
            mine,
            self.side,
            view.rules.target,
            window.over,
            _counted(window, crib),
            number_by_digits(4),
            _shows()[self.starter],
        )
        return stakes, (own, other)

    def _answer(self, own: int, other: int, stakes: tuple[Any, ...]) -> dict[int, float]:
        hand = np.zeros(13, np.int64)
        for card in self.view.hand:
            hand[card.index >> 2] += 1
        worths = np.full(13, np.nan)
        compiled(LOOPS).answer(
            self.side,
            own,
            other,
            hand,
            self.theirs.copy(),
            self.pile.copy(),
            self.here,
            self.reach,
            self.starter,
            self.book,
            up(),
            MISTRUST,
            stakes,
            worths,
        )
        return {rank: float(worths[rank]) for rank in range(13) if not np.isnan(worths[rank])}


if __name__ == "__main__":
    prepare()
