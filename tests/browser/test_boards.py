"""The drawn boards compared with rules/board.py: every hole, and the pegs of whole games (R115–R121)."""

import random
from typing import Any

from fifteentwo.contest.table import Table, seeded
from fifteentwo.rules.board import hole_a, hole_b
from fifteentwo.rules.events import Pegged
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import choices, view
from tests.support.playing import Visit

GAMES = 200
VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")


def test_r119_r120_every_score_has_its_hole(visit: Visit) -> None:
    player = visit("en")
    player.page.goto("/")
    drawn = player.page.evaluate(
        """async () => {
          const { holePosition } = await import("/static/board/holes.js");
          const all = (type) => Array.from({ length: 122 }, (_, score) => holePosition(type, score));
          return { A: all("A"), B: all("B") };
        }"""
    )
    for score in range(122):
        a, b = hole_a(score), hole_b(score)
        end = "start" if score == 0 else "game"
        if a is None or b is None:
            assert a is None
            assert b is None
            assert drawn["A"][score]["column"] == drawn["B"][score]["column"] == end
        else:
            assert (drawn["A"][score]["column"], drawn["A"][score]["row"]) == (a.street, a.hole)
            place = drawn["B"][score]
            assert (place["lap"], place["column"], place["row"]) == (b.lap, b.column.value, b.row)


def _moves(seed: int) -> dict[str, Any]:
    """Play a random game; return every move of a peg with the places of all pegs after it."""
    variant = VARIANTS[seed % len(VARIANTS)]
    rules = rules_for(variant) if variant == "five-card" else rules_for(variant, target=(61, 121)[seed % 2])
    table, rng = Table(rules, seeded(seed)), random.Random(seed)
    front, rear, moves = [0] * rules.sides, [0] * rules.sides, []
    while not table.over:
        seat = table.waiting[0]
        for event in table.submit(seat, rng.choice(choices(view(table.state, seat)))):
            if isinstance(event, Pegged):
                rear[event.side], front[event.side] = front[event.side], event.score
                moves.append([event.side, event.score, list(front), list(rear)])
        assert (table.state.front, table.state.rear) == (tuple(front), tuple(rear))
    return {"sides": rules.sides, "target": rules.target, "moves": moves}


def test_r115_r116_both_pegs_are_right_after_every_event_of_random_games(visit: Visit) -> None:
    player = visit("en")
    player.page.goto("/")
    games = [_moves(seed) for seed in range(GAMES)]
    wrong = player.page.evaluate(
        """async (games) => {
          const { boardElement } = await import("/static/board/board.js");
          const holes = (board, kind) => [...board.querySelectorAll(`[data-peg="${kind}"]`)]
            .sort((a, b) => a.dataset.side - b.dataset.side).map((peg) => Number(peg.dataset.hole)).join();
          const wrong = [];
          for (const [number, { sides, target, moves }] of games.entries()) {
            for (const type of sides === 2 ? ["A", "B"] : ["A"]) {
              const board = boardElement({ type, sides, target });
              for (const [side, score, front, rear] of moves) {
                await board.animate(side, board.pegs.front[side], score, 0);
                const stand = [holes(board, "front"), holes(board, "rear")];
                if (stand[0] !== front.join() || stand[1] !== rear.join())
                  wrong.push([number, type, side, score, ...stand, front, rear]);
              }
            }
          }
          return wrong.slice(0, 3);
        }""",
        games,
    )
    assert wrong == []
    assert sum(len(game["moves"]) for game in games) > 40 * GAMES / 2
