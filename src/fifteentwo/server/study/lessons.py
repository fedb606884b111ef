"""The steps of the lesson "Cribbage in ten minutes": two arranged deals, which the rules play and count."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.catalogue import join_sentences
from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Action, Deal, Discard, NameDealer, Play, TurnUp
from fifteentwo.rules.board import Pegs
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.events import (
    CountCleared,
    Dealt,
    Event,
    Pegged,
    Played,
    ScoreName,
    Shown,
    StarterTurned,
)
from fifteentwo.rules.game import step
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.rules.variants import Starter, rules_for

GOOD_ENOUGH_POINTS = 1.5
"""Mean points that a discard may be worse than the best one and still be good enough."""
DEALS = (
    ("4D 5H 6C JS 9C KD", "AH JH 9S 8D 2H QC", "6S", "4D AH JS JH 6C 9S 5H 8D"),
    ("KS AS 9D 5D 7S TH", "2C 3C 8C QC 9H 6D", "JD", "KS 3C AS 2C 9D 5D 8C QC"),
)
"""Two deals: the cards of pone and of dealer, who discard their last two; the starter; the cards played."""
PAUSES: dict[str, tuple[type[Event], int, int]] = {
    "pone": (Dealt, 1, 0),
    "starter": (StarterTurned, 1, 1),
    "lead": (StarterTurned, 1, 0),
    "fifteen": (Played, 2, 0),
    "pair": (Pegged, 2, 2),
    "thirty-one": (Pegged, 2, 0),
    "nobs": (Shown, 1, 4),
    "double": (Shown, 1, 0),
    "crib": (Dealt, 2, 0),
    "heels": (StarterTurned, 2, 1),
    "run": (Played, 11, 3),
    "go": (Played, 13, 1),
    "order": (CountCleared, 4, 5),
    "flush": (Shown, 5, 0),
}
"""Steps that pause the deals: each after the nth event of a type; it tells a number of the last events."""
BOARD_PEGS, BOARD_POINTS = Pegs(12, 5), 8
_Texts = dict[str, Any]
_Names = tuple[str, ...]
_Why = Callable[[Sequence[Card]], str]


class Reason(msgspec.Struct, frozen=True):
    """An answer (cards, or a choice) and its explanation."""

    answer: tuple[str, ...]
    why: str


class ScoreToFind(msgspec.Struct, frozen=True):
    """A score of the learner's hand, and the sentence that asks for its cards."""

    name: str
    label: str
    cards: tuple[Card, ...]
    points: int
    ask: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A text of a step that is read before the question or after the right answer."""

    words: str
    title: str = ""
    """A title that replaces the one of the step."""
    scores: tuple[ScoreToFind, ...] = ()
    """Scores that the learner finds in the hand."""
    cards: tuple[Card, ...] = ()
    """Cards that are lit."""
    shown: tuple[Card, ...] = ()
    """A hand that replaces the cards on the table."""
    starter: Card | None = None
    count: int | None = None
    """The count after these cards in pegging; None for a hand."""
    total: int | None = None
    """Points of the hand."""
    front: tuple[int, ...] = ()
    """Scores of the learner and of Ada; empty if the step's scores hold."""
    rear: tuple[int, ...] = ()
    held: tuple[Card, ...] | None = None
    """The learner's cards that are not played yet; None if the page does not tell the pegging."""


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the lesson."""

    id: str
    lesson: int
    """Number of the part, from 1; 0 for the last step, which starts the first game."""
    title: str
    text: str
    """What has just happened if no page tells it, and the question."""
    before: tuple[Page, ...] = ()
    after: tuple[Page, ...] = ()
    done: str = ""
    """Explanation of the right answer."""
    cards: tuple[Card, ...] = ()
    pick: int = 0
    """Number of cards that the learner must choose."""
    accept: tuple[tuple[Card, ...], ...] = ()
    """The right choices of cards."""
    good: tuple[Reason, ...] = ()
    """Answers that are good enough."""
    wrong: tuple[Reason, ...] = ()
    hint: str = ""
    """A hint after the first wrong answer; after the next one, `better` names the right answer."""
    better: str = ""
    choices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """Texts of the choices."""
    right: tuple[str, ...] = ()
    """The right choices, in the order in which they must be chosen."""
    played: tuple[Card, ...] = ()
    count: int | None = None
    """The count of the cards played; None outside pegging."""
    counts: tuple[int | None, ...] = ()
    """The count after each card; None if it would exceed 31."""
    discards: bool = False
    """Whether the cards are chosen for the crib."""
    starter: Card | None = None
    pegs: tuple[tuple[int, int], ...] = ()
    """Positions of the (front, rear) peg of each side, in points."""
    points: int = 0
    """Points that the learner pegs after the right answer."""
    front: tuple[int, ...] = ()
    """Scores of the learner and of Ada."""
    rear: tuple[int, ...] = ()
    """Positions of the rear pegs, in points."""
    lit: tuple[Card, ...] = ()
    """Cards that score with the right answer."""
    held: tuple[Card, ...] | None = None
    """The learner's cards that are not played yet, if the question is not about cards of the hand."""


