"""Review of a finished game: for each decision the best and the chosen action, the loss, and luck.

Decisions of two players are judged by points and by win probability at the score of the moment, with pegging
searched to the end of the deal (`look_ahead`, `one_count`). The other variants are judged by points alone,
with pegging searched one reply deep (`one_reply`). The best action is the best by win probability if that is
known. A decision is judged by what its seat could know, so hidden cards of other seats do not count. Changes
of the win probability between decisions are luck (`luck`). With six cards the losses also give a rating
(`rating`). `luck_adjusted` computes the luck of deals and starters alone, for players of any strength.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from fifteentwo.analysis.discards.discard import Option, options
from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.analysis.review.hint import Value, card_values
from fifteentwo.analysis.review.luck import EVEN, PARTS, Luck, LuckTracker, Standings, board_of, parts
from fifteentwo.analysis.review.luck_adjusted import dealt_luck
from fifteentwo.analysis.review.miscounts import Miscount, miscounts
from fifteentwo.analysis.review.rating import band, is_obvious, mark, rated, weight
from fifteentwo.analysis.win import model as win
from fifteentwo.rules.actions import Action, Deal, Discard, Play
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import ClaimSettled, Event
from fifteentwo.rules.record import Record, last_state, replay
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import SIX_CARD, Variant
from fifteentwo.rules.view import View, view

DECIMALS = 2
"""Number of printed decimals of points. Sums use rounded points, so that a reader can check them."""


class Choice(NamedTuple):
    """One action that a player can choose."""

    name: str
    """The discarded cards, or the rank of a card."""
    value: Value
    parts: dict[str, float]
    """Mean points of hand, crib and (if known) pegging for a discard; empty for a card."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a player, compared with the best choice."""

    deal: int
    step: int
    """Index in the record of the action that was judged."""
    seat: int
    kind: str
    """discard, play, claim (a wrong claim) or muggins (a wrong claim of an opponent that was not called)."""
    score: tuple[int, ...]
    """Score of every side before the action."""
    hand: tuple[str, ...]
    """The cards held, including the chosen one. For a claim the counted cards, the starter last."""
    count: int | None
    """The count before the card, or including the claimed card; None outside pegging."""
    card: str | None = None
    """The card played; `chosen` is its rank. None outside pegging."""
    chosen: str
    """The choice made: cards, a rank, or claimed points."""
    best: str
    """The best choice, by win probability if that is known, otherwise by points."""
    loss_points: float
    """Mean points of the best choice less those of the chosen one, as printed; at least 0."""
    loss_win: float | None
    """Win probability (0–1) of the best choice less that of the chosen one; None if unknown."""
    win: float | None
    """Win probability (0–1) of the best choice; None if unknown."""
    win_chosen: float | None
    """Win probability (0–1) of the chosen choice; None if unknown."""
    mark: str | None
    """"small", "mistake", "blunder" or None (`rating.mark`)."""
    obvious: bool = False
    """Whether the rating ignores this decision (`rating.is_obvious`)."""
    weight: float | None
    """How much the decision counts in the rating, 1 as a game begins (`rating.weight`); None if unrated."""
    options: tuple[dict[str, Any], ...] = ()
    """Points and win probability of every choice, best first; empty for claims."""


def reviewed(record: Record) -> Iterator[Decision | Luck]:
    """Yield every decision of a game in order, and the luck between decisions if win probabilities are known.

    An action without alternatives is not a decision. What a level loses in place of an absent player is luck.

    Raises:
        IllegalAction: The record breaks the rules.
        NotationError: The record does not name all cards.
    """
    if record.unknown:
        deals = sum(isinstance(action, Deal) for action in record.actions)
        raise NotationError("review-needs-cards", str(len(record.unknown)), deals)
    state = start(record.rules, named=record.named)
    luck_tracker = LuckTracker() if win.has_win_probability(record.rules) else None
    if luck_tracker is not None and record.rules.variant is Variant.SIX_CARD:
        look_ahead.prepare()
    for step, (action, after, events) in enumerate(replay(record)):
        decided = _judged(step, state, action) + _claims(step, state, events)
        absent = [state.seating.index(came) for came in record.absent(step)]
        for decision in decided:
            if luck_tracker is not None and decision.win is not None and decision.loss_win is not None:
                if decision.kind == "play":
                    # Six cards are valued when they are dealt, claims when they are settled.
                    yield from luck_tracker.set_chance(step, decision.deal, decision.seat, decision.win)
                if decision.seat in absent:
                    yield from luck_tracker.stand_in_luck(
                        step, decision.deal, decision.seat, decision.loss_win
                    )
                else:
                    luck_tracker.standings.lose(decision.seat, decision.loss_win)
            if decision.seat not in absent:
                yield decision
        if luck_tracker is not None:
            yield from luck_tracker.event_luck(step, state, events)
        state = after


