"""`expert` plays as the solved tables say, and with six cards discards by the score."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from fifteentwo.analysis.pegging.beliefs import role_of
from fifteentwo.analysis.pegging.five_card import play_frequencies
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.library.position import Position
from fifteentwo.players import player
from fifteentwo.players.master import MAX_RISK
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import discard_frequencies as six_card_frequencies
from fifteentwo.strategy.five_card import discard_frequencies
from tests.analysis.hint_positions import positions

SEEDS = 40


def counted(level: str, view: View) -> dict[object, float]:
    """How often a level does each thing here, over its seeds."""
    done: dict[object, float] = defaultdict(float)
    for seed in range(SEEDS):
        match player(level, seed).act(view):
            case Discard(cards=pair):
                done[frozenset(pair)] += 1 / SEEDS
            case Play(card=card):
                done[card.index >> 2] += 1 / SEEDS
    return done


OPEN = ((6, "0-0"), (6, "70-85"), (6, "100-110"), (6, "118-113"), (5, "20-30"), (5, "57-54"))


def hands(score: str, dealt: int = 6) -> Iterator[View]:
    """Yield Views to discard from, as dealer and as pone; score: own and other's."""
    for number, deal in enumerate(random_deals(6, dealt, np.random.default_rng(4)).tolist()):
        held = "".join(str(DECK[card]) for card in sorted(deal))
        game = "five-card " if dealt == 5 else ""
        yield Position(f"{game}{score} {('pone', 'dealer')[number % 2]} {held}").view()


@pytest.mark.parametrize(("dealt", "score"), OPEN)
def test_a_discard_is_the_tables_unless_another_wins_clearly_more_often(dealt: int, score: str) -> None:
    board = tuple(int(one) for one in score.split("-"))
    for view in hands(score, dealt):
        payoff = win.payoff_of(view.rules)
        chances = win.chances(view.hand, dealer=view.is_dealer, board=(board[0], board[1]), payoff=payoff)
        by_pair = {tuple(view.hand[n] for n in way): chances[i] for i, way in enumerate(WAYS_OF[dealt])}
        table = six_card_frequencies if dealt == 6 else discard_frequencies
        often = table(view.hand, role_of(view, view.seat))
        for seed in range(2):
            action = player("expert", seed).act(view)
            assert isinstance(action, Discard)
            best = player("master", seed).act(view)
            assert isinstance(best, Discard)
            assert dealt == 5 or by_pair[best.cards] >= chances.max() - MAX_RISK
            short = chances.max() - by_pair[action.cards]
            assert short <= win.TIE_MARGIN if action.cards in often else short == 0


def test_near_the_end_the_score_changes_discards() -> None:
    changed = [
        view for view in hands("118-113") if player("expert", 1).act(view) not in discards_for_points(view)
    ]
    assert len(changed) >= 2


def test_without_win_chances_it_discards_for_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win, "has_win_probability", lambda _: False)
    for view in hands("118-113"):
        assert player("expert", 1).act(view) in discards_for_points(view)


def discards_for_points(view: View) -> list[Discard]:
    """Return the discards of the table, which ignores the score."""
    pairs = six_card_frequencies(view.hand, role_of(view, view.seat))
    return [Discard(view.seat, tuple(card for card in view.hand if card in pair)) for pair in pairs]


@pytest.mark.parametrize("level", ["expert", "master"])
def test_five_card_choices_come_as_often_as_in_the_table(level: str) -> None:
    mixed = 0
    for view, _ in positions("five-card", 12):
        if view.phase is Phase.DISCARD and level == "expert":
            pairs = discard_frequencies(view.hand, role_of(view, view.seat))
            often: dict[object, float] = {frozenset(pair): frequency for pair, frequency in pairs.items()}
        elif view.phase is Phase.PLAY and max(view.front) < 50:
            often = dict(play_frequencies(view).items())
        else:
            continue
        mixed += max(often.values()) < 1
        found = counted(level, view)
        assert found == pytest.approx({choice: often.get(choice, 0) for choice in found}, abs=0.3)
    assert mixed