@cache
def deal_events() -> tuple[tuple[Event, State], ...]:
    """Return the events of both deals and the states after them; raise IllegalAction if one breaks a rule."""
    state = start(rules_for("six-card", cut_before_deal=False, starter=Starter.TOP), named=True)
    found: list[tuple[Event, State]] = []
    for action in _actions():
        for event in step(state, action)[1]:
            state = evolve(state, event)
            found.append((event, state))
    return tuple(found)


def _actions() -> Iterator[Action]:
    yield NameDealer(1)
    for pone, (pone_cards, dealer_cards, starter, played) in enumerate(DEALS):
        hands = {pone: cards(pone_cards), 1 - pone: cards(dealer_cards)}
        yield Deal(tuple(card for pair in zip(hands[pone], hands[1 - pone], strict=True) for card in pair))
        yield from (Discard(seat, held[4:]) for seat, held in hands.items())
        yield TurnUp(Card(starter))
        yield from (Play(0 if card in hands[0] else 1, card) for card in cards(played))


def moment(name: str) -> tuple[State, tuple[Event, ...]]:
    """Return the state at which a step pauses, and the events that the step tells."""
    kind, number, told = PAUSES[name]
    every, at = deal_events(), _place(kind, number)
    before = [event for event, _ in every[: at + 1] if isinstance(event, Played | Pegged | StarterTurned)]
    return every[at][1], tuple(before[len(before) - told :])


def _place(kind: type[Event], number: int) -> int:
    return [place for place, (event, _) in enumerate(deal_events()) if isinstance(event, kind)][number - 1]


@cache
def lesson_screens(lang: str) -> tuple[Screen, ...]:
    return (
        _board_step(lang),
        _find_step("sum", lang, 2, ScoreName.FIFTEEN),
        _find_step("row", lang, 3, ScoreName.RUN, after=(_example_page("two", "8S 8H", lang, "pair"),)),
        _discard_step("pone", lang),
        _starter_step(lang),
        _lead_step(lang),
        _pegging_step("fifteen", lang, ScoreName.FIFTEEN),
        _pair_step(lang),
        _pegging_step("thirty-one", lang, ScoreName.THIRTY_ONE),
        _nobs_step(lang),
        _double_run_step(lang),
        _discard_step("crib", lang),
        _heels_step(lang),
        _pegging_step("run", lang, ScoreName.RUN),
        _go_step(lang),
        _order_step(lang),
        _flush_step(lang),
        _screen("start", lang),
    )


def _screen(name: str, lang: str, values: _Texts | None = None, **fields: Any) -> Screen:
    words = values or {}
    state, told = moment(name) if name in PAUSES else (None, ())
    if state is not None:
        own, other = state.front
        words = {"own": own, "other": other, "count": state.count} | words
        fields = {"starter": state.starter, "front": state.front, "rear": state.rear} | fields
    question = i18n.text(f"learn.text.{name}", lang, **words)
    return Screen(
        id=name,
        lesson=0 if name == "start" else 1 if state is None else 1 + state.deal,
        title=i18n.text(f"learn.title.{name}", lang),
        text=question if "before" in fields else _after_events(told, question, lang),
        done=i18n.text(f"learn.done.{name}", lang, **words) if name != "start" else "",
        **fields,
    )


