"""Whole deals of every variant at ten sizes, also with letters twice as large: all is seen and heard."""

from collections.abc import Callable, Iterator
from itertools import cycle, islice, product

import pytest

from tests.measured.sights import LETTERS, SIZES, ScreenReader, on_each_other, resize, space, unheard, unseen
from tests.support.playing import Player

Visit = Callable[..., Player]
VARIANTS = {"six-card": 1, "five-card": 1, "three-handed": 2, "partners": 3, "four-handed": 3}
"""Opponents in each variant."""
SIGHTS = tuple(product(SIZES, LETTERS))


def _deal(player: Player, variant: str, **chosen: str) -> Iterator[str]:
    """What is asked in the draw and a whole deal, up to its summary."""
    name = {"ja": "長い名前の人", "en": "Margarethe"}[player.lang]
    levels = {f"level_{seat}": "random" for seat in range(1, VARIANTS[variant] + 1)}
    player.sit_down(variant=variant, name=name, **levels, **chosen)
    for asked in player.play():
        yield asked
        if asked == "continue":
            return


def _amiss(
    player: Player, reader: ScreenReader, sights: list[tuple[tuple[int, int], int]], *, every: bool = True
) -> dict[str, list[str]]:
    """What cannot be seen at these sizes and letters, nor heard at every one of them or at the first."""
    found = {}
    for (width, height), letters in sights:
        resize(player.page, width, height, letters)
        lost = unseen(player.page) + on_each_other(player.page)
        if player.asked[-1] != "continue" and (every or (width, height) == sights[0][0]):
            lost += [f"not heard: {part}" for part in unheard(player, reader.names())]
        if lost:
            found[f"{width}×{height}, letters ×{letters}"] = lost
    return found


@pytest.mark.long
def test_every_part_is_seen_and_heard_in_a_sample(visit: Visit) -> None:
    """Each variant once, in turn in either language; sizes and letters go round from question to question."""
    found = {}
    sights = cycle(SIGHTS)
    for lang, variants in (
        ("en", ("six-card", "three-handed", "four-handed")),
        ("ja", ("five-card", "partners")),
    ):
        player = visit(lang, reduced_motion="reduce")
        reader = ScreenReader(player.page)
        for variant in variants:
            plays = 0
            for number, asked in enumerate(_deal(player, variant)):
                plays += asked == "play"
                # The first card and the last; with `make slow` every one.
                if asked not in ("discard", "play", "continue") or (asked == "play" and plays in (2, 3)):
                    continue
                # Sights go on from question to question: no question of two variants meets the same ones.
                if wrong := _amiss(player, reader, list(islice(sights, 2)), every=False):
                    found[f"{lang} {variant} {number} {asked}"] = wrong
    assert found == {}


@pytest.mark.long
def test_text_spacing_takes_nothing_away(visit: Visit) -> None:
    """Lines, words and letters further apart: still all parts are seen, and no letters stand on others."""
    player = visit("ja", reduced_motion="reduce")
    found = {}
    for asked in _deal(player, "three-handed"):
        if asked not in ("discard", "play", "continue") or asked in player.asked[:-1]:
            continue
        space(player.page, on=True)
        for width, height in ((360, 640), (390, 844), (844, 390), (1280, 800)):
            resize(player.page, width, height)
            if wrong := unseen(player.page) + on_each_other(player.page):
                found[f"{asked} {width}×{height}"] = wrong
        space(player.page, on=False)
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_part_is_seen_and_heard_at_every_size(visit: Visit, variant: str, lang: str) -> None:
    player = visit(lang, reduced_motion="reduce")
    reader = ScreenReader(player.page)
    found = {}
    asked_of: list[str] = []
    for number, asked in enumerate(_deal(player, variant)):
        asked_of.append(asked)
        # Before the game a low window may scroll for the spread deck.
        if asked != "draw" and (wrong := _amiss(player, reader, list(SIGHTS))):
            found[f"{number} {asked}"] = wrong
    assert found == {}
    assert {"discard", "play", "continue"} <= set(asked_of)
