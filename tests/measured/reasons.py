"""Checks whether the reasons of hints and reviews are true.

Every figure and every cause is found again by counting card by card. The other side's play is taken from the
book hand by hand.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from fifteentwo.analysis.pegging.beliefs import history, role_of
from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, PEOPLE, LookAhead
from fifteentwo.analysis.pegging.opponents import BOOK
from fifteentwo.analysis.review import card_reasons as of_cards
from fifteentwo.analysis.review import discard_reasons as of_discards
from fifteentwo.analysis.review import reasons as of_scores
from fifteentwo.analysis.review.advice import advice
from fifteentwo.analysis.review.review import Decision, reviewed
from fifteentwo.fast.hands import hands
from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card
from fifteentwo.rules.record import replay
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.view import View, view
from tests.analysis.hint_positions import positions
from tests.analysis.pegging.test_look_ahead import Plain
from tests.support.quick_records import played

AVERAGES = (of_discards.Better, of_scores.Wins, of_scores.WinsMore)
"""Facts that name mean values and no cause."""
LEVELS = ("random", "greedy", "beginner", "casual")


class Stated(NamedTuple):
    """The reasons given for one choice against another."""

    seen: View
    decision: Decision
    facts: tuple[of_scores.Reason, ...]


# ── What is asked for ────────────────────────────────────────────────────────────────────────────────────


def hints(phase: Phase, number: int, variant: str = "six-card") -> Iterator[list[Stated]]:
    """Yield the reasons of `number` hints of a phase that had a choice."""
    found = 0
    for seen, _ in positions(variant, 4 * number if phase is Phase.PLAY else 7 * number):
        if seen.phase is phase and found < number:
            given = advice(seen)
            if given is not None and given.others:
                found += 1
                yield [Stated(seen, other.decision, other.reasons) for other in given.others]


def review_sentences(number: int) -> Iterator[list[Stated]]:
    """Yield the reasons of `number` marked decisions."""
    found = 0
    for seed in range(number):
        record = played("six-card", seed, LEVELS[seed % len(LEVELS)])
        states = [start(record.rules, named=record.named), *[state for _, state, _ in replay(record)]]
        for one in reviewed(record):
            if isinstance(one, Decision) and one.mark and one.options:
                seen = view(states[one.step], one.seat)
                found += 1
                yield [Stated(seen, one, of_scores.reasons(seen, one))]
            if found >= number:
                return


# ── Counting card by card ────────────────────────────────────────────────────────────────────────────────


def value(rank: int) -> int:
    return min(rank + 1, 10)


def pegs(pile: Sequence[int]) -> Counter[str]:
    """Return the points of the last of these ranks of one count, by name."""
    made: Counter[str] = Counter()
    total = sum(map(value, pile))
    if total in (15, 31):
        made["fifteen" if total == 15 else "thirty_one"] = 2
    alike = next((n for n in range(len(pile)) if pile[-1 - n] != pile[-1]), len(pile))
    if alike > 1:
        made[{2: "pair", 3: "pair_royal", 4: "double_pair_royal"}[alike]] = alike * (alike - 1)
    for length in range(len(pile), 2, -1):
        last = sorted(pile[-length:])
        if last == list(range(last[0], last[0] + length)):
            made["run"] = length
            break
    return made


def counted(hand: Sequence[Card], starter: Card | None) -> int:
    """Return the points of a hand in the show, with or without a starter."""
    whole = [*hand, *([starter] if starter else [])]
    points = 0
    for size in range(2, len(whole) + 1):
        for some in combinations(whole, size):
            points += 2 * (sum(min(card.rank, 10) for card in some) == 15)
            points += 2 * (size == 2 and some[0].rank == some[1].rank)
    for length in (5, 4, 3):
        runs = 0
        for some in combinations(whole, length):
            ranks = sorted(card.rank for card in some)
            runs += ranks == list(range(ranks[0], ranks[0] + length))
        if runs:
            points += runs * length
            break
    if len({card.suit for card in hand}) == 1:
        points += len(hand) + (starter is not None and starter.suit == hand[0].suit)
    if starter is not None:
        points += sum(card.rank == 11 and card.suit == starter.suit for card in hand)
    return points


class After(NamedTuple):
    """A reply of the opponent: a rank, or None for a go; its points, and those of each card after it."""

    rank: int | None
    chance: float
    made: Counter[str]
    next: dict[int, Counter[str]]


def after(seen: View, card: Card, *, everyone: bool = False) -> list[After]:
    """Return every reply of the book strategy, hand by hand; with `everyone` also those that people have."""
    search = LookAhead(seen)
    plain = Plain(seen, chances=False, noise=EQUILIBRIUM.noise)
    rank, rest = card.index >> 2, [one.index >> 2 for one in seen.hand if one is not card]
    pile = [*[one.index >> 2 for one in seen.in_count], rank]
    full = sum(map(value, pile)) == 31
    chances: dict[int | None, float] = defaultdict(float)
    foe = 1 - seen.seat
    if seen.hand_sizes[foe] and (full or foe not in seen.said_go):
        acts = (*history(seen), (role_of(seen, seen.seat), rank + 1))
        most = 31 if full else 31 - sum(map(value, pile))
        for hand, weight in zip(hands(seen.hand_sizes[foe]), search.belief[BOOK].tolist(), strict=True):
            fits = sorted({one for one in hand if value(one) <= most})
            if weight and not fits:
                chances[None] += weight
            elif weight:
                for one, share in plain.policy(acts, BOOK, hand, fits).items():
                    chances[one] += weight * share
    else:
        chances[None] = 1.0
    for reply in among_people(seen, card) if everyone else ():
        chances[reply] += 0.0
    found = []
    for reply, chance in chances.items():
        begun = [] if full else pile
        then = begun if reply is None else [*begun, reply]
        made = Counter[str]() if reply is None else pegs(then)
        if sum(map(value, then)) == 31:
            then = []
        mine = {one: pegs([*then, one]) for one in rest if sum(map(value, [*then, one])) <= 31}
        found.append(After(reply, chance, made, {one: made for one, made in mine.items() if made}))
    return found


# ── Whether a fact is true ───────────────────────────────────────────────────────────────────────────────


def untrue(one: Stated) -> Iterator[str]:
    """Yield what is wrong with the reasons of a choice."""
    by_choice = {option["choice"]: option for option in one.decision.options}
    best, chosen = by_choice[one.decision.best], by_choice[one.decision.chosen]
    for fact in one.facts:
        if not _of_score(fact, best, chosen):
            yield f"{fact} is not of {best}, {chosen}"
    if one.decision.kind == "play":
        yield from _false_card_facts(one, best["points"] - chosen["points"])
    else:
        yield from _false_discard_facts(one, best, chosen)


def _of_score(fact: of_scores.Reason, best: dict[str, Any], chosen: dict[str, Any]) -> bool:
    match fact:
        case of_scores.Near(win=win, points=points):
            if win is None:
                return abs(best["points"] - chosen["points"] - points) < 0.006 and points < 0.1
            return abs(best["win"] - chosen["win"] - win) < 1e-6 and win < 0.003
        case of_scores.WinsMore(points=points, win=win, chosen_win=other):
            more = abs(chosen["points"] - best["points"] - points) < 0.006 and points > 0
            return more and (win, other) == (best["win"], chosen["win"]) and win > other
        case of_scores.Wins(win=win, chosen_win=other):
            return (win, other) == (best["win"], chosen["win"]) and win > other
        case _:
            return True


def _at_once(seen: View, card: Card) -> tuple[Counter[str], int]:
    """Return the scores of a card, and its points with last card if nobody can follow."""
    pile = [one.index >> 2 for one in (*seen.in_count, card)]
    made, total = pegs(pile), sum(map(value, pile))
    others = any(
        seen.hand_sizes[seat] and seat not in seen.said_go
        for seat in range(seen.rules.seats)
        if seat != seen.seat
    )
    rest = [one for one in seen.hand if one is not card and total + one.value <= 31]
    return made, made.total() + (not others and not rest and total < 31)


def _kinds(scores: Sequence[Any]) -> set[str]:
    return {kind.name.value for kind in scores} - {"last_card"}


def _false_card_facts(one: Stated, difference: float) -> Iterator[str]:
    seen, decision = one.seen, one.decision
    held = {card.text[0]: card for card in reversed(seen.hand)}
    best, chosen = held[decision.best], held[decision.chosen]
    first, second = _at_once(seen, best), _at_once(seen, chosen)
    gains, causes = 0.0, 0
    for fact in one.facts:
        match fact:
            case of_scores.WinsNow(points=points):
                needed = seen.rules.target - seen.front[seen.side]
                ok = points == first[1] >= needed > second[1]
                gains = difference
            case of_cards.AtOnce(scores=scores, points=points, chosen=less):
                ok = (
                    _kinds(scores) == set(first[0])
                    and (points, less) == (first[1], second[1])
                    and points > less
                )
                gains, causes = gains + first[0].total() - second[0].total(), causes + 1
            case of_cards.GivesUp(scores=scores, points=points, best=less):
                ok = (
                    _kinds(scores) == set(second[0])
                    and (points, less) == (second[1], first[1])
                    and points > less
                )
            case of_cards.ScoredOn():
                ok = _scored_on(seen, fact, best, chosen)
                gains, causes = gains + fact.points, causes + 1
            case of_cards.SetsUp():
                ok = _sets_up(seen, fact, best, chosen)
                gains, causes = gains + fact.points, causes + 1
            case of_cards.Later(points=points):
                ok = points > 0
                gains, causes = gains + points, causes + 1
            case of_cards.Replies():
                ok = _replies(seen, fact, best, chosen)
                gains = difference
            case _:
                ok, gains = True, difference
        if not ok:
            yield f"{fact}: {best} or {chosen} on {seen.in_count}, holding {seen.hand}"
    if causes and gains < difference / 2 - 0.03 and causes < 2:
        yield f"{one.facts} carry {gains} of {difference}"


def among_people(seen: View, card: Card) -> dict[int | None, float]:
    """Return the probability of each reply, and of a go, by players of every strength."""
    chances = LookAhead(seen, PEOPLE).replies(card.index >> 2).tolist()
    return {None: 1 - sum(chances), **{rank: chance for rank, chance in enumerate(chances) if chance > 0}}


def _scored_on(seen: View, fact: of_cards.ScoredOn, best: Card, chosen: Card) -> bool:
    replies = [after(seen, card) for card in (best, chosen)]
    people = [among_people(seen, card) for card in (best, chosen)]
    piles = [() if seen.count + card.value == 31 else (*seen.in_count, card) for card in (best, chosen)]
    made = [
        {rank: pegs([*[one.index >> 2 for one in pile], rank]) for rank in often if rank is not None}
        for pile, often in zip(piles, people, strict=True)
    ]
    chances = [sum(often[rank] for rank in of if of[rank]) for often, of in zip(people, made, strict=True)]
    means = [sum(one.chance * one.made.total() for one in each) for each in replies]
    least, whole = (
        sum(often[rank] * each.total() for rank, each in of.items())
        for often, of in zip(people, made, strict=True)
    )
    costs = {
        rank: people[1][rank] * each.total() - people[0].get(rank, 0.0) * made[0].get(rank, Counter()).total()
        for rank, each in made[1].items()
        if each
    }
    named = {RANK_TEXT.index(text): each for each in fact.replies for text in each.ranks}
    for rank, example in named.items():
        if set(made[1][rank]) != _kinds(example.scores) or made[1][rank].total() != example.points:
            return False
    return (
        fact.count == seen.count + chosen.value
        and abs(fact.chance - chances[1]) < 1e-3
        and abs(fact.best_chance - chances[0]) < 1e-3
        and (fact.best_chance > 0 or not made[0] or not any(made[0].values()))
        and fact.chance > fact.best_chance
        and abs(fact.points - (means[1] - means[0])) < 0.01
        and fact.is_explained == (whole - least >= (means[1] - means[0]) / 2)
        and all(costs[rank] > 0 for rank in named)
        and fact.others == (sum(people[1][one] for one in costs if one not in named) >= chances[1] / 4)
        and (len(fact.replies) == 2 or _is_half(costs, named))
    )


def _is_half(costs: dict[int, float], named: Iterable[int]) -> bool:
    """Return whether the named replies cost at least half of the points that all the costlier ones do."""
    return sum(costs[rank] for rank in named) >= sum(cost for cost in costs.values() if cost > 0) / 2 - 1e-3


def _sets_up(seen: View, fact: of_cards.SetsUp, best: Card, chosen: Card) -> bool:
    replies = [{one.rank: one for one in after(seen, card, everyone=True)} for card in (best, chosen)]
    chances = [
        sum(chance for rank, chance in among_people(seen, card).items() if rank in each and each[rank].next)
        for card, each in zip((best, chosen), replies, strict=True)
    ]
    by_rank = replies[0]
    for example in fact.examples:
        for text in example.ranks or (None,):
            reply = by_rank[None if text is None else RANK_TEXT.index(text)]
            made = reply.next[RANK_TEXT.index(example.own)]
            most = max(one.total() for one in reply.next.values())
            if set(made) != _kinds(example.scores) or made.total() < most:
                return False
    return (
        abs(fact.chance - chances[0]) < 1e-3
        and abs(fact.chosen_chance - chances[1]) < 1e-3
        and fact.chance > fact.chosen_chance
    )


def _replies(seen: View, fact: of_cards.Replies, best: Card, chosen: Card) -> bool:
    known = {*seen.hand, *seen.discarded, seen.starter, *(card for _, card in seen.played)}
    free = [card for card in DECK if card not in known]
    numbers = []
    for card in (best, chosen):
        pile = [one.index >> 2 for one in (*seen.in_count, card)]
        total = sum(map(value, pile))
        fits = [one.index >> 2 for one in free if total < 31 and total + one.value <= 31]
        numbers.append(sum(bool(pegs([*pile, one])) for one in fits))
    return [fact.best, fact.chosen, fact.unseen] == [*numbers, len(free)] and fact.chosen > fact.best


def _false_discard_facts(one: Stated, best: dict[str, Any], chosen: dict[str, Any]) -> Iterator[str]:
    """Yield each statement about two discards that a recount contradicts."""
    seen = one.seen
    given = [[Card(text) for text in option["choice"].split()] for option in (best, chosen)]
    kept = [[card for card in seen.hand if card not in cards] for cards in given]
    turned = [card for card in DECK if card not in seen.hand]
    points = [[counted(hand, starter) for starter in turned] for hand in kept]
    lies = [counted(hand, None) for hand in kept]
    own = seen.rules.side(seen.dealer) == seen.side
    for hand, option in zip(points, (best, chosen), strict=True):
        if abs(sum(hand) / len(turned) - option["hand"]) > 0.006:
            yield f"mean hand of {option}"
    for fact in one.facts:
        match fact:
            case of_discards.Keeps(best=more, chosen=less):
                ok = [more, less] == lies and more > less
            case of_discards.Starters(more=more, less=less, ranks=ranks):
                gains = [first - second for first, second in zip(*points, strict=True)]
                by_rank = Counter[str]()
                for card, gain in zip(turned, gains, strict=True):
                    by_rank[card.text[0]] += gain
                ok = (more, less) == (sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))
                ok = ok and fact.best == best["hand"] > fact.chosen == chosen["hand"]
                ok = ok and all(by_rank[rank] > 0 for rank in ranks)
            case of_discards.Crib():
                ok = fact.own == own and _crib(fact, given if own else given[::-1])
                ok = ok and (fact.best, fact.chosen) == (best["crib"], chosen["crib"])
                ok = ok and (fact.best > fact.chosen) == own
            case of_discards.LowCards(cards=cards):
                ok = all(card in kept[0] and card in given[1] and card.rank <= 4 for card in cards)
                ok = ok and bool(cards) and fact.best > fact.chosen
                ok = ok and (fact.best, fact.chosen) == (best["play"], chosen["play"])
            case of_discards.Pegs(kept=held, given=away):
                ok = held in kept[0] and away in given[0] and {*kept[0]} - {held} == {*kept[1]} - {away}
                ok = ok and fact.best == best["play"] > fact.chosen == chosen["play"]
            case of_discards.Better(part=part):
                ok = (fact.best, fact.chosen) == (best[part], chosen[part])
                ok = ok and (fact.best < fact.chosen) == (part == "crib" and not own)
            case of_discards.Against(part=part, gain=gain):
                ok = abs(abs(best[part] - chosen[part]) - gain) < 0.006
                ok = ok and (best[part] > chosen[part]) == (part == "crib" and not own)
            case of_discards.MakesNeed():
                need = seen.rules.target - seen.front[seen.side]
                enough = [sum(made >= need for made in hand) for hand in points]
                ok = [fact.need, fact.best, fact.chosen, fact.unseen] == [need, *enough, len(turned)]
                ok = ok and enough[0] > enough[1] and fact.counts_first != seen.is_dealer
                share = (enough[0] - enough[1]) / len(turned)
                ok = ok and share * (1 - chosen["win"]) >= (best["win"] - chosen["win"]) / 2 - 1e-6
            case _:
                ok = True
        if not ok:
            yield f"{fact}: {best} or {chosen} of {seen.hand}"


def _crib(fact: of_discards.Crib, given: Sequence[Sequence[Card]]) -> bool:
    """Return whether only the first of two discards has a property."""
    richer, poorer = given
    ranks = [sorted(card.rank for card in cards) for cards in given]
    match fact.cause:
        case "scores":
            return _together(richer) > _together(poorer)
        case "five":
            return sum(card.rank == 5 for card in richer) > sum(card.rank == 5 for card in poorer)
        case "fifteen":
            free = [
                [one.text[0] for one in DECK[::4] if sum(c.value for c in cards) + one.value == 15]
                for cards in given
            ]
            return set(fact.ranks) == set(free[0]) and len(free[0]) > len(free[1])
        case "close":
            apart = [high - low for low, high in ranks]
            return apart[0] in (1, 2) and not 0 < apart[1] <= apart[0]
        case _:
            return sum(card.rank == 11 for card in richer) > sum(card.rank == 11 for card in poorer)


def _together(cards: Sequence[Card]) -> int:
    return 2 * (sum(card.value for card in cards) == 15) + 2 * (cards[0].rank == cards[1].rank)


# ── The figures ──────────────────────────────────────────────────────────────────────────────────────────


def averages_only(stated: Sequence[Stated]) -> bool:
    """Return whether the reasons name only mean values."""
    facts = [fact for one in stated for fact in one.facts]
    return bool(facts) and all(isinstance(fact, AVERAGES) for fact in facts)


def sentences(one: Stated, lang: str) -> list[str]:
    return reasons_text(msgspec.to_builtins(one.decision), of_scores.report(one.facts), lang)
