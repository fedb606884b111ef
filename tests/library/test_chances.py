"""`ft.win_probability` at every moment of a game: exact if the result is certain, calibrated otherwise."""

import pickle
import random
from collections import defaultdict
from collections.abc import Iterator
from math import sqrt
from typing import Any

import pytest

import fifteentwo as ft


def moments(rules: ft.Rules, seed: int, level: str) -> Iterator[ft.State]:
    """Yield every state of a game between players of a level, its last one included."""
    chance = random.Random(seed)
    players = [ft.player(level, chance.getrandbits(32)) for _ in range(rules.seats)]
    state = ft.start(rules)
    while state.won is None:
        action: Any
        if state.phase is ft.Phase.DEAL:
            dealt = rules.seats * rules.dealt + rules.dealt_to_crib
            action = ft.rules.Deal(tuple(chance.sample(ft.DECK, dealt)))
        elif state.phase in (ft.Phase.DRAW_TURN, ft.Phase.STARTER):
            action = chance.choice(ft.legal(state))
        else:
            seat = ft.to_act(state)[0]
            action = players[seat].act(ft.view(state, seat))
        state, _ = ft.step(state, action)
        yield state


@pytest.mark.parametrize(
    ("variant", "counting"),
    [
        pytest.param("six-card", "automatic", marks=pytest.mark.long),
        pytest.param("six-card", "claimed-hands", marks=pytest.mark.long),
        ("six-card", "claimed"),
        ("three-handed", "automatic"),
        pytest.param("five-card", "claimed", marks=pytest.mark.long),
    ],
)
def test_there_is_a_chance_at_every_moment(variant: str, counting: str) -> None:
    muggins = "off" if counting == "automatic" else "missed-and-overclaims"
    rules = ft.rules_for(variant, target=61, counting=counting, muggins=muggins)
    phases = set()
    state = None
    for at, state in enumerate(moments(rules, 5, "greedy")):
        if state.phase in phases and at % 16 and state.won is None:
            continue
        phases.add(state.phase)
        for seat in range(rules.seats):
            chance = ft.win_probability(ft.view(state, seat), games=2)
            assert 0 <= chance <= 1
            assert chance.error >= 0
    assert state is not None
    assert state.won is not None
    for seat in range(rules.seats):
        chance = ft.win_probability(ft.view(state, seat))
        assert (chance, chance.error) == (float(rules.side(seat) == state.won.side), 0)
    assert {ft.Phase.DRAW, ft.Phase.DEAL, ft.Phase.DISCARD, ft.Phase.PLAY, ft.Phase.OVER} <= phases


def test_win_probabilities_of_both_players_add_up_to_1_before_a_deal() -> None:
    for board in ("0-0", "100-91", "61-120"):
        other = "-".join(reversed(board.split("-")))
        both = ft.win_probability(f"{board} pone") + ft.win_probability(f"{other} dealer")
        assert both == pytest.approx(1)


def test_it_is_the_best_discard_then_the_best_card() -> None:
    discard = ft.Position("110-116 pone 5H5S6D7CJCKD")
    assert ft.win_probability(discard) == discard.best().win
    card = ft.Position("90-96 pone 5H5SJCKD/6D7C 4S JCTS")
    assert ft.win_probability(card) == pytest.approx(card.best().win)
    assert ft.win_probability(card.view()) == ft.win_probability(card.text)


def test_after_a_card_it_is_the_value_of_that_card() -> None:
    """Nobody has learnt anything since, so only rounding of unlikely beliefs may differ."""
    before = ft.Position("90-96 pone 5H5SJCKD/6D7C 4S JCTS")
    values = {
        option.card.text: option.win for option in before.options() if isinstance(option, ft.CardOption)
    }
    after = ft.win_probability("90-96 pone 5H5SJCKD/6D7C 4S JCTSKD")
    assert after == pytest.approx(values["KD"], abs=0.01)


