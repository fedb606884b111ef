"""Passphrases: hashed by Argon2id in two threads, one of which is for known browsers alone."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from fifteentwo.server.work_queue import WorkQueue

MAX_JOBS = 64
"""Hashes that are computed or wait: 19 MiB each while they are computed."""

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
    """Hashes and compares passphrases."""

    def __init__(self) -> None:
        self._known = WorkQueue("passphrase", max_jobs=MAX_JOBS)
        self._others = WorkQueue("passphrase", max_jobs=MAX_JOBS)

    async def hashed(self, passphrase: str, block: str | None = None) -> str:
        """Return the hash of a passphrase; Refused if too many are being computed.

        block: the address block of the client; None for a browser that has signed in to the account, which
        does not wait for the others.
        """
        return await self._queue(block).run(block or "", _hasher.hash, passphrase)

    async def is_right(self, kept: str | None, passphrase: str, block: str | None = None) -> bool:
        """Return whether it is the stored passphrase, after as long if none is stored. block: see above."""
        return await self._queue(block).run(block or "", _is_right, kept, passphrase)

    def _queue(self, block: str | None) -> WorkQueue:
        return self._known if block is None else self._others

    @staticmethod
    def is_of_old(kept: str) -> bool:
        """Return whether it was hashed with less work than now."""
        return _hasher.check_needs_rehash(kept)
