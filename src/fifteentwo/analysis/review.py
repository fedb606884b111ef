"""A game that was played, decision by decision: the best, the chosen, and what the difference cost.

For two with six cards a decision is judged by points and by the chance of winning from the score it was
made at, the play looked through to the end of the deal; in the other forms by points alone, the play one
reply deep (`one_reply`). The best is the best by chance where that is known. Cards
others held do not count: a decision is judged by what its seat could know.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from fifteentwo.analysis import win
from fifteentwo.analysis.discard import options
from fifteentwo.analysis.engine import engine
from fifteentwo.analysis.look_ahead import Answers
from fifteentwo.analysis.one_reply import foreseen
from fifteentwo.rules.actions import LayAway, Play
from fifteentwo.rules.cards import RANK_TEXT, Card
from fifteentwo.rules.events import ClaimSettled, Event
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, start
from fifteentwo.rules.view import View, view

Worths = list[tuple[str, float, float | None]]
"""Every choice as text, its points and its chance of winning."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: `kind` is lay-away, play, or claim; chances are None where nobody has worked them out."""

    deal: int
    seat: int
    kind: str
    score: tuple[int, ...]
    """Every side's score before it."""
    hand: tuple[str, ...]
    """The cards held, the one chosen among them; of a claim those that were counted, the starter last."""
    count: int | None
    """The count of the play before the card, or with the one claimed for; None outside the play."""
    card: str | None
    """The card laid, of which `chosen` is the rank; None but in the play."""
    chosen: str
    best: str
    loss_points: float
    loss_win: float | None
    options: tuple[dict[str, Any], ...]
    """Every choice with its points and chance, best first; none for claims."""

    @property
    def cost(self) -> float:
        """Points lost: none where the best was chosen, though another way makes more and wins less."""
        return 0.0 if self.chosen == self.best else self.loss_points


def review(record: Record) -> dict[str, Any]:
    """Every decision of a game and what each seat lost by its own; JSON-able. About 10 ms a decision.

    "engine" names the method; both find the same.
    Where only one choice was open there was no decision. IllegalAction where the record breaks the rules.
    """
    state = start(record.rules, named=record.named)
    decisions: list[Decision] = []
    for action, after, events in replay(record):
        if isinstance(action, LayAway | Play):
            seen = view(state, action.seat)
            choices = _lay_aways(seen) if isinstance(action, LayAway) else _plays(seen)
            if len(choices) > 1:
                decisions.append(_decision(seen, action, choices))
        decisions.extend(_claims(state, events))
        state = after
    names = [record.names[who] if who < len(record.names) else "" for who in state.seating]
    return {
        "form": record.rules.form.value,
        "names": names,
        "by_chance": win.known(record.rules),
        "decisions": msgspec.json.decode(msgspec.json.encode(decisions)),
        "seats": [_total(seat, decisions) for seat in range(record.rules.seats)],
        "engine": engine(),
    }


def loops_for(record: Record) -> tuple[str, ...]:
    """The modules whose compiled loops the review of a record uses."""
    return ("fifteentwo.analysis.look_ahead",) if win.known(record.rules) else ()


def _lay_aways(seen: View) -> Worths:
    rules = seen.rules
    own_crib = rules.side(seen.dealer) == seen.side
    scores = (seen.front[seen.side], seen.front[1 - seen.side]) if win.known(rules) else None
    choices = options(seen.hand, own_crib=own_crib, rules=rules, board=scores)
    return [(" ".join(map(str, option.discard)), option.net, option.win) for option in choices]


def _plays(seen: View) -> Worths:
    if not win.known(seen.rules):
        return [(RANK_TEXT[rank], points, None) for rank, points in foreseen(seen).items()]
    answers = Answers(seen)
    points, chances = answers.points(), answers.chances(games=False)
    return [(RANK_TEXT[rank], points[rank], _chance(chances[rank])) for rank in points]


def _chance(worth: float) -> float:
    return (1 + worth) / 2


def _decision(seen: View, action: LayAway | Play, choices: Worths) -> Decision:
    if isinstance(action, LayAway):
        chosen = " ".join(str(card) for card in seen.hand if card in action.cards)
        kind = "lay-away"
    else:
        chosen = RANK_TEXT[action.card.index >> 2]
        kind = "play"
    order = sorted(choices, key=lambda choice: _merit(choice[1], choice[2]), reverse=True)
    own = next(choice for choice in choices if choice[0] == chosen)
    most = max(choice[1] for choice in choices)
    return Decision(
        deal=seen.deal,
        seat=seen.seat,
        kind=kind,
        score=seen.front,
        hand=tuple([held.text for held in seen.hand]),
        count=seen.count if kind == "play" else None,
        card=action.card.text if isinstance(action, Play) else None,
        chosen=chosen,
        best=order[0][0],
        loss_points=round(most - own[1], 4),
        loss_win=None if own[2] is None else round((order[0][2] or 0.0) - own[2], 5),
        options=tuple(
            {"choice": choice, "points": round(points, 4), "win": None if win is None else round(win, 5)}
            for choice, points, win in order
        ),
    )


def _merit(points: float, win: float | None) -> tuple[float, float]:
    return (points if win is None else win, points)


def _claims(before: State, events: Sequence[Event]) -> list[Decision]:
    """Claims that were not right (R93–R95); what a call brought the caller is not counted as a loss."""
    return [
        Decision(
            deal=before.deal,
            seat=event.seat,
            kind="claim",
            score=before.front,
            hand=tuple([card.text for card in _claimed_for(before)]),
            count=None if before.shown else before.count,
            card=None,
            chosen=str(event.claimed),
            best=str(event.right),
            loss_points=float(max(event.right - event.claimed, 0)),
            loss_win=None,
            options=(),
        )
        for event in events
        if isinstance(event, ClaimSettled) and event.claimed != event.right
    ]


def _claimed_for(state: State) -> tuple[Card, ...]:
    """The cards that a claim counts: those laid, or a hand or crib and the starter."""
    if not state.shown or state.starter is None:
        return state.laid
    return (*(state.crib if state.showing_crib else state.kept[state.turn]), state.starter)


def _total(seat: int, decisions: Sequence[Decision]) -> dict[str, Any]:
    own = [decision for decision in decisions if decision.seat == seat]
    known = [decision.loss_win for decision in own if decision.loss_win is not None]
    return {
        "decisions": len(own),
        "loss_points": round(sum(decision.cost for decision in own), 3),
        "loss_win": round(sum(known), 4) if known else None,
    }
