"""Forfeits: at any moment, by any seat, with any number of sides; the winner and the games lost."""

import pytest

from fifteentwo.analysis.review.review import review
from fifteentwo.contest.match import Length, NextDealer, new_match
from fifteentwo.contest.statistics import count_game
from fifteentwo.rules.actions import Deal, Discard, Forfeit
from fifteentwo.rules.errors import IllegalAction, NotationError
from fifteentwo.rules.events import ForfeitedFor, GameWon
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.record import Record, StoodIn, last_state, read, write
from fifteentwo.rules.state import Phase, State, replace, start
from fifteentwo.rules.variants import Variant, rules_for
from tests.rules.random_games import game

GIVEN_UP = ForfeitedFor.RESIGNED


def given_up(state: State, seat: int) -> GameWon:
    after, events = step(state, Forfeit(seat, GIVEN_UP))
    assert [type(event) for event in events] == [GameWon]
    assert after.phase is Phase.OVER
    assert after.won == events[0]
    assert isinstance(events[0], GameWon)
    return events[0]


def test_at_every_moment_of_a_game_each_seat_may_give_it_up_and_its_side_loses(
    subtests: pytest.Subtests,
) -> None:
    for variant in list(Variant):
        with subtests.test(variant=variant):
            rules = rules_for(variant.value)
            for moment in list(game(3, rules))[::9]:
                state = moment.after
                for seat in range(rules.seats):
                    if state.won is not None:
                        with pytest.raises(IllegalAction) as refused:
                            step(state, Forfeit(seat, GIVEN_UP))
                        assert refused.value.code == "game-over"
                        continue
                    won = given_up(state, seat)
                    assert (won.forfeited, won.why) == (seat, GIVEN_UP)
                    assert won.side != rules.side(seat)
                    assert won.scores == state.front, "no points are pegged for it"
                    others = [points for side, points in enumerate(state.front) if side != rules.side(seat)]
                    assert state.front[won.side] == max(others)
                    assert won.lost == tuple(int(side != won.side) for side in range(rules.sides))
                    assert Forfeit(seat, GIVEN_UP) not in legal(state)


def test_a_seat_that_does_not_exist_cannot_forfeit() -> None:
    for seat in (-1, 2, 7):
        with pytest.raises(IllegalAction) as refused:
            step(start(rules_for("six-card")), Forfeit(seat, GIVEN_UP))
        assert refused.value.code == "no-such-seat"


def test_r18_leaving_does_not_avoid_a_skunk_and_else_it_is_one_game(subtests: pytest.Subtests) -> None:
    for own, other, lost in ((10, 20, 1), (0, 90, 1), (60, 91, 4), (90, 91, 2), (91, 120, 1), (100, 3, 1)):
        with subtests.test(own=own, other=other, lost=lost):
            rules = rules_for("six-card", skunk=True, double_skunk=True)
            won = given_up(replace(start(rules), dealer=0, front=(own, other)), 0)
            assert won.lost == (lost, 0)
            plain = rules_for("six-card")
            assert given_up(replace(start(plain), dealer=0, front=(own, other)), 0).lost == (1, 0)


def test_of_equal_sides_the_first_from_the_dealer_wins_and_only_the_leaver_is_skunked() -> None:
    rules = rules_for("three-handed", skunk=True)
    level = replace(start(rules), dealer=1, front=(95, 95, 95))
    assert given_up(level, 2).side == 0
    assert given_up(level, 0).side == 2
    won = given_up(replace(level, front=(5, 20, 100)), 0)
    assert won.lost == (2, 1, 0), "who stayed lost one game, whatever their score"


def test_r22_a_match_counts_a_plain_game_no_holes_against_the_winner_and_the_leaver_does_not_deal_next() -> (
    None
):
    rules = rules_for("six-card", skunk=True)
    behind = replace(start(rules), dealer=1, front=(80, 20))
    state, _ = step(behind, Forfeit(0, GIVEN_UP))
    for length, tally in ((Length.TO_3, (0, 1)), (Length.NINE, (0, 2))):
        match = new_match(rules, length=length).after(state)
        assert (match.tally, match.games, match.spread) == (tally, (0, 1), (0, 0))
        assert match.dealer == 1
    ahead, _ = step(replace(behind, front=(20, 80)), Forfeit(0, GIVEN_UP))
    assert new_match(rules).after(ahead).spread == (-60, 60)
    three = replace(start(rules_for("three-handed")), dealer=0, front=(90, 50, 10))
    left, _ = step(three, Forfeit(0, GIVEN_UP))
    assert new_match(three.rules, next_dealer=NextDealer.LOSER).after(left).dealer == 2


