"""What re-solved cards risk and bring, in win chance over the book's play, by how much is believed.

python -m tests.analysis.safety                  three and four cards held, near the end, a hundred games
python -m tests.analysis.safety --cards 5 6 --near 121 --most 60       five and six, at any score, so many

Risked: what a free opponent gains at best. The cards of each solution, and those that `master` plays, are
compared with the book's too, against an opponent who plays as the equilibrium, and against a club player.
"""

import argparse
from collections.abc import Mapping, Sequence

import numpy as np

from fifteentwo.analysis.pegging import look_ahead, mixture
from fifteentwo.analysis.pegging.beliefs import history, role_of
from fifteentwo.analysis.pegging.endgame import resolved
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.fast.noise import SELDOM
from fifteentwo.players import player
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View
from fifteentwo.strategy.pegging import load_pegging_book
from tests.support.pegging_views import Recorder

GAMES = 100
NEAR = 26
KNOWN = (0.0, 0.25, 0.5, 0.9, 0.999)
AGAINST = {
    "the equilibrium": look_ahead.EQUILIBRIUM,
    "a club player": look_ahead.Opponent((0.0, 1.0), SELDOM),
}
Chances = Mapping[int, float]


def positions(games: int, cards: int, near: int, most: int) -> list[View]:
    """Of all in games of two experts, a side so near the end, at most so many, spread evenly.

    Those with a choice, both sides holding cards, so many together.
    """
    found: list[View] = []
    for number in range(games):
        table = Table(rules_for("six-card", first_dealer="named"), seeded(f"safety/{number}"))
        table.adopt(table.name_dealer(number % 2))
        recorder = Recorder(1, "expert")
        play_out(table, [recorder, player("expert", 2)])
        for view in recorder.seen:
            fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
            few = min(view.hand_sizes) > 0 and sum(view.hand_sizes) == cards
            if few and len(fits) > 1 and max(view.front) >= view.rules.target - near:
                found.append(view)
    return found[:: -(-len(found) // most)]


def _mean(values: Chances, often: Chances) -> float:
    return sum(part * values[rank] for rank, part in often.items()) / sum(often.values())


def _book(view: View) -> Chances:
    own = [card.index // 4 + 1 for card in view.hand]
    often = load_pegging_book().strategy(own, history(view), role_of(view, view.seat))
    return {rank - 1: part for rank, part in often.items()}


def _line(name: str, per_cent: Sequence[float]) -> str:
    """Mean with its standard error, the 95th percentile and the most."""
    error = np.std(per_cent, ddof=1) / len(per_cent) ** 0.5
    high = np.quantile(per_cent, 0.95)
    return f"    {name}: {np.mean(per_cent):+.4f} ± {error:.4f} (95th {high:.3f}, most {max(per_cent):.2f})"


class Judge:
    """Compares policies for some Views with the book's."""

    def __init__(self, views: Sequence[View]) -> None:
        self._books = [_book(view) for view in views]
        self._values = {
            name: [LookAhead(view, opponent).chances(games=False) for view in views]
            for name, opponent in AGAINST.items()
        }

    def lines(self, policies: Sequence[Chances]) -> list[str]:
        """Against each opponent, what these make more; values go from -1 to 1."""
        lines = []
        for name, values in self._values.items():
            three = zip(values, policies, self._books, strict=True)
            lines.append(
                _line(name, [50 * (_mean(each, own) - _mean(each, book)) for each, own, book in three])
            )
        return lines


def main() -> None:
    """Print per cent of win chance."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cards", nargs="+", type=int, default=(3, 4))
    parser.add_argument("--near", type=int, default=NEAR)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--known", nargs="+", type=float, default=KNOWN)
    given = parser.parse_args()
    for cards in given.cards:
        views = positions(GAMES, cards, given.near, given.most)
        print(f"{cards} cards held, {len(views)} positions", flush=True)
        judge = Judge(views)
        for known in given.known:
            found = [resolved(LookAhead(view, look_ahead.PEOPLE), games=False, known=known) for view in views]
            risked = _line("risked", [50 * (one.risked - one.opt_out) for one in found])
            lines = (risked, *judge.lines([one.policy for one in found]))
            print(f"  known {known}", *lines, sep="\n", flush=True)
        played = judge.lines([mixture.frequencies(view) for view in views])
        print("  as master plays", *played, sep="\n", flush=True)


if __name__ == "__main__":
    main()