def _after_events(told: Iterable[Event], words: str, lang: str) -> str:
    names = (i18n.text("home.you", lang), i18n.text("learn.opponent", lang))
    sentences = [i18n.event_text(event, lang, names, viewer=0) for event in told]
    return join_sentences([*sentences, words], lang)


def _page(name: str, lang: str, values: _Texts | None = None, **fields: Any) -> Page:
    return Page(words=i18n.text(f"learn.page.{name}", lang, **(values or {})), **fields)


def _told_page(name: str, lang: str, told: Sequence[Event], title: str = "") -> Page:
    """Return a page about events of the pegging that shows the cards of their count."""
    after = [(event, state) for event, state in deal_events() if event in told]
    state, (_, last) = [state for event, state in after if isinstance(event, Played)][-1], after[-1]
    about: _Texts = {"shown": state.in_count, "count": state.count, "starter": state.starter}
    about |= {"held": last.hands[0], "front": last.front, "rear": last.rear}
    return _page(name, lang, title=title and i18n.text(title, lang), **about)


def _count_page(number: int, lang: str, title: str) -> Page:
    """Return a page about the nth hand shown; the learner finds the scores of the own hand."""
    at = _place(Shown, number)
    (shown, _), (pegged, after) = deal_events()[at : at + 2]
    assert isinstance(shown, Shown)
    assert isinstance(pegged, Pegged)
    found = i18n.named(pegged.scores, lang)
    about: _Texts = {"shown": shown.cards, "starter": after.starter, "total": pegged.points}
    about |= {"title": i18n.text(title, lang), "front": after.front, "rear": after.rear}
    if shown.seat or shown.crib:
        said = i18n.text("list.comma", lang).join(_said(score, lang) for score in found)
        lit = tuple({card: None for score in found for card in score.cards})
        return _page("said", lang, {"words": said}, cards=lit, **about)
    names = [score.name for score in found]
    keys = [name + "-more" * (name in names[:at]) for at, name in enumerate(names)]
    asks = [i18n.text(f"learn.find.{key}", lang) for key in keys]
    scores = [ScoreToFind(s.name, s.label, s.cards, s.points, a) for s, a in zip(found, asks, strict=True)]
    return Page(words=asks[0], scores=tuple(scores), **about)


def _said(score: i18n.NamedScore, lang: str) -> str:
    ranks = [_rank_name(card, lang) for card in sorted(score.cards)]
    joint = i18n.text("learn.plus" if score.name == "fifteen" else "learn.ranks-join", lang)
    return i18n.text("learn.said", lang, words=score.words, ranks=joint.join(ranks))


def _example_page(key: str, held: str, lang: str, title: str = "") -> Page:
    """Return a page about the points of four cards, or of a pair."""
    shown = cards(held)
    total = _points(shown) if len(shown) > 2 else sum(one.points for one in pegging.scores(shown))
    title = title and i18n.text(f"learn.title.{title}", lang)
    return _page(key, lang, cards=shown, shown=shown, total=total, title=title)


def _reasons(wrong: Iterable[Sequence[Card]], why: _Why) -> tuple[Reason, ...]:
    return tuple(Reason(tuple(card.text for card in chosen), why(chosen)) for chosen in wrong)


def _pick_step(
    name: str, lang: str, held: Sequence[Card], why: _Why, *right: tuple[Card, ...], **fields: Any
) -> Screen:
    """Return a step with right choices of cards, in which every other choice is explained."""
    wrong = _reasons([some for some in combinations(held, len(right[0])) if some not in right], why)
    about: _Texts = {"pick": len(right[0]), "accept": right, "wrong": wrong}
    return _screen(name, lang, cards=tuple(held), **about, **fields)


