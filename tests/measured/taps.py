"""How many taps a strict deal takes, over many deals and without a browser: `python -m tests.measured.taps`.

A club player sits down to six-card games, everything claimed and open to challenge, where no one errs.
What the table asks a press for is written down here; `tests.measured.clock` presses it on the page itself.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

from fifteentwo import players
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players.base import claimable
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Accept, Claim, Cut, Discard, Draw, Play, SeatAction
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, choices, view

CLAIMED = rules_for("six-card", counting="claimed", muggins="missed-and-overclaims")
SAID_ON_THE_CARD = (0, 2, 3)
"""Points claimed with the very press that plays the card; others are chosen first, where there are more."""


def _never_errs(player: players.Player, seen: View) -> SeatAction:
    match seen.phase:
        case Phase.CLAIM:
            return Claim(seen.seat, sum(score.points for score in claimable(seen)))
        case Phase.CHALLENGE:
            return Accept(seen.seat)
        case Phase.CUT | Phase.CUT_STOCK | Phase.DRAW:
            return choices(seen)[0]
        case _:
            return player.act(seen)


def _taps(before: State, seen: View, action: SeatAction, after: State) -> tuple[str, ...]:
    """The presses of one action; those that ride on another's press ask for none."""
    match action:
        case Discard():
            return "pick", "pick", "discard" if before.dealer == seen.seat else "discard and cut"
        case Play(card=card):
            on_table = () if seen.count == 31 else seen.in_count
            points = sum(score.points for score in pegging.scores((*on_table, card)))
            with_claim = f"card, saying {points}" if points else "card"
            at_once = points in SAID_ON_THE_CARD or len(choices(seen)) == 1
            return (with_claim,) if at_once else (f"say {points}", "card")
        case Claim() if before.shown:
            return ("claim",)
        case Accept():
            # The next card lets it stand.
            return () if after.phase is Phase.PLAY and after.turn == seen.seat else ("let stand",)
        case Draw() | Cut() | Claim():
            return ()
        case _:
            raise AssertionError(action)


def deals(game: int, level: str) -> Iterator[tuple[str, ...]]:
    """The taps of each whole deal of one game."""
    table = Table(CLAIMED, seeded(f"taps-{game}"))
    seats = players.player("club", game), players.player(level, game + 1)
    taps: list[str] = []
    deal = 0
    while not table.over:
        seat, before = table.waiting[0], table.state
        if before.phase is Phase.CUT and before.deal > deal:
            # The dealer reads what the deal made, and goes on and cuts with one press.
            yield (*taps, "go on and cut") if before.dealer != 0 else tuple(taps)
            taps, deal = [], before.deal
        seen = view(before, seat)
        action = _never_errs(seats[seat], seen)
        table.submit(seat, action)
        if seat == 0:
            taps += _taps(before, seen, action, table.state)


def main() -> None:
    """Print how many deals take how many taps, and what the longest consists of."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--level", default="greedy", help="of the opponent")
    asked = parser.parse_args()
    all_ = [taps for game in range(asked.games) for taps in deals(game, asked.level)]
    often = Counter(len(taps) for taps in all_)
    mean = sum(taps * deals for taps, deals in often.items()) / len(all_)
    print(f"{len(all_)} deals, mean {mean:.2f} taps, most {max(often)}")
    longest: Sequence[str] = max(all_, key=len)
    for taps in sorted(often):
        print(f"{taps:3} taps {often[taps]:6} deals {often[taps] / len(all_):8.3%}")
    print("the longest:", ", ".join(longest))


if __name__ == "__main__":
    main()