@pytest.mark.long
def test_the_chance_after_the_starter_is_on_average_that_before_it() -> None:
    before = ft.win_probability("90-96 pone 5H5SJCKD/6D7C")
    held = {*ft.cards("5H 5S JC KD 6D 7C")}
    turned = [
        ft.win_probability(f"90-{96 + 2 * (card.rank is ft.Rank.JACK)} pone 5H5SJCKD/6D7C {card}")
        for card in ft.DECK
        if card not in held
    ]
    assert len(turned) == 46
    assert sum(turned) / len(turned) == pytest.approx(before, abs=0.02)


def test_a_pone_who_can_count_out_wins_before_the_dealer() -> None:
    rules = ft.rules_for("six-card", counting="claimed-hands", cut_before_deal=False, starter="top")
    state = ft.start(rules, named=True)
    for action in (ft.rules.NameDealer(0), ft.rules.Deal(ft.cards("4H 5H 4S 5S 5D 6D 6H 6S JH JS QH QS"))):
        state, _ = ft.step(state, action)
    import msgspec

    state = msgspec.structs.replace(state, front=(119, 112), rear=(119, 112))
    for seat in (0, 1):
        held = sorted(state.hands[seat])
        state, _ = ft.step(state, ft.Discard(seat, (held[-1], held[-2])))
    state, _ = ft.step(state, ft.rules.TurnUp(ft.Card("2C")))
    chances = []
    while state.phase is ft.Phase.PLAY:
        state, _ = ft.step(state, ft.legal(state)[0])
        if state.won is None:
            chances.append(ft.win_probability(ft.view(state, 1)))
    if state.won is None:
        assert chances[-1] in (0.0, 1.0)


def test_a_chance_is_a_number_with_an_error() -> None:
    chance = ft.win_probability("100-91 pone")
    assert isinstance(chance, float)
    assert 0 < chance.error < 0.01
    again = pickle.loads(pickle.dumps(chance))
    assert (again, again.error) == (chance, chance.error)
    assert "error=" in repr(chance)


def test_games_played_on_come_from_their_seed() -> None:
    text = "three-handed:61 40-40-40 eldest"
    first, again = (ft.win_probability(text, games=10, seed=4) for _ in range(2))
    assert (first, first.error) == (again, again.error)
    assert 0.1 < first.error < 0.2


def test_values_that_are_no_view_are_refused(subtests: pytest.Subtests) -> None:
    given: Any
    for given in (None, 5, "hello", b"", object(), ft.DECK):
        with subtests.test(given=given), pytest.raises(ft.FifteenTwoError):
            ft.win_probability(given)


def test_games_are_a_number_from_one() -> None:
    with pytest.raises(ft.InvalidArgument):
        ft.win_probability("partners 10-10 dealer", games=0)


def calibration(games: int, seed: int) -> dict[str, tuple[int, float, float]]:
    """Return for each phase the number of sampled moments, the mean error, and its standard error."""
    rules = ft.rules_for("six-card", cut_before_deal=False, starter="top")
    wrong: dict[str, list[list[float]]] = defaultdict(list)
    chance = random.Random(seed)
    for number in range(games):
        states = [one for one in moments(rules, seed + number, "expert") if one.deal]
        state, seat = states[-1], chance.randrange(2)
        assert state.won is not None
        result = float(state.won.side == seat)
        of_game: dict[str, list[float]] = defaultdict(list)
        for phase in (ft.Phase.DISCARD, ft.Phase.PLAY):
            some = [one for one in states if one.phase is phase]
            for one in chance.sample(some, 2):
                found = ft.win_probability(ft.view(one, seat)) - result
                of_game[phase.value].append(found)
                of_game["all"].append(found)
        for name, errors in of_game.items():
            wrong[name].append(errors)
    return {name: _mean(by_game) for name, by_game in wrong.items()}


def _mean(by_game: list[list[float]]) -> tuple[int, float, float]:
    """Return number, mean and standard error; moments of one game depend on each other."""
    means = [sum(errors) / len(errors) for errors in by_game]
    mean = sum(means) / len(means)
    spread = sum((one - mean) ** 2 for one in means) / (len(means) - 1)
    return sum(map(len, by_game)), mean, sqrt(spread / len(means))


@pytest.mark.long
def test_chances_agree_with_games_of_experts() -> None:
    for name, (number, bias, error) in calibration(150, 1).items():
        assert abs(bias) < 4 * error + 0.01, (name, number, bias, error)