def review(record: Record) -> dict[str, Any]:
    """Return decisions, luck, the curve of the game and each seat's totals as plain values for JSON.

    "curve": seat 0's win probability after each action that changed it, the mean of both seats' views. A
    seat's "result" is 1, 0, or None if the game was not finished. "adjusted_result" is the result less
    "luck"; "luck_adjusted_result" is the result less "dealt_luck". These are exact, and known for two players
    only. A decision takes about 6 ms, 20 without numba.
    """
    return report(record, list(reviewed(record)))


def by_points(decision: Decision) -> Decision:
    """Return a decision judged by mean points, as if no win probability were known."""
    if not decision.options:
        loss, changed = decision.loss_points, {}
    else:
        options = sorted(decision.options, key=lambda option: -option["points"])
        most, own = options[0]["points"], next(one for one in options if one["choice"] == decision.chosen)
        losses = [round(most - option["points"], DECIMALS) for option in options]
        loss = losses[options.index(own)]
        changed = {
            "best": decision.chosen if loss == 0 else options[0]["choice"],
            "obvious": is_obvious(losses, loss, by_chance=False),
            "options": tuple({**option, "win": None} for option in options),
        }
    values = {"loss_points": loss, "loss_win": None, "win": None, "win_chosen": None, "weight": None}
    return msgspec.structs.replace(decision, mark=mark(loss, by_chance=False), **values, **changed)


def report(
    record: Record, course: Sequence[Decision | Luck], *, by_chance: bool | None = None
) -> dict[str, Any]:
    """Return the report of `review`.

    course: everything that `reviewed` yields. by_chance: whether its decisions have win probabilities, by
    default as the rules have.
    """
    if by_chance is None:
        by_chance = win.has_win_probability(record.rules)
    decisions = [one for one in course if isinstance(one, Decision)]
    luck = [one for one in course if isinstance(one, Luck)]
    state = last_state(record)
    names = [record.names[who] if who < len(record.names) else "" for who in state.seating]
    seats = [_total(seat, decisions) for seat in range(record.rules.seats)]
    if by_chance:
        won = None if state.won is None or state.won.forfeited is not None else state.won
        results = [None if won is None else int(won.side == seat) for seat in (0, 1)]
        dealt = sum([parts(of_first) for of_first, _ in dealt_luck(record)])
        for seat in (0, 1):
            seats[seat] |= _adjusted(seat, decisions, luck, dealt, results[seat])
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({"decisions": decisions, "luck": luck}))
    return {
        "variant": record.rules.variant.value,
        "names": names,
        "by_chance": by_chance,
        **plain,
        "curve": curve(course) if by_chance else [],
        "seats": seats,
    }


def curve(course: Sequence[Decision | Luck]) -> list[dict[str, Any]]:
    """Return {"step", "deal", "win", "views"} for each action that changed a win probability (0–1).

    "views": each seat's win probability by what it sees, as in its decisions; "win": seat 0's, by both views.
    """
    standings = Standings()
    by_step: dict[int, dict[str, Any]] = {}
    for one in course:
        if isinstance(one, Luck):
            standings.add_luck(one.seat, one.luck)
        elif one.loss_win is not None:
            standings.lose(one.seat, one.loss_win)
        now = {"win": standings.curve, "views": [*standings.views]}
        by_step[one.step] = {"step": one.step, "deal": one.deal, **now}
    return list(by_step.values())


