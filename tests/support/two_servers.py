"""Two servers on one PostgreSQL, and two people at one table."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from tests.support.live_server import Live, Page, serving


@contextmanager
def two(cluster: str) -> Iterator[tuple[Live, Live]]:
    """Two servers of their own, each with its loop, on one database."""
    with serving(cluster) as here, serving(cluster) as there:
        yield here, there


def invitation(page: Page) -> str:
    return str(page.table["invitations"][0]["path"])


@contextmanager
def two_people(here: Live, there: Live, **fields: str) -> Iterator[tuple[str, Page, Page]]:
    """Aiko at a table through one process, Ken sitting down at it through the other."""
    with ExitStack() as stack:
        aiko, ken = stack.enter_context(here.person()), stack.enter_context(there.person())
        game = aiko.new_game(**{"level_1": "person", "target": "61", **fields})
        page = stack.enter_context(aiko.open(game))
        page.until("table")
        ken.sit(invitation(page), "Ken")
        other = stack.enter_context(ken.open(game))
        other.until("waiting")
        yield game, page, other


def heard_until(page: Page, condition: Callable[[], object]) -> None:
    """Listen until it holds."""
    while not condition():
        page.hear()