def _choice_step(
    name: str,
    lang: str,
    choices: _Names | dict[str, int],
    right: _Names,
    values: _Texts | None = None,
    **fields: Any,
) -> Screen:
    """Return a step with choices (words, or points by name); all but the first right one are explained."""
    points = choices if isinstance(choices, dict) else {}
    words = {**points, **(values or {})}

    def label(one: str) -> str:
        key = "join.points" if points else f"learn.choice.{name}-{one}"
        return i18n.text(key, lang, **(words | {"n": points.get(one)}))

    wrong = [one for one in choices if one != right[0]]
    return _screen(
        name,
        lang,
        words,
        choices=tuple(choices),
        labels=tuple(label(one) for one in choices),
        right=right,
        wrong=tuple(Reason((one,), i18n.text(f"learn.wrong.{name}-{one}", lang, **words)) for one in wrong),
        **fields,
    )


def _board_step(lang: str) -> Screen:
    front, rear, points = BOARD_PEGS.front, BOARD_PEGS.rear, BOARD_POINTS
    places = {"start": points, "rear_hole": rear + points, "hole": BOARD_PEGS.move(points).front}
    about: _Texts = {"values": {"front": front, "points": points, **places}, "points": points}
    about |= {"pegs": ((front, rear), (9, 3)), "before": (_page("board", lang),)}
    return _choice_step("board", lang, ("start", "rear", "front"), ("front",), **about)


def _find_step(name: str, lang: str, number: int, wanted: ScoreName, **fields: Any) -> Screen:
    """Return a step in which the learner finds a score of some of the cards dealt."""
    held = moment("pone")[0].hands[0]
    made = {some: pegging.scores(some) for some in combinations(held, number)}
    right = {some: one.points for some, scores in made.items() for one in scores if one.name is wanted}

    def why(chosen: Sequence[Card]) -> str:
        if wanted is ScoreName.RUN:
            return _gap_text(chosen, lang)
        first, second = (_value_text(card, lang) for card in chosen)
        values = {"count": first, "card": second, "n": sum(card.value for card in chosen)}
        return i18n.text("learn.wrong.fifteen", lang, **values)

    values = {"n": max(right.values())}
    return _pick_step(name, lang, held, why, *right, points=values["n"], values=values, **fields)


def _discard_step(name: str, lang: str) -> Screen:
    # Imported here because it loads NumPy.
    from fifteentwo.analysis.discards.discard import options

    held, own_crib = moment(name)[0].hands[0], name == "crib"
    best, *others = options(held, own_crib=own_crib, pegging=lambda _kept_text, _own_crib, /: 0.0)
    good = [one.discard for one in others if best.net - one.net <= GOOD_ENOUGH_POINTS]
    wrong = [one.discard for one in others if one.discard not in good]
    discard_text = i18n.text("list.cards", lang).join(i18n.card_text(card, lang) for card in best.discard)
    words: _Texts = {"cards": discard_text, "best": _points(best.keep)}

    def why(discard: Sequence[Card]) -> str:
        keep = [card for card in held if card not in discard]
        key = "learn.good-enough" if discard in good else "learn.weighed"
        return i18n.text(key, lang, ranks=_rank_names(keep, lang), n=_points(keep), **words)

    flush = (_example_page("flush", "2H 6H 8H KH", lang, "flush"),)
    before = flush if own_crib else (_page("six", lang), _page("crib", lang))
    about: _Texts = {"hint": i18n.text(f"learn.hint.{name}", lang, **words)}
    about |= {
        "better": i18n.text(f"learn.better.{name}", lang, **words),
        "discards": True,
        "before": before,
        "values": words,
    }
    screen = _pick_step(name, lang, held, why, best.discard, **about)
    return msgspec.structs.replace(screen, good=_reasons(good, why), wrong=_reasons(wrong, why))


def _points(hand: Sequence[Card]) -> int:
    """Return the points of four cards without a starter."""
    every = [(one, show.scores(hand, one)) for one in DECK if one not in hand]
    own = [[made for made in found if one not in made.cards and made.name != "nobs"] for one, found in every]
    return max(sum(score.points for score in scores) for scores in own)


def _starter_step(lang: str) -> Screen:
    state = moment("starter")[0]
    held, starter = state.hands[0], state.starter
    assert starter is not None
    (right,) = (card for card in held if card.rank == starter.rank)

    def why(chosen: Sequence[Card]) -> str:
        names = {"card": _rank_name(chosen[0], lang), "starter": _rank_name(starter, lang)}
        return i18n.text("learn.wrong.starter", lang, **names)

    before = (_page("starter", lang),)
    return _pick_step("starter", lang, held, why, (right,), before=before, lit=(starter,))