def prepare() -> None:
    """Load the tables and kernels that reviews of six-card games need: one to two seconds once."""
    if win.has_win_probability(SIX_CARD):
        # It imports numba, without which discards are valued by arrays.
        look_ahead.prepare()
        for dealer in (True, False):
            options(DECK[:6], own_crib=dealer, rules=SIX_CARD, board=(0, 0))


def judged(seen: View, action: Discard | Play, step: int = 0) -> Decision | None:
    """Return an action compared with its alternatives, by what its seat saw; None if there were none."""
    if isinstance(action, Discard):
        return _decision(step, seen, action, _discard_choices(seen))
    # Suits do not matter in pegging.
    if len({card.rank for card in seen.playable}) < 2:
        return None
    return _decision(step, seen, action, _card_choices(seen))


def _judged(step: int, state: State, action: Action) -> list[Decision]:
    """Return the decision of a discard or card in a list; empty for other actions or without alternatives."""
    if not isinstance(action, Discard | Play):
        return []
    found = judged(view(state, action.seat), action, step)
    return [] if found is None else [found]


def _discard_choices(seen: View) -> list[Choice]:
    rules = seen.rules
    own_crib = rules.side(seen.dealer) == seen.side
    scores = board_of(seen) if win.has_win_probability(rules) else None
    return [
        Choice(
            " ".join(map(str, option.discard)),
            Value(option.win, _net_points(option, own_crib)),
            _rounded_parts(option),
        )
        for option in options(seen.hand, own_crib=own_crib, rules=rules, board=scores)
    ]


def _rounded_parts(option: Option) -> dict[str, float]:
    """Return the printed mean points of hand, crib and (if known) pegging of a discard."""
    split = {"hand": option.hand.mean, "crib": option.crib.mean, "play": option.pegging}
    return {name: round(points, DECIMALS) for name, points in split.items() if points is not None}


def _net_points(option: Option, own_crib: bool) -> float:
    """Return the mean points of a discard as the sum of its printed parts."""
    parts = _rounded_parts(option)
    return parts["hand"] + (1 if own_crib else -1) * parts["crib"] + parts.get("play", 0.0)


def _card_choices(seen: View) -> list[Choice]:
    return [Choice(RANK_TEXT[rank], value, {}) for rank, value in card_values(seen).values.items()]


def _decision(step: int, seen: View, action: Discard | Play, choices: Sequence[Choice]) -> Decision:
    if isinstance(action, Discard):
        chosen = " ".join(str(card) for card in seen.hand if card in action.cards)
        kind = "discard"
    else:
        chosen = RANK_TEXT[action.card.index >> 2]
        kind = "play"
    order = sorted(choices, key=lambda choice: choice.value.merit, reverse=True)
    best, own = order[0].value, next(choice.value for choice in choices if choice.name == chosen)
    loss_win = _loss(best.win, own.win)
    loss_points = round(round(best.points, DECIMALS) - round(own.points, DECIMALS), DECIMALS)
    loss_points = max(loss_points, 0.0)
    # If win probabilities are known, fewer points than another choice are no loss.
    by_chance = loss_win is not None
    losses = [
        _loss(best.win, value.win) if by_chance else best.points - value.points for _, value, _ in order
    ]
    loss = loss_win if loss_win is not None else loss_points
    return Decision(
        deal=seen.deal,
        step=step,
        seat=seen.seat,
        kind=kind,
        score=seen.front,
        hand=tuple([held.text for held in seen.hand]),
        count=seen.count if kind == "play" else None,
        card=action.card.text if isinstance(action, Play) else None,
        chosen=chosen,
        best=order[0].name,
        loss_points=loss_points,
        loss_win=loss_win,
        win=_rounded(best.win),
        win_chosen=_rounded(own.win),
        mark=mark(loss, by_chance=by_chance),
        obvious=is_obvious([lost or 0.0 for lost in losses], loss, by_chance=by_chance),
        weight=_rating_weight(seen),
        options=tuple(
            {"choice": name, "points": round(value.points, DECIMALS), "win": _rounded(value.win), **split}
            for name, value, split in order
        ),
    )


