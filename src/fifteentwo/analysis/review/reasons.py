"""Why the best choice of a decision beats the chosen one: facts, true by the rules or by the values shown.

Nothing here guesses what a player meant. A discard is explained by its parts and by what it gives the other
crib; a card by what it pegs at once and how many of the cards not seen score on it.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from fifteentwo.analysis.pegging.one_reply import unseen
from fifteentwo.analysis.review.hint import (
    CLEAR_WIN,
    SEEN_POINTS,
    Kind,
    by_the_score,
    held_scores,
    kinds_of,
    makes,
)
from fifteentwo.analysis.review.review import Decision
from fifteentwo.rules import pegging
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.view import View

PARTS = ("hand", "crib", "play")
SHOWN_GAIN = 0.15
"""Points by which a part of a discard must differ to be named."""
SHOWN_REPLIES = 3
"""So many more cards must score on one card than on the other."""


class Better(msgspec.Struct, frozen=True, tag="part"):
    """A part in which the best discard gains most: mean points of both."""

    part: str
    best: float
    chosen: float
    own_crib: bool


class Against(msgspec.Struct, frozen=True, tag="against"):
    """The part in which the chosen discard was better all the same, and by how much."""

    part: str
    gain: float


class Keeps(msgspec.Struct, frozen=True, tag="keeps"):
    """What the kept cards make as they lie, before a starter, of both choices; ranks from the lowest."""

    best: int
    chosen: int


class Gives(msgspec.Struct, frozen=True, tag="gives"):
    """The chosen discard gives the other side's crib these scores, else fives; the best one does not."""

    scores: tuple[Kind, ...]
    fives: int
    mean: float
    """Mean points of the crib with the chosen discard."""


class WinsMore(msgspec.Struct, frozen=True, tag="wins-more"):
    """The chosen makes more points on average, and wins less often because of the score."""

    points: float
    """So many more."""
    win: float
    chosen_win: float


class AtOnce(msgspec.Struct, frozen=True, tag="at-once"):
    """The best card pegs at once by these scores; the chosen one less."""

    scores: tuple[Kind, ...]
    points: int
    chosen: int


class Replies(msgspec.Struct, frozen=True, tag="replies"):
    """Of the cards this seat had not seen, so many peg at once on either card."""

    count: int
    """After the chosen card."""
    chosen: int
    best: int
    unseen: int


class Leaves(msgspec.Struct, frozen=True, tag="leaves"):
    """The best card brings more points than the chosen one, own less the others'."""

    best: float
    chosen: float
    to_the_end: bool
    """Of the pegging; else one reply is foreseen."""


Reason = Better | Against | Keeps | Gives | WinsMore | AtOnce | Replies | Leaves
MOST = 2


def reasons(seen: View, decision: Decision) -> tuple[Reason, ...]:
    """Return at most two facts, the weightiest first, of a decision that was not the best; none of a claim.

    seen: what the seat saw as it decided.
    """
    if decision.chosen == decision.best or not decision.options:
        return ()
    found = _of_discard(seen, decision) if decision.kind == "discard" else _of_card(seen, decision)
    more = _wins_more(seen, decision)
    return tuple([*([more] if more else []), *found][:MOST])


def report(found: Sequence[Reason]) -> list[dict[str, Any]]:
    """Return facts as plain values for JSON and for sentences; each names itself in "type"."""
    plain: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(found, enc_hook=str))
    return plain


def _both(decision: Decision) -> tuple[dict[str, Any], dict[str, Any]]:
    """The best option and the chosen one."""
    own = next(option for option in decision.options if option["choice"] == decision.chosen)
    return decision.options[0], own


def _wins_more(seen: View, decision: Decision) -> WinsMore | None:
    best, own = _both(decision)
    if best["win"] is None or own["win"] is None or own["points"] < best["points"] + SEEN_POINTS:
        return None
    if best["win"] < own["win"] + CLEAR_WIN:
        return None
    if decision.kind == "discard" and not by_the_score(seen, *_cards(decision)):
        return None
    return WinsMore(round(own["points"] - best["points"], 4), best["win"], own["win"])


