"""Accounts created and used over HTTP."""

import random

import httpx

from fifteentwo.server.people.sign_in_limits import Client
from tests.support.live_server import Person

SECRET = "correct horse battery"
HERE = Client("192.0.2.1")


def keep(person: Person, name: str, passphrase: str = SECRET) -> httpx.Response:
    return person.browser.post("/account/keep", data={"name": name, "passphrase": passphrase})


def sign_in(person: Person, name: str, passphrase: str = SECRET, **more: str) -> httpx.Response:
    data = {"name": name, "passphrase": passphrase, **more}
    return person.browser.post("/account/sign-in", data=data)


def finished_game(person: Person) -> str:
    game = person.new_game("five-card", level_1="random")
    with person.open(game) as page:
        page.until("waiting")
        page.play_out(random.Random(2))
    return game
