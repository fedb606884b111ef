"""The rule documents' examples of pegging and of the board, step by step, for the hand checker."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.catalogue import join_sentences
from fifteentwo.i18n.reading import HoleExample, PegsExample, PlayExample, SkunkExample, examples
from fifteentwo.i18n.scores import near_miss_text
from fifteentwo.rules import near_misses
from fifteentwo.rules.actions import Play
from fifteentwo.rules.board import Board, Pegs, hole_b
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.events import Event, Pegged, PeggedFor, Played, Shown, WentGo
from fifteentwo.rules.game import decide
from fifteentwo.rules.state import Phase, State, evolve, start
from fifteentwo.rules.variants import Counting, Rules, rules_for

GO_STEP, LAST_CARD_STEP = "go", "last"


class Step(msgspec.Struct, frozen=True):
    """A card played with its points, a go, or the point for the last card."""

    seat: int
    step: str
    """The card, "go" or "last"."""
    count: int
    in_count: tuple[tuple[int, Card], ...]
    """The cards of the current count, each with the seat that played it."""
    points: int
    rules: tuple[str, ...]
    """Numbers of the rules that the step shows."""
    lit: tuple[Card, ...]
    """Cards that score, which the page highlights."""
    sentence: str
    front: tuple[int, ...]
    """Scores by side after the step."""


class SteppedPlay(msgspec.Struct, frozen=True):
    """An example of pegging. Names and hands are by seat, the leader first."""

    id: str
    group: str
    """Key of the heading under which the page lists the example."""
    names: tuple[str, ...]
    hands: tuple[tuple[Card, ...], ...]
    steps: tuple[Step, ...]
    makes: str
    """The final scores by side, for example "12–8"; without hands, the points of the last card."""


class BoardStep(msgspec.Struct, frozen=True, kw_only=True):
    """The pegs on a board, by side, and a sentence about them."""

    front: tuple[int, ...]
    rear: tuple[int, ...] = (0, 0)
    games: tuple[int, ...] = (0, 0)
    """Games that each side has won."""
    sentence: str


class SteppedBoard(msgspec.Struct, frozen=True, kw_only=True):
    """An example on a board, before and after pegging."""

    id: str
    group: str
    title: str
    board: Board = Board.A
    target: int = 121
    skunk: bool = False
    double_skunk: bool = False
    steps: tuple[BoardStep, ...]


@cache
def pegging_examples(lang: str) -> tuple[SteppedPlay, ...]:
    return tuple(step_through(example, lang) for example in examples().plays)


def step_through(example: PlayExample, lang: str) -> SteppedPlay:
    """Return an example step by step; raise IllegalAction if it breaks the rules."""
    rules = rules_for(example.variant)
    played = cards(example.played)
    hands = tuple(cards(hand) for hand in example.hands) or (played[::2], played[1::2])
    names = _names(rules, lang)
    steps = tuple(
        _make_step(events, state, lang, names)
        for events, state in _events_by_step(rules, hands, played, is_excerpt=not example.hands)
    )
    last = steps[-1]
    makes = "–".join(map(str, last.front)) if example.hands else str(last.points)
    return SteppedPlay(example.id, example.group, names, hands, steps, makes)


def _names(rules: Rules, lang: str) -> tuple[str, ...]:
    dealer = i18n.text("check.play-dealer", lang)
    if rules.seats == 2:
        return (i18n.text("check.play-pone", lang), dealer)
    return (*(i18n.text("name.seat", lang, n=seat) for seat in range(1, rules.seats)), dealer)


def _make_step(events: Sequence[Event], state: State, lang: str, names: tuple[str, ...]) -> Step:
    scores = [score for event in events if isinstance(event, Pegged) for score in event.scores]
    in_count = state.played[state.count_ends[-1] if state.count_ends else 0 :]
    why: list[str] = []
    first = events[0]
    assert isinstance(first, Played | WentGo | Pegged)
    done = GO_STEP if isinstance(first, WentGo) else LAST_CARD_STEP
    if isinstance(first, Played):
        done = first.card.text
        # Cards that look like a pair or a run but are none.
        near = near_misses.card_near_misses([card for _, card in in_count])[1:] if in_count else ()
        why = near_miss_text(msgspec.to_builtins(near, enc_hook=str), lang)
    return Step(
        seat=first.seat,
        step=done,
        count=state.count,
        in_count=in_count,
        points=sum(score.points for score in scores),
        rules=tuple(score.rule for score in scores),
        lit=tuple(card for score in scores for card in score.cards),
        sentence=join_sentences([*(i18n.event_text(event, lang, names) for event in events), *why], lang),
        front=state.front,
    )


def _events_by_step(
    rules: Rules, hands: tuple[tuple[Card, ...], ...], cards_played: Sequence[Card], *, is_excerpt: bool
) -> list[tuple[list[Event], State]]:
    """Return the events of each step, and the state after it; an excerpt ends before the last card."""
    steps: list[tuple[list[Event], State]] = []
    for event, state in _play_cards(_state_before_pegging(rules, hands), cards_played):
        match event:
            case Pegged(reason=PeggedFor.PLAY):
                steps[-1] = ([*steps[-1][0], event], state)
            case Played() | WentGo():
                steps.append(([event], state))
            case Pegged() if not is_excerpt:
                steps.append(([event], state))
    return steps


def _play_cards(state: State, cards_played: Sequence[Card]) -> Iterator[tuple[Event, State]]:
    for card in cards_played:
        for event in decide(state, Play(state.turn, card)):
            if isinstance(event, Shown):
                return
            state = evolve(state, event)
            yield event, state


def _state_before_pegging(rules: Rules, hands: tuple[tuple[Card, ...], ...]) -> State:
    """Return the state in which seat 0 leads from the hands, without discards and starter.

    The hands are claimed, because without a starter the table cannot count them after the last card.
    """
    rules = msgspec.structs.replace(rules, counting=Counting.HANDS)
    values = {"phase": Phase.PLAY, "dealer": rules.seats - 1, "deal": 1, "turn": 0}
    return msgspec.structs.replace(start(rules, named=True), **values, hands=hands, kept=hands)


@cache
def board_examples(lang: str) -> tuple[SteppedBoard, ...]:
    every = examples()
    return (
        *(_pegs_example(example, lang) for example in every.pegs),
        *(_skunk_example(example, lang) for example in every.skunks),
        *(_hole_example(example, lang) for example in every.holes),
    )


def _stepped_board(
    example: PegsExample | SkunkExample | HoleExample, title: str, *steps: BoardStep, **about: Any
) -> SteppedBoard:
    return SteppedBoard(id=example.id, group=example.group, title=title, steps=steps, **about)


def _pegs_example(example: PegsExample, lang: str) -> SteppedBoard:
    """Return an example of moving the rear peg past the front peg (R116, R122)."""
    rear, front = example.pegs
    pegs = Pegs(front, rear)
    moved = pegs.move(example.points)
    stand = i18n.text("check.pegs.stand", lang, rear=rear, front=front)
    words = {"rear": rear, "front": front, "points": example.points, "score": moved.front}
    return _stepped_board(
        example,
        i18n.text("check.pegs.title", lang, n=example.points),
        BoardStep(front=(pegs.front, 0), rear=(pegs.rear, 0), sentence=stand),
        BoardStep(
            front=(moved.front, 0), rear=(moved.rear, 0), sentence=i18n.text("check.pegs.move", lang, **words)
        ),
    )


def _skunk_example(example: SkunkExample, lang: str) -> SteppedBoard:
    """Return an example of how many games a loser loses (R18–R21)."""
    rules = rules_for(
        "six-card", target=example.target, skunk=example.skunk, double_skunk=example.double_skunk
    )
    games = rules.games_lost(example.loser)
    agreed = "double" if rules.double_skunk else "single" if rules.skunk else "none"
    line = rules.double_skunk_line if games == 4 else rules.skunk_line
    verdict = {4: "double", 2: "single"}.get(games, "none" if line is None else "saved")
    values = {"target": example.target, "loser": example.loser}
    over = i18n.text("check.skunk.over", lang, **values)
    front = (example.target, example.loser)
    return _stepped_board(
        example,
        i18n.text(f"check.skunk.title.{agreed}", lang, **values),
        BoardStep(
            front=front,
            sentence=join_sentences([over, i18n.text(f"check.skunk.agreed.{agreed}", lang)], lang),
        ),
        BoardStep(
            front=front,
            games=(games, 0),
            sentence=i18n.text(f"check.skunk.{verdict}", lang, loser=example.loser, line=line),
        ),
        target=example.target,
        skunk=rules.skunk,
        double_skunk=rules.double_skunk,
    )


def _hole_example(example: HoleExample, lang: str) -> SteppedBoard:
    """Return an example of where a score is on board B (R120, R121)."""
    hole = hole_b(example.score)
    assert hole is not None
    column = i18n.text(f"check.column.{hole.column.value}", lang)
    words = {"score": example.score, "lap": hole.lap, "column": column, "row": hole.row}
    return _stepped_board(
        example,
        i18n.text("check.hole.title", lang, n=example.score),
        BoardStep(front=(0, 0), sentence=i18n.text("check.hole.start", lang)),
        BoardStep(front=(example.score, 0), sentence=i18n.text("check.hole.found", lang, **words)),
        board=Board.B,
    )