# ── Discards ─────────────────────────────────────────────────────────────────────────────────────────────


def _of_discard(seen: View, decision: Decision) -> list[Reason]:
    best, own = _both(decision)
    own_crib = seen.rules.side(seen.dealer) == seen.side
    found: list[Reason] = []
    if all(part in best for part in PARTS):
        gains = {part: _gain(part, best, own, own_crib=own_crib) for part in PARTS}
        order = sorted(gains, key=lambda part: gains[part], reverse=True)
        better = [part for part in order if gains[part] >= SHOWN_GAIN]
        found += [Better(part, best[part], own[part], own_crib) for part in better]
        # Where one part alone outweighs what another loses, that one is named; else both gains are.
        if len(better) == 1 and SHOWN_GAIN <= -gains[order[-1]] < gains[order[0]]:
            found.append(Against(order[-1], -gains[order[-1]]))
    gave = _gave(seen, decision)
    if gave is not None:
        found.insert(1, gave)
    if len(found) < MOST:
        found += _kept(seen, decision)
    return found


def _cards(decision: Decision) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards of the best discard and of the chosen one."""
    best, chosen = (
        tuple([Card(text) for text in choice.split()]) for choice in (decision.best, decision.chosen)
    )
    return best, chosen


def _gain(part: str, best: dict[str, Any], own: dict[str, Any], *, own_crib: bool) -> float:
    sign = -1 if part == "crib" and not own_crib else 1
    return float(sign * (best[part] - own[part]))


def _gave(seen: View, decision: Decision) -> Gives | None:
    """Return what the chosen discard brings the other crib, where the best one brings it less."""
    if seen.rules.side(seen.dealer) == seen.side:
        return None
    better, chosen = _cards(decision)
    scores, spared = held_scores(chosen, flush=False), held_scores(better, flush=False)
    fives = sum([card.rank is Rank.FIVE for card in chosen])
    mean = _both(decision)[1]["crib"]
    if sum([one.points for one in scores]) > sum([one.points for one in spared]):
        return Gives(kinds_of(scores), 0, mean)
    if fives > sum([card.rank is Rank.FIVE for card in better]):
        return Gives((), fives, mean)
    return None


def _kept(seen: View, decision: Decision) -> list[Reason]:
    """What both hands make as they lie, where the best makes more."""
    hands = [[card for card in seen.hand if card not in discard] for discard in _cards(decision)]
    best, chosen = [sum([score.points for score in held_scores(hand)]) for hand in hands]
    return [Keeps(best, chosen)] if best > chosen else []


# ── Pegging ──────────────────────────────────────────────────────────────────────────────────────────────


def _of_card(seen: View, decision: Decision) -> list[Reason]:
    cards = {card.text[0]: card for card in seen.hand}
    best, chosen = cards[decision.best], cards[decision.chosen]
    found: list[Reason] = []
    made, own = makes(seen, best), makes(seen, chosen)
    pegged = 0 if own is None else own.points
    if made is not None and made.points > pegged:
        found.append(AtOnce(made.scores, made.points, pegged))
    replies = [_replies(seen, card) for card in (best, chosen)]
    if _another_follows(seen) and replies[1] >= replies[0] + SHOWN_REPLIES:
        count = seen.count + chosen.value
        found.append(Replies(count, replies[1], replies[0], len(unseen(seen))))
    one, other = _both(decision)
    if one["points"] >= other["points"] + SEEN_POINTS:
        found.append(Leaves(one["points"], other["points"], one["win"] is not None))
    return found


def _another_follows(seen: View) -> bool:
    return any(
        seen.held[seat] and seat not in seen.gone for seat in range(seen.rules.seats) if seat != seen.seat
    )


def _replies(seen: View, card: Card) -> int:
    """Return how many of the cards not seen score on this one if they are played next."""
    played, count = (*seen.in_count, card), seen.count + card.value
    return sum([bool(pegging.scores((*played, other))) for other in pegging.playable(unseen(seen), count)])
