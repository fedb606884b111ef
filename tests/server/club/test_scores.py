"""Points, score cards, standings and seasons, compared with counts by hand."""

from typing import Any

import msgspec

from fifteentwo.server.club.pairing import Pairing
from fifteentwo.server.club.scores import Outcome, ScoreCard, score_cards, standings
from fifteentwo.server.club.season import EveningCards, HeadToHead, head_to_head, season_standings

ROUNDS = (
    Pairing(((0, 1), (2, 3)), 4),
    Pairing(((4, 0), (1, 2)), 3),
    Pairing(((3, 4), (0, 2)), 1),
)
OUTCOMES = {
    (0, 0): Outcome((121, 91)),
    (0, 1): Outcome((121, 90)),
    (1, 0): Outcome((60, 121)),
    (1, 1): Outcome((100, 7), has_left=(False, True)),
    (2, 0): Outcome(has_left=(True, True)),
}
"""The second table of the third round is still open."""


def cards() -> dict[int, ScoreCard]:
    return score_cards(range(5), ROUNDS, OUTCOMES)


def test_wins_skunks_byes_and_forfeits_have_their_points() -> None:
    lines = {number: [tuple(line) for line in card.lines] for number, card in cards().items()}
    assert lines == {
        0: [(1, 1, 2, 30, True, 2), (2, 4, 3, 61, True, 5)],
        1: [(1, 0, 0, -30, False, 0), (2, 2, 2, 0, True, 2), (3, None, 2, 0, False, 4)],
        2: [(1, 3, 3, 31, True, 3), (2, 1, 0, 0, False, 3)],
        3: [(1, 2, 0, -31, False, 0), (2, None, 2, 0, False, 2), (3, 4, 0, 0, False, 2)],
        4: [(1, None, 2, 0, False, 2), (2, 0, 0, -61, False, 2), (3, 3, 0, 0, False, 2)],
    }
    assert [card.skunks for card in cards().values()] == [1, 0, 1, 0, 0]


def test_equal_points_are_ordered_by_games_won_then_by_spread_and_then_share_a_place() -> None:
    assert [(place, card.record) for place, card in standings(cards().values())] == [
        *((1, 0), (2, 1), (3, 2), (4, 3), (5, 4))
    ]
    # Two skunks and three wins have six points each.
    games = [[(121, 1), (121, 2)], [(121, 120)] * 3, [(121, 119)] * 3, [(121, 119)] * 3]
    made = {}
    for number, scores in enumerate(games):
        rounds = [Pairing(((number, 9),)) for _ in scores]
        outcomes = {(place, 0): Outcome(score) for place, score in enumerate(scores)}
        made[number] = score_cards((number, 9), rounds, outcomes)[number]
    assert [(place, card.record) for place, card in standings(made.values())] == [
        *((1, 2), (1, 3), (3, 1), (4, 0))
    ]


def test_a_card_is_marked_from_twelve_points_on() -> None:
    rounds = [Pairing(((0, 1),)) for _ in range(6)]
    outcomes = {(number, 0): Outcome((121, 100)) for number in range(6)}
    assert score_cards((0, 1), rounds, outcomes)[0].is_marked
    del outcomes[5, 0]
    assert not score_cards((0, 1), rounds, outcomes)[0].is_marked


def test_the_best_evenings_of_a_season_count_and_all_count_for_hands_and_luck() -> None:
    hands, adjusted = {0: (84, 10), 1: (70, 10)}, {0: (150.0, 3), 1: (20.0, 1)}
    first = EveningCards("1", cards(), {0: "aiko", 1: "ken"}, hands, adjusted)
    later: dict[str, Any] = {
        "members": {2: "aiko", 0: "ken"},
        "hands": {2: (36, 5)},
        "adjusted": {2: (90, 1)},
    }
    second = msgspec.structs.replace(first, evening_id="2", **later)
    third = EveningCards("3", cards(), {3: "aiko"})
    places = season_standings([first, second, third], 2)
    assert [(place, line.member) for place, line in places] == [(1, "ken"), (2, "aiko")]
    lines = {line.member: line for _, line in places}
    assert lines["aiko"][1:] == (("1", "2"), 5 + 3, 2 + 1, 91 + 31, 3, 2, 8.0, 60.0)
    assert lines["ken"][1:] == (("1", "2"), 4 + 5, 1 + 2, -30 + 91, 2, 1, 7.0, 20.0)
    assert season_standings([third], 1)[0][1][-2:] == (None, None)
    assert season_standings([], 3) == []


def test_games_against_one_member_are_counted_over_the_season() -> None:
    evening = EveningCards("1", cards(), {0: "aiko", 1: "ken", 2: "mia"})
    swapped = msgspec.structs.replace(evening, members={0: "ken", 1: "aiko"})
    found = head_to_head([evening, swapped])
    assert found["aiko", "ken"] == HeadToHead(1, 1, 0)
    assert found["ken", "aiko"] == HeadToHead(1, 1, 0)
    assert found["ken", "mia"] == HeadToHead(1, 0, 0)
    assert found["mia", "ken"] == HeadToHead(0, 1, 0)
    assert len(found) == 4