def _heels_step(lang: str) -> Screen:
    (heels,) = (event for event, _ in deal_events() if isinstance(event, Pegged) and event.reason == "heels")
    right = (("own", "other")[heels.seat],)
    about: _Texts = {"before": (_page("heels", lang),), "points": heels.points}
    return _choice_step("heels", lang, ("other", "own", "none"), right, **about)


def _lead_step(lang: str) -> Screen:
    """Return a step that judges each lead by the ranks with which the opponent makes fifteen."""
    held = moment("lead")[0].hands[0]

    def replies(card: Card) -> tuple[Card, ...]:
        """Return a card of each rank that makes fifteen after a lead."""
        made = {one: pegging.scores((card, one)) for one in DECK if one not in held}
        names = {one: {score.name for score in scores} for one, scores in made.items()}
        return tuple({one.rank: one for one in names if ScoreName.FIFTEEN in names[one]}.values())

    def why(chosen: Sequence[Card]) -> str:
        ranks = i18n.text("list.comma", lang).join(_rank_name(one, lang) for one in replies(chosen[0]))
        return i18n.text("learn.wrong.lead", lang, lead=_rank_name(chosen[0], lang), ranks=ranks)

    (right,) = (card for card in held if not replies(card))
    about: _Texts = {"counts": tuple(card.value for card in held), "count": 0}
    before = (_page("lead", lang), _page("values", lang))
    values = {"lead": _rank_name(right, lang), "n": right.value + max(card.value for card in DECK)}
    return _pick_step("lead", lang, held, why, (right,), values=values, before=before, **about)


def _pegging_step(name: str, lang: str, wanted: ScoreName) -> Screen:
    """Return a step in which the learner must play the card that makes a score."""
    state = moment(name)[0]
    played, held, count = state.in_count, state.hands[0], state.count
    made = {card: [one for one in pegging.scores((*played, card)) if one.name is wanted] for card in held}
    (right,) = (card for card, found in made.items() if found)

    def why(chosen: Sequence[Card]) -> str:
        if wanted is ScoreName.RUN:
            return _gap_text((*played[-2:], *chosen), lang)
        total = count + chosen[0].value
        short = pegging.LIMIT - total
        values = {"count": count, "card": _value_text(chosen[0], lang), "n": total, "short": short}
        return i18n.text(f"learn.wrong.{name}", lang, **values)

    counts = tuple(count + card.value if count + card.value <= pegging.LIMIT else None for card in held)
    about: _Texts = {
        "played": played,
        "count": count,
        "counts": counts,
        "values": {"n": made[right][0].points},
        "points": made[right][0].points,
        "lit": made[right][0].cards,
    }
    if wanted is ScoreName.RUN:
        about["before"] = (_told_page("run", lang, moment(name)[1]),)
    return _pick_step(name, lang, held, why, (right,), **about)


def _go_step(lang: str) -> Screen:
    state = moment("go")[0]
    held, count = state.hands[0], state.count

    def why(chosen: Sequence[Card]) -> str:
        values = {"count": count, "card": _value_text(chosen[0], lang), "n": count + chosen[0].value}
        return i18n.text("learn.wrong.past", lang, **values)

    labels = (i18n.text("learn.choice.go", lang),)
    told = moment("order")[1]
    after = (_told_page("go-on", lang, told[:2]), _told_page("play-on", lang, told[2:], "learn.title.last"))
    about: _Texts = {"choices": ("go",), "labels": labels, "wrong": _reasons(combinations(held, 1), why)}
    about |= {"before": (_page("go", lang),), "after": after}
    return _screen("go", lang, cards=held, right=("go",), played=state.in_count, count=count, **about)


