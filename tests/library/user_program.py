"""A program as users write it; strict type checkers accept it with the installed wheel."""

import random
import tempfile
from pathlib import Path

import fifteentwo as ft


class AtRandom:
    """A player that plays any card."""

    def act(self, view: ft.View) -> ft.Action:
        return random.choice(ft.choices(view))


class Highest:
    """A player that plays its highest card, and discards by `discards`."""

    def act(self, view: ft.View) -> ft.Action:
        if view.phase is ft.Phase.DISCARD:
            best = ft.discards(view.hand, dealer=view.is_dealer)[0]
            return ft.Discard(view.seat, best.discard)
        plays = [action for action in ft.choices(view) if isinstance(action, ft.Play)]
        if plays:
            return max(plays, key=lambda play: play.card.value)
        return random.choice(ft.choices(view))


def hands() -> list[str]:
    """Return the points and score names of a hand, and its best discard."""
    score: ft.HandScore = ft.score("5H 5S 5D JC", starter="5C")
    names = [item.name.value for item in score.items]
    options: ft.Discards = ft.discards("5H 5S 6D 7C JC KD", dealer=False, score=(110, 116))
    first: ft.DiscardOption = options[0]
    cards: tuple[ft.Card, ...] = first.keep
    win = first.win if first.win is not None else 0.0
    return [f"{score.points}", *names, *[card.text for card in cards], f"{win:.2f} {first.net:+.2f}"]


def positions() -> float:
    """Return a sum of win probabilities of positions and their best choices."""
    total = 0.0
    for text in ("110-116 pone 5H5S6D7CJCKD", "60-70 dealer 5QQK/68 J 5Q5"):
        position = ft.Position(text)
        best: ft.DiscardOption | ft.CardOption = position.best()
        chance: ft.WinProbability = ft.win_probability(position.view())
        total += float(chance) + chance.error + (best.win or 0.0)
    return total


def games(folder: Path) -> list[str]:
    """Play, save, load and review a game, and play a match; return texts about them."""
    someone: ft.Player = AtRandom()
    record: ft.Record = ft.play([someone, Highest()], variant="six-card", seed=7)
    record.save(folder / "game.json")
    again = ft.Record.load(folder / "game.json")
    review: ft.Review = ft.review(again)
    lost = [seat.loss_points for seat in review.seats]
    result: ft.MatchResult = ft.match("random", AtRandom, games=4, seed=1)
    low, high = result.ci95
    rate: float = result.win_rate if result.luck_adjusted is None else result.luck_adjusted.win_rate
    worst = max(review.decisions, key=lambda decision: decision.loss_points)
    return [f"{sum(lost):.1f}", f"{rate:.2f} {low:.2f} {high:.2f}", worst.best]


def by_hand() -> int:
    """Play a game with the functions of the rules; return the number of actions."""
    points: float = float(ft.simulate(["5H 5S 5D JC"], ["5C"])[0]) + float(
        ft.simulate(games=10).winners.mean()
    )
    assert points > 0
    state = ft.start(ft.rules_for("six-card"))
    deck = ft.rules.seeded(3)
    someone, actions = AtRandom(), 0
    while state.won is None:
        chance = ft.rules.chance(state, deck)
        state, events = ft.step(state, chance or someone.act(ft.view(state, ft.to_act(state)[0])))
        actions += len(events) > 0
    return actions


def refused() -> str:
    try:
        ft.score("5H 5H 5D JC", starter="5C")
    except ft.FifteenTwoError as error:
        return error.code
    return ""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(*hands(), positions(), *games(Path(folder)), by_hand(), refused())


if __name__ == "__main__":
    main()
