"""Checks that must hold at every moment of every game."""

import random
from typing import Any

import msgspec
import pytest

from fifteentwo.rules.actions import (
    Accept,
    Action,
    CallMuggins,
    Claim,
    Cut,
    Deal,
    Discard,
    Draw,
    Go,
    NameDealer,
    Play,
    TurnUp,
)
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import GameWon, Pegged
from fifteentwo.rules.game import decide, legal, step, to_act
from fifteentwo.rules.record import Record, from_json, last_state, read, to_json, write
from fifteentwo.rules.state import Phase, State, evolve, start
from fifteentwo.rules.view import choices, see, view
from tests.rules.observer import Observer, cards_in, event_with_other_cards, swapped, with_other_cards
from tests.rules.random_games import Moment, game, rules_of
from tests.rules.second_referee import Referee


def check(number: int, closely: float) -> int:
    """Play a numbered game and check it, some moments closely; return the number of moments."""
    rules = rules_of(number)
    chooser = random.Random(f"check {number}")
    moments = list(game(number, rules))
    observer = Observer(rules)
    for moment in moments:
        check_scores(moment)
        check_cards(moment.after)
        look = chooser.random() < closely
        if look:
            check_events(moment)
            check_legal(moment.before, chooser)
        for event in moment.events:
            observer.follow(moment, event)
            if look:
                for seat in range(rules.seats):
                    seen = see(event, seat)
                    known = observer.may_know(seat) | observer.drawn
                    assert set(cards_in(seen)) <= known, (number, seat, seen)
                    lie = swapped(known, chooser)
                    assert see(event_with_other_cards(event, lie), seat) == seen
                assert set(cards_in(see(event, None))) <= observer.open | observer.drawn
        if look:
            check_views(moment.after, observer, chooser)
    check_end(number, moments)
    return len(moments)


def check_scores(moment: Moment) -> None:
    """Check that scores never fall, only the last event reaches the target, and none follows."""
    before, after, target = moment.before, moment.after, moment.before.rules.target
    assert all(old <= new <= target for old, new in zip(before.front, after.front, strict=True))
    front = list(before.front)
    for event in moment.events:
        assert max(front) < target or isinstance(event, GameWon)
        if isinstance(event, Pegged):
            assert event.points > 0
            assert event.side == event.seat % before.rules.sides
            front[event.side] = min(target, front[event.side] + event.points)
            assert event.score == front[event.side]
        if isinstance(event, GameWon):
            assert event is moment.events[-1]
            assert [side for side, score in enumerate(front) if score == target] == [event.side]
            assert event.scores == tuple(front)
    assert tuple(front) == after.front
    assert (target in front) == (after.won is not None) == (after.phase is Phase.OVER)


def check_cards(state: State) -> None:
    """Check that there are 52 different cards, each in one place."""
    rules = state.rules
    dealt = [card for hand in state.hands for card in hand]
    played = [card for _, card in state.played]
    located = [*dealt, *played, *state.crib, *([state.starter] if state.starter else [])]
    stock = set(DECK) - set(located)
    assert len(set(located)) == len(located)
    assert len(located) + len(stock) == 52
    in_hand = rules.seats * rules.dealt + rules.dealt_to_crib
    everybody = in_hand + (state.starter is not None)
    assert len(located) in (0, everybody)
    if not dealt and not played:
        return
    for seat in range(rules.seats):
        if state.discarded[seat]:
            assert set(state.discarded[seat]) <= set(state.crib)
            own = {card for other, card in state.played if other == seat}
            assert own | set(state.hands[seat]) == set(state.kept[seat])
            assert len(state.kept[seat]) == rules.kept
    in_crib = {card for cards_played in state.discarded for card in cards_played}
    assert len(set(state.crib) - in_crib) == rules.dealt_to_crib


def check_events(moment: Moment) -> None:
    """Check that an action always causes the same events, and that events alone give the same state."""
    assert step(moment.before, moment.action) == (moment.after, moment.events)
    assert tuple(decide(moment.before, moment.action)) == moment.events
    state = moment.before
    for event in moment.events:
        state = evolve(state, event)
    assert state == moment.after
    again = from_json(to_json(moment.after), State)
    assert again == moment.after