def until(seed: int, actions: int) -> Record:
    """Return a two-handed game that seat 1 forfeits after this number of actions."""
    rules = rules_for("six-card", starter="cut")
    taken = [moment.action for moment in game(seed, rules)][:actions]
    return Record(rules=rules, names=("A", "B"), actions=(*taken, Forfeit(1, ForfeitedFor.AWAY)))


def test_its_record_is_read_back_and_ends_won(subtests: pytest.Subtests) -> None:
    for actions in (0, 3, 9, 40, 41, 42, 43):
        with subtests.test(actions=actions):
            record = until(2, actions)
            text = write(record)
            assert "\nforfeit 1 away\nend " in text
            assert text.splitlines()[-2].endswith(", won")
            assert read(text) == record
            for damaged in ("1", "2 away", "1 away away", "1 bored", "x away"):
                with pytest.raises(NotationError):
                    read(text.replace("forfeit 1 away", f"forfeit {damaged}").partition("sum ")[0])


def test_it_is_neither_luck_nor_a_decision_and_has_no_result_to_adjust() -> None:
    record = until(2, 43)
    whole = review(record)
    short = review(replace(record, actions=record.actions[:-1]))
    assert whole["decisions"] == short["decisions"]
    assert whole["luck"] == short["luck"]
    assert [seat["result"] for seat in whole["seats"]] == [None, None]


def test_the_deal_it_ends_is_counted_once_its_starter_is_turned() -> None:
    record = until(2, 43)
    assert last_state(replace(record, actions=record.actions[:-1])).starter is not None
    assert len(count_game(record).deals) % 2 == 0
    dealt_at = max(at for at, action in enumerate(record.actions) if isinstance(action, Deal)) + 1
    before = replace(record, actions=(*record.actions[:dealt_at], record.actions[-1]))
    assert len(count_game(before).deals) < len(count_game(record).deals)


# ── Levels that played for an absent player ──────────────────────────────────────────────────────────────


def stood_in(first: int, last: int, seat: int = 1) -> Record:
    rules = rules_for("six-card")
    actions = tuple(moment.action for moment in game(4, rules))
    return Record(
        rules=rules, names=("A", "B"), actions=actions, stood_in=(StoodIn(seat, "club", first, last),)
    )


def test_where_a_level_played_is_written_and_read_back() -> None:
    record = stood_in(20, 31)
    text = write(record)
    assert "\nstand-in 0 1 club 20 31\nend " in text
    assert read(text) == record
    for damaged in ("0 2 club 20 31", "0 1 club 31 20", "0 1 club 20 9999", "1 1 club 20 31", "0 1 club 20"):
        with pytest.raises(NotationError):
            read(text.replace("0 1 club 20 31", damaged).partition("sum ")[0])


@pytest.mark.long
def test_decisions_of_a_level_belong_to_nobody_and_luck_still_adds_up() -> None:
    record = stood_in(20, 60)
    mine, all_of_it = review(record), review(replace(record, stood_in=()))
    away = [one for one in all_of_it["decisions"] if one["seat"] == 1 and 20 <= one["step"] + 1 <= 60]
    assert away, "it decided something"
    assert mine["decisions"] == [one for one in all_of_it["decisions"] if one not in away]
    assert mine["seats"][0]["decisions"] == all_of_it["seats"][0]["decisions"]
    assert mine["seats"][1]["decisions"] == all_of_it["seats"][1]["decisions"] - len(away)
    for seat in mine["seats"]:
        assert seat["result"] - seat["luck"] == pytest.approx(seat["adjusted_result"], abs=1e-9)
    assert mine["curve"][-1]["win"] == all_of_it["curve"][-1]["win"]


def test_deals_in_which_a_level_played_are_not_counted_for_who_was_away() -> None:
    record = stood_in(20, 60)
    whole, mine = count_game(replace(record, stood_in=())), count_game(record)
    assert [deal for deal in mine.deals if deal.seat == 0] == [deal for deal in whole.deals if deal.seat == 0]
    kept = [deal for deal in mine.deals if deal.seat == 1]
    deal, wanted, own = 0, list[int](), [one for one in whole.deals if one.seat == 1]
    for at, action in enumerate(record.actions, start=1):
        deal += isinstance(action, Deal)
        if 20 <= at <= 60 and deal not in wanted and not isinstance(action, Deal):
            wanted.append(deal)
    assert len(kept) == len(own) - len([one for one in wanted if one <= len(own)])
    assert any(isinstance(action, Discard) for action in record.actions[19:60])
