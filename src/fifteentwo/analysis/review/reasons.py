"""Why the best choice beats the chosen one: facts that are true by the rules or by the printed values.

No fact guesses what a player intended. `discard_reasons` explains discards, `card_reasons` explains cards. If
the score decides against points, the first fact says so.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from fifteentwo.analysis.review.card_reasons import CardReason, card_reasons
from fifteentwo.analysis.review.discard_reasons import DiscardReason, discard_reasons, makes_need
from fifteentwo.analysis.review.hint import CLEAR_WIN, NEAR_POINTS, SEEN_POINTS, by_the_score, makes
from fifteentwo.analysis.review.rating import MARKS_BY_CHANCE, MARKS_BY_POINTS
from fifteentwo.analysis.review.review import Decision
from fifteentwo.analysis.win.counting import points_at_once
from fifteentwo.analysis.win.model import MeanPoints, WinProbability
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import start
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


def reasons(seen: View, decision: Decision) -> tuple[Reason, ...]:
    """Return at most three reasons why the best choice beats the chosen one, the most important first."""
    if decision.chosen == decision.best or not decision.options:
        return ()
    best, own = _best_and_chosen(decision)
    difference = round(best["points"] - own["points"], 2)
    won = None if best["win"] is None else best["win"] - own["win"]
    if difference < NEAR_POINTS and (won is None or won < CLEAR_WIN):
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


def against_the_second(decision: Decision, gains: dict[tuple[int, bool], float]) -> Decision | None:
    """Return a decision to explain: a marked one, or a seat's best one so far against its second choice.

    gains: for each seat, and whether the decision is obvious, the greatest gain so far; updated here.
    """
    if decision.mark or decision.chosen != decision.best or len(decision.options) < 2:
        return decision if decision.mark else None
    first, second = decision.options[:2]
    measure = "points" if first["win"] is None else "win"
    seat, gain = (decision.seat, decision.obvious), first[measure] - second[measure]
    if gain <= gains.get(seat, 0.0):
        return None
    gains[seat] = gain
    return against(decision, second["choice"])


def against(decision: Decision, choice: str) -> Decision:
    """Return a decision as if its actual choice were the best one and `choice` had been taken instead."""
    card = None if decision.card is None else next(card for card in decision.hand if card[0] == choice)
    return msgspec.structs.replace(decision, best=decision.chosen, chosen=choice, card=card)


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
    needed = None if won is None else makes_need(seen, best, chosen, won)
    if won is not None and difference <= -SEEN_POINTS and by_the_score(seen, best, chosen):
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
    if made is not None and made.wins and points_at_once(seen, chosen) < made.points:
        return [WinsNow(made.points)]
    if difference >= SEEN_POINTS:
        return [*card_reasons(seen, best, chosen, difference)] or _win_reason(values)
    if values[0]["win"] is None or difference > -SEEN_POINTS:
        return _win_reason(values)
    return [WinsMore(-difference, values[0]["win"], values[1]["win"])]


def _win_reason(values: tuple[dict[str, Any], dict[str, Any]]) -> list[Reason]:
    """Return the reason that the best action wins more often, if win probabilities are known."""
    return [] if values[0]["win"] is None else [Wins(values[0]["win"], values[1]["win"])]
