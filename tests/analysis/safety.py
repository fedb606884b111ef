"""What a free opponent gains on re-solved cards over the book's play, by how much of it is believed known.

python -m tests.analysis.safety      a hundred games of two experts, the table of docs/analysis.md
"""

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


def positions(games: int) -> list[View]:
    """Near the end of games of two experts: a choice, both holding cards, three or four together."""
    found = []
    for number in range(games):
        table = Table(rules_for("six-card", first_dealer="named"), seeded(f"safety/{number}"))
        table.adopt(table.name_dealer(number % 2))
        recorder = Recorder(1, "expert")
        play_out(table, [recorder, player("expert", 2)])
        for view in recorder.seen:
            fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
            few = min(view.held) > 0 and 2 < sum(view.held) <= 4
            if few and len(fits) > 1 and max(view.front) >= view.rules.target - NEAR:
                found.append(view)
    return found


def main() -> None:
    """Print mean, 95th percentile and maximum in per cent of win chance."""
    views = positions(GAMES)
    print(f"{len(views)} positions")
    for known in KNOWN:
        gains = []
        for view in views:
            found = resolved(LookAhead(view), games=False, known=known)
            # Values go from -1 to 1.
            gains.append(50 * (found.risked - found.opt_out))
        high = np.quantile(gains, 0.95)
        print(f"known {known}: mean {np.mean(gains):.4f} %, 95th {high:.3f} %, most {max(gains):.2f} %")


if __name__ == "__main__":
    main()
