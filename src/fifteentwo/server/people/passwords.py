"""Passphrases: hashed by Argon2id beside the event loop, a few at a time, and tried only so often."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.web_edge.sessions import Allowance

T = TypeVar("T")

AT_ONCE, MOST_WAITING = 2, 64
"""Hashes worked out side by side, 19 MiB each, and how many may wait for theirs."""
FOR_A_NAME = 10, 1 / 60
"""Wrong tries at one name from one address: so many at once, and so many more a second."""
FROM_EVERYWHERE = 100, 1 / 10
"""Wrong tries at one name from all addresses: so one alone does not keep its owner out."""
FROM_AN_ADDRESS = 30, 1 / 10
"""Tries of any kind from one address: a family or a club sits behind one."""
MOST_REMEMBERED = 10_000

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Argon2id as OWASP's cheat sheet on storing passwords has it: 19 MiB, twice through, one lane."""


@cache
def _nobodys() -> str:
    """A hash that no passphrase of anybody's has: what a name that is not kept is tried against."""
    return _hasher.hash("nobody's")


def _is_right(kept: str | None, passphrase: str) -> bool:
    try:
        _hasher.verify(_nobodys() if kept is None else kept, passphrase)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


class Passphrases:
    """Hashes and compares, in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passphrase")
        self._waiting = 0

    async def hashed(self, passphrase: str) -> str:
        """What is kept of a passphrase."""
        return await self._worked_out(lambda: _hasher.hash(passphrase))

    async def is_right(self, kept: str | None, passphrase: str) -> bool:
        """Whether it is the passphrase that was kept; as much work where nothing was."""
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


class Tries:
    """How often something may still be tried, by who or what it is; the longest untouched are forgotten."""

    def __init__(self, at_once: int, a_second: float) -> None:
        self._limit = at_once, a_second
        self._left: OrderedDict[str, Allowance] = OrderedDict()

    def spend(self, key: str) -> None:
        """Count one try before it is made; Refused where there were too many."""
        allowance = self._left.pop(key, None) or Allowance(*self._limit)
        self._left[key] = allowance
        while len(self._left) > MOST_REMEMBERED:
            self._left.popitem(last=False)
        if not allowance.spend(time.monotonic()):
            raise Refused("too-many-tries", status=429)

    def forget(self, key: str) -> None:
        """A try that was right: those before it count no more."""
        self._left.pop(key, None)


def neighbourhood(address: str) -> str:
    """Whom an address may stand for: of version 6 a household has 2⁶⁴."""
    try:
        told = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(told, IPv6Address):
        return str(told.ipv4_mapped or IPv6Address(int(told) >> 64 << 64))
    return str(told)
