"""Beginner and casual players miscount as people do, where players count for themselves (R93–R98)."""

import pytest
from msgspec.structs import replace

from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.actions import Claim
from fifteentwo.rules.cards import cards
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.events import ClaimSettled
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.variants import Muggins, rules_for
from fifteentwo.rules.view import View, view


def settled(
    levels: tuple[str, str], games: int, muggins: str = "missed-and-overclaims"
) -> list[ClaimSettled]:
    """Every claim of some games, once it was closed."""
    found: list[ClaimSettled] = []
    for seed in range(games):
        table = Table(rules_for("six-card", counting="claimed", muggins=muggins), seeded(seed))
        play_out(table, [player(level, seat) for seat, level in enumerate(levels)])
        found += [event for event in table.events if isinstance(event, ClaimSettled)]
    return found


def shown(
    claim: int | None, muggins: str = "off", hand: str = "5H 5S 6D JC", starter: str = "7C", seat: int = 0
) -> View:
    """Return the View of a seat while the pone's hand is shown: the dealer, seat 0, may challenge a claim."""
    seen = view(start(rules_for("six-card", counting="claimed", muggins=muggins)), seat)
    phase = Phase.CLAIM if claim is None else Phase.CHALLENGE
    open_hands, turned = ((), cards(hand)), cards(starter)[0]
    changed = replace(seen, phase=phase, dealer=0, turn=1, to_act=(seat,))
    return replace(changed, starter=turned, open_hands=open_hands, claim=claim)


def test_r93_weaker_players_miss_more_points() -> None:
    short = {}
    for level in ("beginner", "casual", "club"):
        claims = [event for event in settled((level, level), 6) if event.right]
        short[level] = sum(event.claimed < event.right for event in claims) / len(claims)
    assert short["club"] == 0
    assert 0.005 < short["casual"] < 0.1
    assert 0.1 < short["beginner"] < 0.4


def test_r94_sharp_players_live_on_the_slips_of_others() -> None:
    calls = settled(("beginner", "club"), 6)
    by_club = sum(event.caller == 1 for event in calls)
    wrong = sum(event.claimed != event.right for event in calls if event.seat == 0)
    assert by_club == wrong > 8
    assert not [event for event in calls if event.caller == 0]


@pytest.mark.parametrize("muggins", [Muggins.MISSED, Muggins.MISSED_AND_OVERCLAIMS])
def test_r94_r95_a_right_claim_is_left_alone_and_a_short_one_is_called(muggins: Muggins) -> None:
    club = player("club", 3)
    assert type(club.act(shown(13, muggins))).__name__ == "Accept"
    assert type(club.act(shown(12, muggins))).__name__ == "CallMuggins"
    over = "CallMuggins" if muggins is Muggins.MISSED_AND_OVERCLAIMS else "Accept"
    assert type(club.act(shown(14, muggins))).__name__ == over


def test_r94_beginners_let_most_slips_pass() -> None:
    def calling(level: str) -> float:
        asked = [type(player(level, seed).act(shown(11, "missed"))).__name__ for seed in range(300)]
        return asked.count("CallMuggins") / len(asked)

    assert 0.1 < calling("beginner") < 0.35
    assert 0.6 < calling("casual") < 0.9


def test_r93_nobs_escapes_a_beginner_more_often_than_a_pair() -> None:
    """A hand with and without its jack of the starter's suit: most overlooked points are nobs."""
    nobs = missed_by_beginners("JC 2D 4H 8S", "KC")
    pair = missed_by_beginners("2C 2D 4H KS", "QH")
    assert nobs > 2 * pair > 0


def missed_by_beginners(hand: str, starter: str) -> float:
    seen = shown(None, hand=hand, starter=starter, seat=1)
    claims = [player("beginner", seed).act(seen) for seed in range(600)]
    return sum(claim == Claim(1, 0) for claim in claims) / len(claims)
