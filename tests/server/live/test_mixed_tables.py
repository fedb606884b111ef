"""People and computers in any seats of every variant sit down, play, and play another game."""

import itertools
import random
from collections.abc import Callable
from contextlib import ExitStack, suppress

import pytest

from fifteentwo.i18n import text
from fifteentwo.rules.variants import Variant, rules_for
from tests.support.live_server import Live, Page, Person

SEATS = {variant: rules_for(variant).seats for variant in Variant}
SEEN_OFTEN = (
    (Variant.PARTNERS, (False, True, False)),
    (Variant.PARTNERS, (True, False, False)),
    (Variant.FOUR_HANDED, (True, True, True)),
)
"""Mixtures of four seats: people opposite each other, next to each other, and alone."""
MIXTURES = [
    (variant, people)
    for variant in Variant
    for people in itertools.product((True, False), repeat=SEATS[variant] - 1)
]
SOME = [one for one in MIXTURES if one in SEEN_OFTEN]
OTHERS = [one for one in MIXTURES if one not in SOME]


def table(
    live: Live, stack: ExitStack, variant: Variant, people: tuple[bool, ...], **chosen: str
) -> tuple[str, list[Person]]:
    """Return a table with people (the host first) and computers in these seats, where everyone is present."""
    host = stack.enter_context(live.person())
    levels = {
        f"level_{seat}": "person" if is_person else "random" for seat, is_person in enumerate(people, 1)
    }
    game = host.new_game(variant.value, **{"name": "Host", **levels, **chosen})
    everyone = [host]
    with host.open(game) as page:
        page.until("people")
        invitations = page.table["invitations"]
        assert [place["seat"] for place in invitations] == [seat for seat, one in enumerate(people, 1) if one]
        for place in invitations:
            guest = stack.enter_context(live.person())
            guest.sit(place["path"], name=f"Seat {place['seat']}")
            everyone.append(guest)
    return game, everyone


def play(pages: list[Page], rng: random.Random, enough: Callable[[list[Page]], bool]) -> None:
    """Let everyone act at random when they may, for some time."""
    for _ in range(4000):
        for page in pages:
            with suppress(TimeoutError):
                while True:
                    page.hear(0.01)
            if page.choices and not page.view["won"]:
                page.attempt(rng.choice(page.choices))
        if enough(pages):
            return
    raise AssertionError("no end")


@pytest.mark.parametrize(
    "mixtures", [SOME, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["some", "others"]
)
def test_any_mixture_of_people_and_computers_can_play(
    subtests: pytest.Subtests, live: Live, mixtures: list[tuple[Variant, tuple[bool, ...]]]
) -> None:
    for variant, people in mixtures:
        with subtests.test(variant=variant, people=people), ExitStack() as stack:
            game, everyone = table(live, stack, variant, people)
            pages = [stack.enter_context(one.open(game)) for one in everyone]
            play(
                pages,
                random.Random(13),
                lambda pages: all(page.view and page.view["played"] for page in pages),
            )
            for page in pages:
                page.send("lang", "en")
                page.until("waiting")
            seats = sorted(page.view["seat"] for page in pages)
            assert seats == [0, *(seat for seat, is_person in enumerate(people, 1) if is_person)]
            assert pages[0].table["levels"] == [None, *(None if one else "random" for one in people)]
            hands = [set(page.view["hand"]) for page in pages]
            assert not any(one & other for one, other in itertools.combinations(hands, 2))


def test_people_who_sit_opposite_are_partners(subtests: pytest.Subtests, live: Live) -> None:
    cases: list[tuple[Variant, tuple[bool, ...], bool]] = [
        (Variant.PARTNERS, (False, True, False), True),
        (Variant.PARTNERS, (True, False, False), False),
        (Variant.PARTNERS, (False, False, True), False),
        (Variant.PARTNERS, (True, True, True), True),
    ]
    for variant, people, opposite in cases:
        with subtests.test(variant=variant, people=people, opposite=opposite), ExitStack() as stack:
            game, everyone = table(live, stack, variant, people)
            pages = [stack.enter_context(one.open(game)) for one in everyone]
            for page in pages:
                page.until("waiting")
            sides = [page.view["seat"] % page.view["rules"]["sides"] for page in pages]
            assert (sides.count(sides[0]) == 2) is opposite


@pytest.mark.long
def test_the_same_people_and_computers_play_another_game(subtests: pytest.Subtests, live: Live) -> None:
    cases: list[tuple[Variant, tuple[bool, ...], dict[str, str]]] = [
        (Variant.FIVE_CARD, (True,), {}),
        (Variant.THREE_HANDED, (True, False), {"target": "61"}),
        (Variant.PARTNERS, (False, True, False), {"target": "61"}),
        (
            Variant.PARTNERS,
            (True, False, True),
            {"target": "61", "partners_by_draw": "yes", "next_dealer": "draw"},
        ),
        (Variant.FOUR_HANDED, (True, True, False), {"target": "61"}),
    ]
    for variant, people, chosen in cases:
        with subtests.test(variant=variant, people=people, chosen=chosen):
            rng = random.Random(15)
            with ExitStack() as stack:
                game, everyone = table(live, stack, variant, people, **chosen)
                pages = [stack.enter_context(one.open(game)) for one in everyone]
                play(pages, rng, lambda pages: all(page.view and page.view["won"] for page in pages))
                names = sorted(pages[0].table["names"])
                assert sum(pages[0].match["tally"]) == 1
                # The first press starts the game; later ones are refused and change nothing.
                pages[-1].send("next-game")
                while pages[-1].match["game"] == 1:
                    pages[-1].until("table")
                play(
                    pages,
                    rng,
                    lambda pages: all(page.view["deal"] >= 1 and page.view["played"] for page in pages),
                )
                for page in pages:
                    page.send("lang", "en")
                    page.until("waiting")
                    assert page.match["game"] == 2
                    assert sorted(page.table["names"]) == names
                came = [page.table["names"][page.view["seat"]] for page in pages]
                assert came == ["Host", *(f"Seat {seat}" for seat, one in enumerate(people, 1) if one)]


def test_new_game_page_names_the_partner(live: Live, lang: str) -> None:
    with live.person(lang) as host:
        page = host.browser.get("/").text
    field = page.partition('data-opponent="2"')[2].partition("</label>")[0]
    assert f'<small class="partner-mark quiet-text">{text("home.partner", lang)}</small>' in field
    assert page.count("partner-mark") == 1
