"""Passphrases: hashed by Argon2id in threads, a few at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from fifteentwo.server.errors import ServerError

T = TypeVar("T")

AT_ONCE, MOST_WAITING = 2, 64
"""Hashes worked out side by side, 19 MiB each, and how many may wait for theirs."""
FOR_A_NAME = 10, 1 / 60
"""Wrong tries at one name from one address: so many at once, and so many more a second."""
FROM_EVERYWHERE = 100, 1 / 10
"""Wrong tries at one name from all addresses: so one alone does not keep its owner out."""
FROM_AN_ADDRESS = 30, 1 / 10
"""Tries of any kind from one address: a family or a club sits behind one."""

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Argon2id as OWASP's cheat sheet on storing passwords has it: 19 MiB, twice through, one lane."""


@cache
def _hash_of_none() -> str:
    """Return a hash that no account has: a username without an account is compared with it."""
    return _hasher.hash("no one's")


def _is_right(kept: str | None, passphrase: str) -> bool:
    try:
        _hasher.verify(_hash_of_none() if kept is None else kept, passphrase)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


class Passphrases:
    """Hashes and compares, in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passphrase")
        self._waiting = 0

    async def hashed(self, passphrase: str) -> str:
        """Return the hash of a passphrase."""
        return await self._worked_out(lambda: _hasher.hash(passphrase))

    async def is_right(self, kept: str | None, passphrase: str) -> bool:
        """Return whether it is the stored passphrase; as much work where there is none."""
        return await self._worked_out(lambda: _is_right(kept, passphrase))

    @staticmethod
    def is_of_old(kept: str) -> bool:
        """Whether it was hashed with less work than now."""
        return _hasher.check_needs_rehash(kept)

    async def _worked_out(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise ServerError("too-busy")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1
