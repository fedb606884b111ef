"""Matches: tally, next dealer, and partners who stay together (R18–R22, R29, C14, C15)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from fifteentwo.contest.match import Length, Match, NextDealer, new_match, play_out
from fifteentwo.players import Player, player
from fifteentwo.rules.actions import Forfeit
from fifteentwo.rules.decks import Decks, seeded
from fifteentwo.rules.events import ForfeitedFor, GameWon
from fifteentwo.rules.game import step
from fifteentwo.rules.state import NO_SEAT, State, replace, start
from fifteentwo.rules.variants import rules_for


def finished(variant: str, scores: tuple[int, ...], **options: Any) -> State:
    """Return a game with these final scores and dealer 0; the highest score won."""
    rules = rules_for(variant, **options)
    winner = scores.index(max(scores))
    lost = tuple(0 if side == winner else rules.games_lost(points) for side, points in enumerate(scores))
    return replace(start(rules), dealer=0, front=scores, won=GameWon(winner, scores, lost))


def with_another(match: Match, decks: Decks, players: Sequence[Player]) -> Match:
    """Return the match after another game; players are in the order of arrival."""
    table = match.table(decks)
    play_out(table, [players[who] for who in match.seating])
    return match.after(table.state)


def test_r18_r20_a_skunk_is_two_games_and_a_double_skunk_four(subtests: pytest.Subtests) -> None:
    for loser, options, games in (
        (120, {}, 1),
        (30, {}, 1),
        (91, {"skunk": True}, 1),
        (90, {"skunk": True}, 2),
        (60, {"skunk": True}, 2),
        (61, {"skunk": True, "double_skunk": True}, 2),
        (60, {"skunk": True, "double_skunk": True}, 4),
    ):
        with subtests.test(loser=loser, options=options, games=games):
            state = finished("six-card", (loser, 121), **options)
            match = new_match(state.rules).after(state)
            assert match.tally == (0, games)
            assert match.lost == (games, 0)


def test_c15_of_several_losers_the_largest_loss_is_won_and_each_keeps_its_own() -> None:
    state = finished("three-handed", (55, 121, 100), skunk=True, double_skunk=True)
    match = new_match(state.rules).after(state).after(state)
    assert match.tally == (0, 8, 0)
    assert match.lost == (8, 0, 2)


def test_c14_the_loser_deals_next() -> None:
    match = new_match(rules_for("six-card"))
    assert match.dealer == NO_SEAT
    assert match.after(finished("six-card", (121, 80))).dealer == 1
    assert match.after(finished("six-card", (80, 121))).dealer == 0


def test_c14_of_three_the_lowest_deals_next_and_of_equals_the_one_whose_turn_is_nearer() -> None:
    match = new_match(rules_for("three-handed"))
    assert match.after(finished("three-handed", (90, 121, 80))).dealer == 2
    assert match.after(finished("three-handed", (80, 121, 80))).dealer == 2


def given_up(variant: str, front: tuple[int, ...], seat: int) -> State:
    state = finished(variant, front)
    state, _ = step(replace(state, won=None), Forfeit(seat, ForfeitedFor.RESIGNED))
    return state


def test_c14_a_player_who_left_does_not_deal_next(subtests: pytest.Subtests) -> None:
    for seat in (0, 1):
        with subtests.test(seat=seat):
            match = new_match(rules_for("six-card"))
            assert match.after(given_up("six-card", (20, 5), seat)).dealer == 1 - seat
            lost = (80, 121) if seat == 0 else (121, 80)
            assert match.after(finished("six-card", lost)).dealer == seat
            assert match.after(finished("six-card", lost), left=[seat]).dealer == 1 - seat, (
                "a level played on"
            )
            assert match.after(finished("six-card", lost), left=[0, 1]).dealer == seat


def test_c14_of_several_the_loser_who_stayed_deals_next_and_no_partner_of_who_left() -> None:
    three = new_match(rules_for("three-handed"))
    assert three.after(given_up("three-handed", (9, 3, 6), 1)).dealer == 2
    four = new_match(rules_for("partners"))
    assert four.after(given_up("partners", (9, 3), 1)).dealer in (0, 2)


def test_c14_the_next_game_may_be_drawn_for_again() -> None:
    match = new_match(rules_for("six-card"), next_dealer=NextDealer.DRAW).after(
        finished("six-card", (121, 80))
    )
    table = match.table(seeded(1))
    assert match.dealer == NO_SEAT
    assert table.state.phase == "draw"


def test_r28_a_named_dealer_starts_and_the_loser_goes_on() -> None:
    rules = rules_for("six-card", first_dealer="named")
    match = new_match(rules, next_dealer=NextDealer.DRAW)
    table = match.table(seeded(1))
    assert table.state.phase == "name-dealer"
    with pytest.raises(ValueError, match="R28"):
        play_out(table, [player("random", 1), player("random", 2)])
    table.adopt(table.name_dealer(1))
    play_out(table, [player("random", 1), player("random", 2)])
    again = match.after(table.state).table(seeded(2))
    assert again.state.dealer == match.after(table.state).dealer


def test_r100_three_for_last_is_pegged_in_every_game_of_a_match() -> None:
    state = finished("five-card", (61, 20))
    table = new_match(state.rules).after(state).table(seeded(5))
    assert table.state.dealer == 1
    assert table.state.front == (3, 0)


def test_r29_partners_are_drawn_once_and_stay_together() -> None:
    match = new_match(rules_for("partners", partners_by_draw=True), next_dealer=NextDealer.DRAW)
    for seed in range(20):
        table = match.table(seeded(seed))
        play_out(table, [player("random", seat) for seat in range(4)])
        after = match.after(table.state)
        if after.seating != (0, 1, 2, 3):
            break
    else:
        pytest.fail("no draw ever changed a seat")
    assert after.next_rules.partners_by_draw is False
    greedy = [player("greedy", seat) for seat in range(4)]
    more = with_another(with_another(after, seeded("a"), greedy), seeded("b"), greedy)
    assert more.seating == after.seating
    assert more.played == 3


def test_an_unfinished_game_does_not_count() -> None:
    match = new_match(rules_for("six-card"))
    with pytest.raises(ValueError, match="once it is won"):
        match.after(start(match.rules))


def test_the_tally_of_a_whole_match_is_the_sum_of_its_games() -> None:
    match = new_match(rules_for("six-card", skunk=True, double_skunk=True))
    players = [player("random", 1), player("greedy", 2)]
    tallies: list[Match] = []
    for game in range(12):
        match = with_another(match, seeded(game), players)
        tallies.append(match)
    assert sum(match.tally) == sum(match.lost)
    assert match.played == 12
    assert all(sum(b.tally) - sum(a.tally) in (1, 2, 4) for a, b in pairwise(tallies))
    assert match.tally[1] > match.tally[0]


def after_games(match: Match, *scores: tuple[int, ...]) -> Match:
    for one in scores:
        match = match.after(finished(str(match.rules.variant), one, skunk=match.rules.skunk))
    return match


def test_a_match_is_won_by_the_first_to_reach_its_tally(subtests: pytest.Subtests) -> None:
    for length in (Length.TO_2, Length.TO_3, Length.TO_5, Length.TO_7):
        with subtests.test(length=length):
            match = new_match(rules_for("six-card"), length=length)
            most = int(length.value[-1])
            for number in range(most - 1):
                match = after_games(match, (121, 100), (100, 121))
                assert match.tally == (number + 1, number + 1)
                assert match.winners == ()
                assert match.next_match == match
            match = after_games(match, (119, 121))
            assert match.winners == (1,)
            again = match.next_match
            assert again == replace(
                new_match(match.rules, length=length), played=2 * most - 1, earlier=2 * most - 1
            )
            assert (again.tally, again.number_in_match, again.winners) == ((0, 0), 1, ())
            assert again.game == 2 * most, "the table counts on"
            assert after_games(again, *[(121, 100)] * most).winners == (0,)


def test_a_skunk_may_carry_past_the_end_of_a_match() -> None:
    match = new_match(rules_for("six-card", skunk=True), length=Length.TO_3)
    assert after_games(match, (121, 80), (121, 80)).tally == (4, 0)
    assert after_games(match, (121, 80), (121, 80)).winners == (0,)
    assert after_games(match, (121, 80), (80, 121)).winners == ()


def test_nine_games_are_all_played_two_points_each_and_three_with_a_skunk() -> None:
    match = new_match(rules_for("six-card", skunk=True), length=Length.NINE)
    match = after_games(match, *[(121, 90)] * 4, *[(100, 121)] * 4)
    assert match.tally == (12, 8)
    assert match.winners == (), "even where no side can catch up"
    match = after_games(match, (100, 121))
    assert (match.tally, match.games) == ((12, 10), (4, 5))
    assert match.winners == (0,), "points come before games"


def test_after_nine_games_equal_points_are_separated_by_games_then_by_the_spread() -> None:
    rules = rules_for("six-card", skunk=True)
    even = new_match(rules, length=Length.NINE)
    match = after_games(even, *[(121, 80)] * 4, *[(100, 121)] * 3, *[(80, 121)] * 2)
    assert match.tally == (12, 12)
    assert match.winners == (1,), "five games against four"
    three = new_match(rules_for("three-handed"), length=Length.NINE)
    match = after_games(three, *[(121, 60, 110)] * 3, *[(60, 121, 110)] * 3, *[(60, 110, 121)] * 3)
    assert match.games == (3, 3, 3)
    assert match.spread == (3 * (11 - 61 - 61), 3 * (-61 + 11 - 11), 3 * (-11 - 11 + 11))
    assert match.winners == (2,)


def test_players_who_are_equal_share_a_match_of_nine_games() -> None:
    match = new_match(rules_for("three-handed"), length=Length.NINE)
    match = after_games(match, *[(121, 100, 100)] * 3, *[(100, 121, 100)] * 3, *[(100, 100, 121)] * 3)
    assert match.winners == (0, 1, 2)


def test_a_match_without_an_end_goes_on() -> None:
    match = after_games(new_match(rules_for("six-card")), *[(121, 100)] * 40)
    assert (match.tally, match.winners, match.game) == ((40, 0), (), 41)
