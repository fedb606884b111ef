"""A server that runs alone: nothing happens in other processes."""

from fifteentwo.server.peers import Peers


def test_without_other_processes_nothing_was_missed_and_no_page_is_open_elsewhere() -> None:
    alone = Peers()
    assert alone.missed("a" * 16) == 0
    assert alone.presence("a" * 16) == {}
    assert len(alone.leases) == 0
