"""Problems to solve: decisions as their seat saw them, judged answers, and sets of problems by theme."""

import gzip
import json
from functools import cache
from typing import Any, cast

import msgspec

from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import from_json, to_plain
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.rules.view import View, allows
from fifteentwo.server.errors import Refused
from fifteentwo.strategy.files import data_bytes

SETS_FILE = "practice_sets.json.gz"
THEMES = ("crib", "keeping", "leads", "traps", "last-street", "counting-out")
"""The themes of the sets, in the order of the page."""
LADDER_THEME = "ladder"
RUNG_LEVELS = ("beginner", "casual", "club", "expert", "master")
"""The levels after which the rungs of the ladder are named, the easiest first."""
FIRST_RUNG_MAX_SCORE = 60
"""Neither side of a position on the first rung has more points: the score decides nothing yet."""


class PlayedCard(msgspec.Struct, frozen=True):
    """A card played, and whether the solver's seat played it."""

    card: Card
    own: bool


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A decision: hand, scores, and the cards on the table. `own` and `other` are scores of sides."""

    id: str
    kind: str
    """Either "discard" or "play"."""
    pick: int
    """Number of cards to choose."""
    hand: tuple[Card, ...]
    own: int
    other: int
    target: int
    own_deal: bool
    """Whether the solver is the dealer."""
    own_crib: bool
    starter: Card | None
    discarded: tuple[Card, ...]
    count: int
    in_count: tuple[PlayedCard, ...]
    before: tuple[PlayedCard, ...]
    """Cards of the counts before the present one."""
    fits: tuple[Card, ...]
    """Cards of the hand that can be played."""


class NextProblem(msgspec.Struct, frozen=True, kw_only=True):
    """The problem to solve next, if any, and the numbers of problems."""

    problem: Problem | None
    now: int
    """Problems due by the end of the day."""
    later: int = 0
    """Problems that come next, on one day, after those that are due now."""
    waiting: int = 0
    """Games that are still searched for mistakes."""
    days: int | None = None
    """Days until the next problem is due, if none is due now."""


class WeighedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One possible choice, its values, and what it loses against the best."""

    cards: tuple[Card, ...]
    points: float
    """Expected points of the choice."""
    win: float | None
    loss: float
    """Win probability if it is known, otherwise points."""
    chosen: bool


class JudgedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an answer."""

    right: bool
    """Whether the choice loses too little to be marked."""
    mark: str | None
    loss: float
    by_chance: bool
    """Whether `loss` is win probability; otherwise it is points."""
    best: tuple[Card, ...]
    choices: tuple[WeighedChoice, ...]
    why: tuple[str, ...]
    due: int | None = None
    """Days until the problem is due again; None if it is not repeated."""
    before: tuple[Card, ...] = ()
    """Cards that the user chose in the game, for an own mistake."""


def make_problem(name: str, view: View) -> Problem:
    rules, began = view.rules, len(view.played) - len(view.in_count)
    played = tuple(PlayedCard(card, seat == view.seat) for seat, card in view.played)
    discarding = view.phase is Phase.DISCARD
    fits = () if discarding else [card for card in view.hand if allows(view, Play(view.seat, card))]
    return Problem(
        id=name,
        kind="discard" if discarding else "play",
        pick=rules.discards if discarding else 1,
        hand=tuple(sorted(view.hand, key=lambda card: card.index)),
        own=view.front[view.side],
        other=max(score for side, score in enumerate(view.front) if side != view.side),
        target=rules.target,
        own_deal=view.is_dealer,
        own_crib=rules.side(view.dealer) == view.side,
        starter=view.starter,
        discarded=view.discarded,
        count=view.count,
        in_count=played[began:],
        before=played[:began],
        fits=tuple(fits),
    )


def choose_cards(seen: View, cards: tuple[Card, ...]) -> Discard | Play:
    """Return the action of choosing the cards; raise Refused if the rules do not allow it."""
    action: Discard | Play | None = None
    if seen.phase is Phase.DISCARD:
        action = Discard(seen.seat, cards)
    elif len(cards) == 1:
        action = Play(seen.seat, cards[0])
    if action is None or not allows(seen, action):
        raise Refused("not-a-choice")
    return action


def judge_answer(seen: View, cards: tuple[Card, ...], lang: str, by_points: bool = False) -> JudgedAnswer:
    """Return the result of choosing the cards. This takes 10 ms or more: run it in a thread.

    by_points: judge by points although win probabilities are known (`analysis.review.review.by_points`).
    """
    from fifteentwo.analysis.review import review
    from fifteentwo.analysis.review.advice import cards_of
    from fifteentwo.analysis.review.rating import MARKS_BY_CHANCE, MARKS_BY_POINTS
    from fifteentwo.analysis.review.reasons import against_the_next, reasons, report

    decision = review.judged(seen, choose_cards(seen, cards))
    if decision is None:
        raise Refused("not-a-choice")
    if by_points:
        decision = review.by_points(decision)
    by_chance = decision.loss_win is not None
    least = min(amount for _, amount in (MARKS_BY_CHANCE if by_chance else MARKS_BY_POINTS))
    best = decision.options[0]
    loss = decision.loss_win if decision.loss_win is not None else decision.loss_points
    right = loss < least
    explained = against_the_next(decision) if right else decision
    why: tuple[str, ...] = ()
    if explained:
        facts = report(reasons(seen, explained))
        why = tuple(reasons_text(msgspec.to_builtins(explained), facts, lang))
    # If the hand has two cards of one rank, the answer's card is named.
    named = {one["choice"]: cards_of(seen, one["choice"]) for one in decision.options} | {
        decision.chosen: cards
    }
    choices = tuple(
        _weighed_choice(named[one["choice"]], one, best, decision.chosen) for one in decision.options
    )
    values: dict[str, Any] = {"right": right, "mark": decision.mark, "loss": loss, "by_chance": by_chance}
    return JudgedAnswer(**values, best=named[best["choice"]], choices=choices, why=why)


def _weighed_choice(
    cards: tuple[Card, ...], option: dict[str, Any], best: dict[str, Any], chosen: str
) -> WeighedChoice:
    from fifteentwo.analysis.win.model import JSON_DECIMALS

    measure = "points" if option["win"] is None else "win"
    loss = round(max(0.0, cast("float", best[measure]) - cast("float", option[measure])), JSON_DECIMALS)
    values = {"points": option["points"], "win": option["win"], "chosen": option["choice"] == chosen}
    return WeighedChoice(cards=cards, loss=loss, **values)


@cache
def problem_sets() -> dict[str, tuple[View, ...]]:
    """Return the positions of each theme, and the ladder: the largest second-best loss first.

    The first rung has such positions early in the game.
    """
    read: dict[str, Any] = json.loads(gzip.decompress(data_bytes(SETS_FILE)))
    rules = to_plain(SIX_CARD)
    problems = [
        (one["gap"], one["theme"], from_json(json.dumps(one["view"] | {"rules": rules}), View))
        for one in read["problems"]
    ]
    found = {theme: tuple(view for _, of, view in problems if of == theme) for theme in THEMES}
    easiest_first = [view for *_, view in sorted(problems, key=lambda one: -one[0])]
    size = round(len(problems) / len(RUNG_LEVELS))
    first = [view for view in easiest_first if max(view.front) <= FIRST_RUNG_MAX_SCORE][:size]
    return found | {LADDER_THEME: (*first, *(view for view in easiest_first if view not in first))}


def place_on_ladder(rung: int, number: int) -> int:
    """Return the index in the ladder of a rung's problem. `number` wraps around within the rung."""
    size = len(problem_sets()[LADDER_THEME]) / len(RUNG_LEVELS)
    rung = min(rung, len(RUNG_LEVELS) - 1)
    first, end = round(rung * size), round((rung + 1) * size)
    return first + number % (end - first)
