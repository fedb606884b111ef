"""Tables at which pages take part in the dealing."""

import random

from fifteentwo.server.table_log.dealing import commitment_to
from tests.dealing.games import seed_of
from tests.support.live_server import Page, Person


def revealing(page: Page) -> None:
    while page.dealing.get("stage") != "revealing":
        page.hear()


def dealing(page: Page) -> None:
    while page.dealing.get("stage") != "dealing":
        page.hear()


def joined(person: Person, game: str, name: str) -> Page:
    return person.open(game, commitment=commitment_to(seed_of(name)))


def play_on(page: Page, rng: random.Random, actions: int) -> None:
    for _ in range(actions):
        page.settle()
        if page.view["won"]:
            return
        page.send("act", rng.choice(page.choices))
        page.choices = []
        while page.hear()["t"] not in ("waiting", "refused"):
            pass


def whole_game(page: Page, seed: int) -> None:
    play_on(page, random.Random(seed), 5000)
    assert page.view["won"]
    while len(page.dealing["deals"]) < 1 + page.view["deal"]:
        page.hear()