def _rating_weight(seen: View) -> float | None:
    # The ratings of the levels were measured with six cards.
    if seen.rules.variant is not Variant.SIX_CARD or not win.has_win_probability(seen.rules):
        return None
    return round(weight(seen.rules, board_of(seen), dealer=seen.is_dealer), 4)


def _rounded(chance: float | None) -> float | None:
    """Return a probability rounded to a multiple of 1 / PARTS."""
    return None if chance is None else parts(chance) / PARTS


def _loss(best: float | None, chosen: float | None) -> float | None:
    """Return the loss of win probability, a multiple of 1 / PARTS; None if a probability is unknown."""
    return None if best is None or chosen is None else (parts(best) - parts(chosen)) / PARTS


def _claims(step: int, before: State, events: Sequence[Event]) -> list[Decision]:
    """Return the decisions about claims: wrong claims, and errors that were not called (R93–R95)."""
    decisions = []
    for event in events:
        if isinstance(event, ClaimSettled):
            decisions += [_claim_decision(step, before, event, error) for error in miscounts(before, event)]
    return decisions


def _claim_decision(step: int, before: State, event: ClaimSettled, error: Miscount) -> Decision:
    best, own = error.chances or (None, None)
    loss_win = _loss(best, own)
    loss = error.points if loss_win is None else loss_win
    return Decision(
        deal=before.deal,
        step=step,
        seat=error.seat,
        kind=error.kind,
        score=before.front,
        hand=tuple([card.text for card in _claimed_for(before)]),
        count=None if before.shown else before.count,
        chosen=str(event.claimed),
        best=str(event.right),
        loss_points=error.points,
        loss_win=loss_win,
        win=_rounded(best),
        win_chosen=_rounded(own),
        mark=mark(loss, by_chance=loss_win is not None),
        weight=_rating_weight(view(before, error.seat)),
    )


def _claimed_for(state: State) -> tuple[Card, ...]:
    """Return the cards that a claim counts: those of the count, or a hand or crib with the starter."""
    if not state.shown or state.starter is None:
        return state.in_count
    return (*(state.crib if state.showing_crib else state.kept[state.turn]), state.starter)


# ── A seat's totals ──────────────────────────────────────────────────────────────────────────────────────


def _total(seat: int, decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return a seat's totals for the report; luck and results stay None until `_adjusted` adds them."""
    own = [decision for decision in decisions if decision.seat == seat]
    known = [parts(decision.loss_win) for decision in own if decision.loss_win is not None]
    lost = sum(known) / PARTS if known else None
    rating = rated(
        [one.loss_win or 0.0 for one in own if not one.obvious],
        [one.weight or 0.0 for one in own if not one.obvious],
    )
    return {
        "decisions": len(own),
        "counted": sum(not decision.obvious for decision in own),
        "loss_points": round(sum(decision.loss_points for decision in own), DECIMALS),
        "loss_win": lost,
        "luck": None,
        "lost": lost,
        "rating": None if rating is None else round(rating.rating, 2),
        "rating_error": None if rating is None else round(rating.error, 2),
        "band": None if rating is None else band(rating.rating),
        "result": None,
        "adjusted_result": None,
        "dealt_luck": None,
        "luck_adjusted_result": None,
    }


def _adjusted(
    seat: int, decisions: Sequence[Decision], luck: Sequence[Luck], dealt: int | None, result: int | None
) -> dict[str, Any]:
    """Return a seat's luck and results for the report. dealt: seat 0's luck of the deck, times PARTS."""
    losses = [0, 0]
    for one in decisions:
        losses[one.seat] += parts(one.loss_win or 0.0)
    had = sum(parts(one.luck) for one in luck if one.seat == seat)
    sign = -1 if seat else 1
    adjusted = EVEN - losses[seat] + losses[1 - seat]
    return {
        "luck": had / PARTS,
        "lost": losses[seat] / PARTS,
        "result": result,
        "adjusted_result": None if result is None else adjusted / PARTS,
        "dealt_luck": None if dealt is None else sign * dealt / PARTS,
        "luck_adjusted_result": None
        if result is None or dealt is None
        else (result * PARTS - sign * dealt) / PARTS,
    }
