"""The start of the next game of a match over sockets."""

from fifteentwo.server.table_log.dealing import commitment_to
from tests.support.live_server import Person


def test_repeated_commitment_counts_once_and_is_refused_if_it_differs(aiko: Person) -> None:
    seeds = [bytes([number]) * 32 for number in range(3)]
    game = aiko.new_game()
    with aiko.open(game, commitment=commitment_to(seeds[0])) as page:
        page.until("dealing")
        page.send("reveal", seeds[0].hex())
        page.settle()
        page.send("resign", 1)
        while not page.view["won"]:
            page.hear()
        page.send("next-game", commitment_to(seeds[1]))
        page.send("commit", commitment_to(seeds[1]))
        while page.dealing["stage"] != "revealing":
            page.hear()
        page.send("commit", commitment_to(seeds[2]))
        assert page.until("refused")["d"]["code"] == "committed-already"
        page.send("reveal", seeds[1].hex())
        page.settle()
        assert len(page.refused) == 1