def check_legal(state: State, chooser: random.Random) -> None:
    """Check that every action in `legal` is accepted, and every other refused without a change."""
    open_now = legal(state)
    before = to_json(state)
    for action in chooser.sample(open_now, min(3, len(open_now))):
        step(state, action)
    for _ in range(6):
        action = any_action(state, chooser)
        if allowed(state, action, open_now):
            step(state, action)
            continue
        with pytest.raises(IllegalAction) as caught:
            step(state, action)
        assert caught.value.code
        assert caught.value.rule.startswith("R")
    assert to_json(state) == before
    seats = {action.seat for action in open_now if not isinstance(action, TurnUp | NameDealer | Deal)}
    assert seats == set(to_act(state))
    assert len({to_json(action) for action in open_now}) == len(open_now)


def any_action(state: State, chooser: random.Random) -> Action:
    """Return an action that a client might send, mostly nonsense."""
    seat = chooser.choice((-1, 0, 1, 2, 3, 4, *to_act(state)))
    some = chooser.sample(DECK, 3)
    held = [card for hand in state.hands for card in hand] or some
    number = chooser.choice((-1, 0, 1, 3, 4, 20, 29, 30, 31, 48, 49, 52))
    actions: tuple[Action, ...] = (
        Draw(seat, number),
        TurnUp(some[0]),
        NameDealer(number),
        Cut(seat, number),
        Deal(tuple(chooser.sample(DECK, chooser.choice((0, 10, 12, 16, 20, 52))))),
        Discard(seat, tuple(chooser.choices(held, k=chooser.choice((0, 1, 2, 3))))),
        Play(seat, chooser.choice((*held, some[1]))),
        Go(seat),
        Claim(seat, number),
        CallMuggins(seat),
        Accept(seat),
    )
    return chooser.choice(actions)


def allowed(state: State, action: Action, open_now: tuple[Action, ...]) -> bool:
    """Return whether an action is legal; the order of discards does not matter, deals are not listed."""
    if isinstance(action, Discard):
        same = {(other.seat, frozenset(other.cards)) for other in open_now if isinstance(other, Discard)}
        return (action.seat, frozenset(action.cards)) in same and len(action.cards) == len(set(action.cards))
    if isinstance(action, Deal):
        rules = state.rules
        return (
            state.phase is Phase.DEAL and len(action.cards) == rules.seats * rules.dealt + rules.dealt_to_crib
        )
    return action in open_now


def check_views(state: State, observer: Observer, chooser: random.Random) -> None:
    """Check that no View depends on a card that its seat may not know, and that choices are right."""
    open_now = legal(state)
    for seat in range(state.rules.seats):
        seen = view(state, seat)
        share = tuple(action for action in open_now if getattr(action, "seat", None) == seat)
        assert choices(seen) == share
        known = observer.may_know(seat)
        hand = msgspec.structs.replace(seen, drawn=(), won=None)
        assert set(cards_in(hand)) <= known, (seat, seen)
        other = with_other_cards(state, swapped(known, chooser))
        assert view(other, seat) == seen
        assert tuple(a for a in legal(other) if getattr(a, "seat", None) == seat) == share
        assert seen.hand_sizes == tuple(len(held) for held in state.hands)


def check_end(number: int, moments: list[Moment]) -> None:
    """Check that the record leads to the same state, and the second referee to the same points and winner."""
    last = moments[-1].after
    assert last.won is not None
    actions = tuple(moment.action for moment in moments)
    state: Any = start(last.rules)
    for moment in moments:
        assert state == moment.before
        state, _ = step(state, moment.action)
    assert state == last
    judged = Referee(last.rules, actions).judge()
    moves = [(e.side, e.points) for m in moments for e in m.events if isinstance(e, Pegged)]
    assert judged.moves == moves, number
    assert (judged.winner, tuple(judged.scores), tuple(judged.lost)) == (
        last.won.side,
        last.front,
        last.won.lost,
    )
    if number % 10 == 0:
        names = tuple(f"Player {seat}" for seat in range(last.rules.seats))
        record = Record(rules=last.rules, names=names, actions=actions)
        again = read(write(record))
        assert again == record
        assert last_state(again) == last
