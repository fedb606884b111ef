"""The ledger follows from the log alone, at every row, after undo, new games and a draw for partners."""

import pytest

from fifteentwo.contest.match import Length, NextDealer
from fifteentwo.rules.actions import Discard, NameDealer
from fifteentwo.rules.events import DealEnded
from fifteentwo.rules.record import last_state, read, replay, write
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Row
from tests.support.errors import raises_code
from tests.support.ledgers import played, same


def test_a_match_is_the_same_from_any_part_of_its_log(subtests: pytest.Subtests) -> None:
    for rules in [
        rules_for("six-card", target=61),
        rules_for("five-card", counting="claimed", muggins="missed"),
        rules_for("three-handed", target=61, counting="claimed"),
        rules_for("partners", target=61, partners_by_draw=True),
    ]:
        with subtests.test(rules=rules):
            whole, rows = played(rules, 2, seed=3, undo=0.3)
            assert any(row.type == "undone" for row in rows)
            growing, last = Ledger(rules), 0
            for number, row in enumerate(rows, start=1):
                growing.add(row)
                assert last <= growing.v >= growing.restart_version, "the version never falls"
                last = growing.v
                if number % 40 == 0 or row.type != "acted" or rows[number - 2].type == "undone":
                    assert same(Ledger(rules, rows=rows[:number]), growing)
            assert same(growing, whole)


def test_r29_drawn_partners_keep_their_seats_in_the_next_game() -> None:
    rules = rules_for("partners", target=61, partners_by_draw=True)
    moved = 0
    for seed in range(6):
        ledger, rows = played(rules, 1, seed)
        order, names = ledger.seated, ("Aiko", "Ben", "Chie", "Dan")
        assert sorted(order) == [0, 1, 2, 3]
        assert order[0] == 0
        moved += order != (0, 1, 2, 3)
        ledger.add(proposals.new_game(ledger, bytes(32)))
        assert ledger.seated == order
        assert [ledger.seat_of(person) for person in order] == [0, 1, 2, 3]
        first = read(write(ledger.record(1, names)))
        assert first.names == names, "as they came, before partners were drawn"
        assert last_state(first).seating == order
        assert not ledger.match.next_rules.partners_by_draw
        assert rows[0].type == "began"
    assert moved > 1


def test_c14_the_next_dealer_is_the_loser_or_drawn_again() -> None:
    rules = rules_for("six-card", target=61)
    ledger, _ = played(rules, 1, seed=9)
    won = ledger.table.state.won
    assert won is not None
    ledger.add(proposals.new_game(ledger, bytes(32)))
    assert ledger.table.state.dealer == 1 - won.side
    again = Ledger(rules, next_dealer=NextDealer.DRAW)
    again.add(proposals.new_game(again, bytes(32)))
    assert again.table.waiting == (0, 1)
    with raises_code(Refused, "game-not-over"):
        proposals.new_game(again, bytes(32))


def test_new_match_starts_with_a_draw() -> None:
    rules = rules_for("six-card", target=61)
    matches = (played(rules, games, seed=4, length=Length.TO_3) for games in range(3, 6))
    won, rows = next(one for one in matches if one[0].match_so_far.winners)
    games = won.match.game
    assert max(won.match_so_far.tally) == 3
    row = proposals.new_game(won, bytes(range(32)))
    won.add(row)
    assert (won.match_so_far.tally, won.match.number_in_match, won.match_so_far.winners) == ((0, 0), 1, ())
    assert won.table.waiting == (0, 1), "no one deals because of a match that is over"
    assert same(Ledger(rules, length=Length.TO_3, rows=[*rows, row]), won)
    assert len(won.results) == games


def test_undone_deal_has_the_same_cards_again() -> None:
    """No player gets other cards by undo, because the decks of a game are fixed."""
    rules = rules_for("six-card", first_dealer="named", cut_before_deal=False)
    ledger = Ledger(rules)
    ledger.add(proposals.new_game(ledger, bytes(range(32))))
    ledger.add(proposals.act(ledger, 0, NameDealer(1))[0])
    before = ledger.table.state
    ledger.add(proposals.act(ledger, 0, Discard(0, before.hands[0][:2]))[0])
    ledger.add(proposals.undo(ledger, 0))
    assert ledger.table.state == before
    with raises_code(Refused, "nothing-to-undo"):
        proposals.undo(ledger, 0)


def test_scores_of_a_race_are_those_of_the_point_that_wins_it() -> None:
    """They stay as points follow; before they are reached, and after an undo to before, there are none."""
    rules = rules_for("six-card", target=61)
    in_pegging = 0
    for seed in range(8):
        _, rows = played(rules, 1, seed, undo=0.1)
        growing = Ledger(rules)
        found: tuple[int, ...] = ()
        for row in rows:
            growing.add(row)
            scores = growing.scores_at(31)
            front = growing.table.state.front
            assert bool(scores) == (max(front) >= 31)
            if not scores:
                found = ()
                continue
            assert sum(one >= 31 for one in scores) == 1, "one side alone has won"
            assert all(one <= now for one, now in zip(scores, front, strict=True))
            in_pegging += not found and growing.table.state.phase is Phase.PLAY
            assert found in ((), scores) or row.type == "undone"
            found = scores
    assert in_pegging


def test_rows_out_of_order_are_refused() -> None:
    rules = rules_for("six-card")
    ledger = Ledger(rules)
    row = proposals.new_game(ledger, bytes(32))
    for wrong in (Row(0, row.type, row.body), Row(2, row.type, row.body), Row(1, "lost", "{}")):
        with pytest.raises(ValueError, match="row"):
            Ledger(rules).add(wrong)


def test_record_is_refused_while_a_game_is_in_progress() -> None:
    rules = rules_for("six-card", target=61)
    ledger, _ = played(rules, 1, seed=1)
    names = ("Aiko", "Ken")
    assert ledger.record(1, names).names == names
    ledger.add(proposals.new_game(ledger, bytes(32)))
    for number in (0, 2, -1, 3):
        with raises_code(Refused, "record-not-open"):
            ledger.record(number, names)


def test_a_game_in_progress_opens_its_finished_deals_alone() -> None:
    rules = rules_for("six-card", target=61)
    names = ("Aiko", "Ken")
    whole, rows = played(rules, 1, seed=1)
    actions = whole.record(1, names).actions
    lengths = set()
    for number in range(1, len(rows)):
        ledger = Ledger(rules, rows=rows[:number])
        if not any(isinstance(entry.event, DealEnded) for entry in ledger.entries):
            with raises_code(Refused, "record-not-open"):
                ledger.finished_deals(names)
            continue
        deals = ledger.finished_deals(names)
        *_, (_, state, events) = replay(deals)
        assert any(isinstance(event, DealEnded) for event in events)
        assert state.hands == ((), ()), "no card of the next deal"
        assert deals.actions == actions[: len(deals.actions)]
        lengths.add(len(deals.actions))
    assert len(lengths) > 1
