"""The page's wire types equal the server's records, and every message has these types."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect as shape

from fifteentwo.rules.record import from_json
from fifteentwo.server.live import socket
from fifteentwo.server.live.wire import PROTOCOL, ServerMessage
from tests.support.live_server import Live, Page, Person, plain, serving
from tests.web.wire_types import FILE, Written, wire_types


def test_the_type_file_is_up_to_date() -> None:
    written = FILE.read_text(encoding="utf-8")
    assert written == wire_types(), "the wire has changed: `python -m tests.web.wire_types`"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Run a server without a rate limit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "PAGE_MESSAGES_PER_SECOND", 1e6)
        with serving(tmp_path_factory.mktemp("wire") / "games.sqlite3") as server:
            yield server


def test_every_message_matches_its_type_exactly(subtests: pytest.Subtests, live: Live) -> None:
    cases: list[tuple[str, dict[str, str]]] = [
        ("six-card", {"target": "61"}),
        ("three-handed", {"target": "61", "first_dealer": "named", "level_2": "person"}),
        ("partners", {"partners_by_draw": "yes", "counting": "claimed", "muggins": "missed", "target": "61"}),
    ]
    for variant, options in cases:
        with subtests.test(variant=variant, options=options):
            with Person(live) as person, Person(live) as guest:
                game = person.new_game(variant, **options)
                page = person.open(game)
                with page:
                    _talk(page, game, guest, options)
            kinds = set()
            for text in page.heard:
                message: object = from_json(text, ServerMessage)  # type: ignore[arg-type]
                assert plain(message) == json.loads(text)
                kinds.add(json.loads(text)["t"])
            assert kinds == {"table", "event", "view", "waiting", "people", "dealing", "refused"}


def _talk(page: Page, game: str, guest: Person, options: dict[str, str]) -> None:
    page.send("act", {"type": "Go", "seat": 0})
    page.until("refused")
    if options.get("level_2") == "person":
        guest.sit(page.table["invitations"][0]["path"])
        with guest.open(game) as other:
            other.until("waiting")
        page.until("table")
        page.act({"type": "NameDealer", "dealer": 1})
    else:
        page.send("lang", "ja")
        page.until("table")
        page.until("waiting")
        page.play_out(random.Random(15))


def test_two_records_of_one_name_are_refused() -> None:
    written = Written()
    for fields in ([("a", int)], [("a", str)]):
        record = shape.type_info(msgspec.defstruct("Twice", fields))
        if fields == [("a", int)]:
            assert written.spelled(record) == "Twice"
        else:
            with pytest.raises(TypeError, match="Twice"):
                written.spelled(record)


def test_a_python_type_without_a_wire_type_is_refused(subtests: pytest.Subtests) -> None:
    for foreign in [Path, bytes, dict[str, int]]:
        with subtests.test(foreign=foreign), pytest.raises(TypeError, match="no type of the wire"):
            Written().spelled(shape.type_info(foreign))


def test_pages_ask_for_the_protocol_of_the_server() -> None:
    script = (FILE.parents[1] / "static" / "play" / "socket.js").read_text(encoding="utf-8")
    assert f'const PROTOCOL = "{PROTOCOL}";' in script
