"""Every part of whole deals is visible and accessible at ten sizes, also with letters twice as large."""

from collections.abc import Iterator
from itertools import cycle, islice, product

import pytest

from tests.measured.sights import LETTERS, SIZES, ScreenReader, on_each_other, resize, space, unheard, unseen
from tests.support.playing import Player, Visit

VARIANTS = {"six-card": 1, "five-card": 1, "three-handed": 2, "partners": 3, "four-handed": 3}
"""Opponents in each variant."""
SIGHTS = tuple(product(SIZES, LETTERS))


def _deal(player: Player, variant: str, **chosen: str) -> Iterator[str]:
    """Play the draw and a whole deal, and yield each question up to the summary."""
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
    """Return the parts that are not visible at these sizes, and those missing in the accessibility tree."""
    found = {}
    for (width, height), letters in sights:
        resize(player.page, width, height, letters)
        lost = unseen(player.page) + on_each_other(player.page)
        if player.asked[-1] != "continue" and (every or (width, height) == sights[0][0]):
            lost += [f"not heard: {part}" for part in unheard(player, reader.names())]
        if lost:
            found[f"{width}×{height}, letters ×{letters}"] = lost
    return found


def test_every_part_is_visible_and_accessible_in_a_sample(visit: Visit) -> None:
    """Every variant is played once; sizes and letters change from question to question."""
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
                # The sizes continue, so that questions of two variants get different sizes.
                if wrong := _amiss(player, reader, list(islice(sights, 2)), every=False):
                    found[f"{lang} {variant} {number} {asked}"] = wrong
    assert found == {}


def test_all_parts_are_visible_with_wide_text_spacing(visit: Visit) -> None:
    """Lines, words and letters have the spacing of WCAG 1.4.12, and no letters overlap."""
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
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_part_is_visible_and_accessible_at_every_size(visit: Visit, variant: str, lang: str) -> None:
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