def _pair_step(lang: str) -> Screen:
    state = moment("pair")[0]
    (pair,) = (one.points for one in pegging.scores(state.in_count) if one.name is ScoreName.PAIR)
    (three,) = (one.points for one in pegging.scores(cards("4S 4H 4D")))
    after = (_example_page("four", "4S 4H 4D 4C", lang),)
    points = {"one": three // pair, "two": 2 * pair, "three": three}
    before = (_told_page("pair", lang, moment("pair")[1]),)
    about: _Texts = {"played": cards("4S 4H 4D"), "starter": None, "before": before, "after": after}
    return _choice_step("pair", lang, points, ("three",), {"pair": pair}, **about)


def _nobs_step(lang: str) -> Screen:
    state = moment("nobs")[0]
    held, starter = state.kept[0], state.starter
    assert starter is not None
    (nobs,) = (one for one in show.scores(held, starter) if one.name is ScoreName.NOBS)

    def why(chosen: Sequence[Card]) -> str:
        words = {"card": i18n.card_text(chosen[0], lang), "starter": i18n.card_text(starter, lang)}
        return i18n.text("learn.wrong.nobs.none", lang, **words)

    last = _told_page("last", lang, moment("nobs")[1], "learn.title.last")
    before = (last, _page("show", lang, title=i18n.text("learn.title.show", lang)))
    return _pick_step("nobs", lang, held, why, nobs.cards, values={"n": nobs.points}, before=before)


def _double_run_step(lang: str) -> Screen:
    state = moment("double")[0]
    assert state.starter is not None
    hand, shown = state.kept[0], show.scores(state.kept[0], state.starter)
    (double,) = (one for one in i18n.named(shown, lang) if one.name == "double_run_of_three")
    run, other = (one.points for one in shown if one.name is ScoreName.RUN)
    ranks = _rank_names([card for card in hand if card in double.cards], lang)
    titles = ("learn.title.count", "learn.choice.order-other", "learn.owner.pone")
    return _choice_step(
        "double",
        lang,
        {"run": run, "runs": run + other, "all": double.points},
        ("all",),
        {"pair": double.points - run - other, "ranks": ranks},
        played=tuple(sorted((*hand, state.starter), key=lambda card: card.rank)),
        starter=None,
        before=(_page("hand", lang),),
        after=tuple(_count_page(number, lang, title) for number, title in enumerate(titles, 1)),
    )


def _order_step(lang: str) -> Screen:
    shown = [event for event, _ in deal_events() if isinstance(event, Shown)][3:]
    order = tuple("crib" if event.crib else "own" if event.seat == 0 else "other" for event in shown)
    return _choice_step("order", lang, ("crib", "own", "other"), order, before=())


def _flush_step(lang: str) -> Screen:
    state = moment("flush")[0]
    assert state.starter is not None
    hand = state.kept[0]
    (flush,) = (one.points for one in show.scores(hand, state.starter) if one.name is ScoreName.FLUSH)
    values = {"starter": i18n.card_text(state.starter, lang)}
    after = (_count_page(5, lang, "learn.title.count"), _count_page(6, lang, "learn.owner.crib"))
    before = (_count_page(4, lang, "learn.choice.order-other"),)
    about: _Texts = {"played": hand, "before": before, "after": after}
    return _choice_step(
        "flush", lang, {"none": 0, "four": flush, "five": flush + 1}, ("four",), values, **about
    )


def _rank_name(card: Card, lang: str) -> str:
    return i18n.text(f"learn.rank.{card.text[0]}", lang) if card.text[0] in "AJQK" else str(card.value)


def _rank_names(held: Sequence[Card], lang: str) -> str:
    return i18n.text("learn.ranks-join", lang).join(_rank_name(card, lang) for card in held)


def _gap_text(chosen: Sequence[Card], lang: str) -> str:
    in_order = sorted(chosen)
    below, above = next((a, b) for a, b in pairwise(in_order) if b.rank != a.rank + 1)
    words = {"one": _rank_name(below, lang), "other": _rank_name(above, lang)}
    return i18n.text("learn.wrong.run", lang, ranks=_rank_names(in_order, lang), **words)


def _value_text(card: Card, lang: str) -> str:
    rank = _rank_name(card, lang)
    return i18n.text("learn.counts", lang, rank=rank, n=card.value) if card.text[0] in "AJQK" else rank
