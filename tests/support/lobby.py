"""Tables shown in the lobby."""

import re

import msgspec

from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages import site
from tests.support.live_server import Person


def shown(person: Person, number: int = 1) -> list[str]:
    """Return the names under which a person sees tables in the lobby."""
    return re.findall(r'data-table="([^"]+)"', person.browser.get(f"/lobby?page={number}").text)


def listed(host: Person, variant: str = "six-card", **fields: str) -> str:
    return host.new_game(variant, **{"level_1": "person", "listed": "yes", **fields})


async def new_table(tables: Tables, owner: str) -> str:
    rules, options, people = site.read_table_form({"variant": "six-card", "level_1": "person", "name": owner})
    return await tables.create(rules, options, (msgspec.structs.replace(people[0], owner=owner), *people[1:]))
