"""The number of open pages at tables, which is limited for each person and address block."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from fifteentwo.server.errors import Refused
from fifteentwo.server.http.rate_limits import block_of

MAX_PAGES_OF_A_PERSON = 64
MAX_PAGES_OF_AN_ADDRESS = 512


class OpenPages:
    """The number of open pages at tables, by person and by address block."""

    def __init__(self) -> None:
        self._by_key: Counter[str] = Counter()

    @property
    def number(self) -> int:
        """The number of all open pages."""
        return self._by_key["all"]

    @contextmanager
    def count_while_open(self, connection: HTTPConnection, person: str) -> Iterator[None]:
        """Count a page while it is open. Raise Refused if its person or address block has too many."""
        block = block_of(connection)
        crowded = block and self._by_key[f"at {block}"] >= MAX_PAGES_OF_AN_ADDRESS
        if crowded or self._by_key[f"of {person}"] >= MAX_PAGES_OF_A_PERSON:
            raise Refused("too-many-pages", status=429)
        keys = "all", f"of {person}", f"at {block}"
        self._by_key.update(keys)
        try:
            yield
        finally:
            self._by_key.subtract(keys)
            for key in keys:
                if not self._by_key[key]:
                    del self._by_key[key]
