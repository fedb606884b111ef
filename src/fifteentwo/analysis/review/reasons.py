"""Why the best choice beats the chosen one: facts that are true by the rules or by the printed values.

No fact guesses what a player intended. `discard_reasons` explains discards, `card_reasons` explains cards. If
the score decides against points, the first fact says so.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from fifteentwo.analysis.pegging.look_ahead_search import REPLY
from fifteentwo.analysis.review.card_reasons import (
    PART_NAMES,
    AtOnce,
    CardReason,
    Later,
    Replies,
    ScoredOn,
    card_reasons,
)
from fifteentwo.analysis.review.discard_reasons import DiscardReason, discard_reasons, makes_need
from fifteentwo.analysis.review.hint import SEEN_POINTS, are_near, by_the_score, makes
from fifteentwo.analysis.review.rating import MARKS_BY_CHANCE, MARKS_BY_POINTS
from fifteentwo.analysis.review.review import Decision
from fifteentwo.analysis.win.counting import points_at_once
from fifteentwo.analysis.win.model import MeanPoints, WinProbability
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Deal, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, start
from fifteentwo.rules.view import View, view


class WinsMore(msgspec.Struct, frozen=True, tag="wins-more"):
    """The chosen action makes more points on average but wins less often because of the score."""

    points: float
    """How many more mean points the chosen action makes."""
    win: WinProbability
    """Win probability with the best action."""
    chosen_win: WinProbability


class WinsNow(msgspec.Struct, frozen=True, tag="wins-now"):
    """The best card pegs enough points to win."""

    points: int


class Near(msgspec.Struct, frozen=True, tag="near"):
    """The chosen action is nearly as good as the best one."""

    win: WinProbability | None
    """How much less often the chosen action wins; None if unknown."""
    points: MeanPoints
    """How many points fewer it makes."""


class Wins(msgspec.Struct, frozen=True, tag="wins"):
    """The best action wins more often, and no cause was found."""

    win: WinProbability
    """Win probability with the best action."""
    chosen_win: WinProbability


Reason = WinsMore | WinsNow | Near | Wins | CardReason | DiscardReason
MAX_REASONS = 3
PRINTED_POINTS = 0.05
"""Least points that a choice must give up for its chance of winning to be told so: less is printed as 0.0."""
PRAISED_WIN, PRAISED_POINTS = 0.01, 0.2
"""Least gain over the second choice for which a choice is praised: win probability (0–1), or else points."""


def reasons(seen: View, decision: Decision) -> tuple[Reason, ...]:
    """Return at most three reasons why the best choice beats the chosen one, the most important first."""
    if decision.chosen == decision.best or not decision.options:
        return ()
    best, own = _best_and_chosen(decision)
    difference = round(best["points"] - own["points"], 2)
    won = None if best["win"] is None else best["win"] - own["win"]
    if are_near(difference, won):
        return (Near(won, difference),)
    if decision.kind == "discard":
        return tuple(_discard_decision_reasons(seen, decision, difference, won)[:MAX_REASONS])
    return tuple(_card_decision_reasons(seen, decision, difference)[:MAX_REASONS])


def of_game(record: Record, decisions: Sequence[Decision]) -> list[tuple[Reason, ...]]:
    """Return the reasons for each decision of a game; none for decisions without a mark such as "mistake"."""
    states = [start(record.rules, named=record.named), *[state for _, state, _ in replay(record)]]
    return [reasons(view(states[one.step], one.seat), one) if one.mark else () for one in decisions]


def against_the_next(decision: Decision) -> Decision | None:
    """Return the decision as if the best clearly worse choice had been taken; None if no choice is worse."""
    by_chance = decision.loss_win is not None
    measure = "win" if by_chance else "points"
    least = min([amount for _, amount in (MARKS_BY_CHANCE if by_chance else MARKS_BY_POINTS)])
    own = next(option for option in decision.options if option["choice"] == decision.chosen)
    worse = [option for option in decision.options if option[measure] <= own[measure] - least]
    if not worse:
        return None
    return against(decision, worse[0]["choice"])


def told(
    seen: View, decision: Decision, praised: dict[tuple[int, bool], float], *, scored_on: bool
) -> tuple[Decision, tuple[Reason, ...]] | None:
    """Return what a review says about a decision: why a marked one is not the best, or why a good one is.

    A choice is good if it gains at least PRAISED_WIN or PRAISED_POINTS over the second choice, and more than
    the seat's earlier ones. praised: by seat, and whether the decision is obvious, the greatest gain; updated
    here. scored_on: whether the other side's next card scored; then no reason is about the reply.
    """
    if decision.mark:
        return decision, reasons(seen, decision)
    if decision.chosen != decision.best or len(decision.options) < 2:
        return None
    first, second = decision.options[:2]
    by_points = first["win"] is None
    gain = first["points"] - second["points"] if by_points else first["win"] - second["win"]
    seat = decision.seat, decision.obvious
    if gain < (PRAISED_POINTS if by_points else PRAISED_WIN) or gain <= praised.get(seat, 0.0):
        return None
    explained = against(decision, second["choice"])
    found = tuple([one for one in reasons(seen, explained) if not (scored_on and _is_about_reply(one))])
    if not found:
        return None
    praised[seat] = gain
    return explained, found


def _is_about_reply(reason: Reason) -> bool:
    is_reply = isinstance(reason, Later) and reason.part == PART_NAMES[REPLY]
    return is_reply or isinstance(reason, ScoredOn | Replies)


def reply_scored(record: Record, states: Sequence[State], step: int, seat: int) -> bool:
    """Return whether the next card scored for the other side; `seat` acted at the step.

    states: the state before each action.
    """
    for at, action in enumerate(record.actions[step + 1 :], step + 1):
        if isinstance(action, Play):
            side = record.rules.side
            return side(action.seat) != side(seat) and bool(
                pegging.scores((*states[at].in_count, action.card))
            )
        if isinstance(action, Deal):
            break
    return False


def by_choice(seen: View, decision: Decision) -> dict[str, tuple[Decision, tuple[Reason, ...]]]:
    """Return by discard or card, except the best, the decision as if it was taken, and its reasons."""
    choices = {option["choice"] for option in decision.options} - {decision.best}
    names = choices if decision.card is None else [card for card in decision.hand if card[0] in choices]
    found = {}
    for name in names:
        choice, card = (name, None) if decision.card is None else (name[0], name)
        one = msgspec.structs.replace(decision, chosen=choice, card=card)
        found[name] = one, reasons(seen, one)
    return found


def against(decision: Decision, choice: str, card: str | None = None) -> Decision:
    """Return a decision as if its actual choice were the best one and `choice` had been taken instead.

    card: the card of that choice, by default the first one of its rank. The hand begins with both cards,
    because sentences name the first one of a rank.
    """
    if decision.card is None:
        return msgspec.structs.replace(decision, best=decision.chosen, chosen=choice)
    taken = card or next(held for held in decision.hand if held[0] == choice)
    hand = tuple(dict.fromkeys((decision.card, taken, *decision.hand)))
    return msgspec.structs.replace(decision, best=decision.chosen, chosen=choice, card=taken, hand=hand)


def report(found: Sequence[Reason]) -> list[dict[str, Any]]:
    """Return reasons as plain values for JSON; each has its name in "type"."""
    plain: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(found, enc_hook=str))
    return plain


def _best_and_chosen(decision: Decision) -> tuple[dict[str, Any], dict[str, Any]]:
    by_choice = {option["choice"]: option for option in decision.options}
    return by_choice[decision.best], by_choice[decision.chosen]


def _discard_decision_reasons(
    seen: View, decision: Decision, difference: float, won: float | None
) -> list[Reason]:
    values = _best_and_chosen(decision)
    best, chosen = (tuple([Card(text) for text in one.split()]) for one in (decision.best, decision.chosen))
    found: list[Reason] = []
    needed = None if won is None else makes_need(seen, best, chosen, (values[0]["win"], values[1]["win"]))
    if won is not None and difference <= -PRINTED_POINTS and by_the_score(seen, best, chosen):
        found.append(WinsMore(-difference, values[0]["win"], values[1]["win"]))
    if needed is not None:
        found.append(needed)
    if "hand" in values[0]:
        found += discard_reasons(seen, best, chosen, values)
    return found or _win_reason(values)


def _card_decision_reasons(seen: View, decision: Decision, difference: float) -> list[Reason]:
    values = _best_and_chosen(decision)
    cards = {card.text[0]: card for card in seen.hand}
    best, chosen = cards[decision.best], cards[decision.chosen]
    made = makes(seen, best)
    points = points_at_once(seen, chosen)
    makes_more = made is not None and made.points > points
    if made is not None and made.wins and makes_more:
        return [WinsNow(made.points)]
    if values[0]["win"] is not None and difference <= -PRINTED_POINTS:
        return [WinsMore(-difference, values[0]["win"], values[1]["win"])]
    # A player sees the points at once first.
    at_once = [AtOnce(made.scores, made.points, points)] if made is not None and makes_more else []
    causes = card_reasons(seen, best, chosen, difference) if difference >= SEEN_POINTS else []
    rest = [cause for cause in causes if not isinstance(cause, AtOnce)]
    return [*at_once, *rest] or _win_reason(values)


def _win_reason(values: tuple[dict[str, Any], dict[str, Any]]) -> list[Reason]:
    """Return the reason that the best action wins more often, if win probabilities are known."""
    return [] if values[0]["win"] is None else [Wins(values[0]["win"], values[1]["win"])]
