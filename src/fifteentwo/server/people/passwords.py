"""Passphrases: hashed by Argon2id in two threads, one of which is reserved for known browsers."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from fifteentwo.server.work_queue import WorkQueue

MAX_JOBS = 64
"""Limit on hashes that are computed or wait. Computing one takes 19 MiB."""

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane."""


@cache
def _dummy_hash() -> str:
    """Return a hash for names without an account, so that a wrong name takes as long as a right one."""
    return _hasher.hash("no one's")


def _verify_passphrase(stored_hash: str | None, passphrase: str) -> bool:
    try:
        _hasher.verify(_dummy_hash() if stored_hash is None else stored_hash, passphrase)
    except (VerificationError, InvalidHashError):
        return False
    return stored_hash is not None


class PassphraseHasher:
    """Hashes and compares passphrases in threads."""

    def __init__(self) -> None:
        self._known = WorkQueue("passphrase", max_jobs=MAX_JOBS)
        self._others = WorkQueue("passphrase", max_jobs=MAX_JOBS)

    async def compute_hash(self, passphrase: str, block: str | None = None) -> str:
        """Return the hash of a passphrase; raise Refused if too many wait. block: None: a known browser."""
        return await self._queue_for(block).run(block or "", _hasher.hash, passphrase)

    async def is_right(self, stored_hash: str | None, passphrase: str, block: str | None = None) -> bool:
        """Return whether a passphrase matches the stored hash. block: see `compute_hash`."""
        return await self._queue_for(block).run(block or "", _verify_passphrase, stored_hash, passphrase)

    def _queue_for(self, block: str | None) -> WorkQueue:
        """Return the queue of known browsers if `block` is None, otherwise the queue of all others."""
        return self._known if block is None else self._others

    @staticmethod
    def needs_rehash(stored_hash: str) -> bool:
        return _hasher.check_needs_rehash(stored_hash)
