"""Who is at a table in other processes, and how long that holds; where several processes may serve."""

import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fifteentwo.server.cluster import peers
from fifteentwo.server.cluster.pg_listen import TABLES
from fifteentwo.server.cluster.presence import Presence, looking_read, looking_text
from fifteentwo.server.errors import ServerError
from fifteentwo.server.serving import check_can_share, serve
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.store import Store


def test_presence_holds_as_long_as_it_is_said_again() -> None:
    presence = Presence()
    assert presence.note("a", "game", {0: False}, 0.0)
    assert presence.note("b", "game", {0: True, 2: False}, 1.0)
    assert not presence.note("b", "game", {0: True, 2: False}, 8.0)
    assert presence.at("game") == {0: True, 2: False}
    assert presence.expire(13.0) == ["game"]
    assert presence.at("game") == {0: True, 2: False}
    assert presence.forget("b") == ["game"]
    assert presence.at("game") == {}
    assert not presence.note("c", "game", {}, 14.0)


def test_while_the_database_is_away_no_person_of_another_process_is_taken_to_have_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person who counts as away is charged for it; here it is this process that receives nothing."""
    now = [1000.0]
    monkeypatch.setattr(peers, "time", SimpleNamespace(monotonic=lambda: now[0]))
    store, tables = SimpleNamespace(notify=lambda _: None), SimpleNamespace(links=dict, link=lambda _: None)
    one = peers.PostgresPeers(cast("Store", store), cast("Any", tables))
    monkeypatch.setattr(one, "publish", lambda *_: None)

    def hear(text: str) -> None:
        one._received(TABLES, text)

    def later(seconds: float) -> dict[int, bool]:
        now[0] += seconds
        one._forget_silent(now[0])
        return dict(one.presence("game"))

    hear("other looking game:0+")
    assert later(60) == {0: True}
    one._listening_began()
    hear(f"{one.leases.worker} looking")
    assert later(5) == {0: True}, "the other has as long as ever to send it again"
    hear(f"{one.leases.worker} looking")
    assert later(8) == {}, "a process that is silent while others are not has gone"


def test_who_looks_is_said_and_read() -> None:
    rng = random.Random(4)
    for _ in range(200):
        looking = {number: rng.random() < 0.5 for number in range(4) if rng.random() < 0.5}
        assert looking_read(looking_text("AAAAAAAAAAAAAAAA", looking)) == ("AAAAAAAAAAAAAAAA", looking)
    for text in ("", "game", "game:x", "game:1,,x", "a:b:c"):
        with pytest.raises(ValueError, match=r"unpack|invalid literal"):
            looking_read(text)


def test_a_long_list_is_said_in_several_notifications() -> None:
    words = [f"{number:016}:0" for number in range(2000)]
    texts = list(peers._texts("worker looking", words))
    assert all(len(text) < 8000 for text in texts)
    assert [word for text in texts for word in text.split(" ")[2:]] == words
    assert list(peers._texts("worker bye", [])) == ["worker bye"]


def test_several_processes_on_a_sqlite_file_are_refused() -> None:
    with pytest.raises(ServerError) as error:
        check_can_share("games.sqlite3", 4)
    assert error.value.code == "one-process-only"
    assert error.value.values == {"workers": 4}


def test_ports_of_several_processes_are_refused_for_one() -> None:
    with pytest.raises(ServerError) as error:
        serve(settings=Settings(worker_ports=9000), port=0)
    assert error.value.code == "worker-ports-alone"
