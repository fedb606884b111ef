"""Accounts created and used over HTTP."""

import random
import re
import time
from typing import Any

import httpx
import msgspec

from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages import site
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


def next_of(person: Person) -> dict[str, Any]:
    """Return the due mistakes once every game is reviewed."""
    for _ in range(600):
        response: dict[str, Any] = person.browser.get("/practice/errors/next.json").json()
        if not response["waiting"]:
            return response
        time.sleep(0.1)
    raise AssertionError("still reviewing")


def shown(person: Person, number: int = 1) -> list[str]:
    """Return the names under which a person sees tables in the lobby."""
    return re.findall(r'data-table="([^"]+)"', person.browser.get(f"/lobby?page={number}").text)


def listed(host: Person, variant: str = "six-card", **fields: str) -> str:
    return host.new_game(variant, **{"level_1": "person", "listed": "yes", **fields})


async def new_table(tables: Tables, owner: str) -> str:
    rules, options, people = site.read_table_form({"variant": "six-card", "level_1": "person", "name": owner})
    return await tables.create(rules, options, (msgspec.structs.replace(people[0], owner=owner), *people[1:]))
