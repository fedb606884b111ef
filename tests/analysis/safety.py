"""What a free opponent gains on re-solved cards over the book's play, by how much of it is believed known.

python -m tests.analysis.safety                           three and four cards held, a hundred games
python -m tests.analysis.safety --cards 5 --most 60       five, of so many positions
"""

import argparse

import numpy as np

from fifteentwo.analysis.pegging.endgame import resolved
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View
from tests.support.pegging_views import Recorder

GAMES = 100
NEAR = 26
KNOWN = (0.0, 0.5, 0.9, 0.999)


def positions(games: int, cards: tuple[int, ...]) -> list[View]:
    """Near the end of games of two experts: a choice, both holding cards, so many together."""
    found = []
    for number in range(games):
        table = Table(rules_for("six-card", first_dealer="named"), seeded(f"safety/{number}"))
        table.adopt(table.name_dealer(number % 2))
        recorder = Recorder(1, "expert")
        play_out(table, [recorder, player("expert", 2)])
        for view in recorder.seen:
            fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
            few = min(view.held) > 0 and sum(view.held) in cards
            if few and len(fits) > 1 and max(view.front) >= view.rules.target - NEAR:
                found.append(view)
    return found


def main() -> None:
    """Print mean, 95th percentile and maximum in per cent of win chance."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cards", nargs="+", type=int, default=(3, 4))
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--known", nargs="+", type=float, default=KNOWN)
    given = parser.parse_args()
    views = positions(GAMES, tuple(given.cards))[: given.most]
    print(f"{len(views)} positions")
    for known in given.known:
        gains = []
        for view in views:
            found = resolved(LookAhead(view), games=False, known=known)
            # Values go from -1 to 1.
            gains.append(50 * (found.risked - found.opt_out))
        high = np.quantile(gains, 0.95)
        print(f"known {known}: mean {np.mean(gains):.4f} %, 95th {high:.3f} %, most {max(gains):.2f} %")


if __name__ == "__main__":
    main()
