"""Who has which table open in other processes, by their last notifications."""

from collections.abc import Callable, Iterator, Mapping

FORGOTTEN = 12.0
"""Seconds after which a process's notification of a table expires; it is repeated every five."""

Looking = dict[int, bool]
"""People by number, and whether their pages take part in the dealing."""


class Presence:
    """The notifications of other processes, by table."""

    def __init__(self) -> None:
        self._of: dict[str, dict[str, tuple[float, Looking]]] = {}

    def at(self, name: str) -> Looking:
        """Return who has a table open in other processes."""
        now: Looking = {}
        for _, looking in self._of.get(name, {}).values():
            for number, takes_part in looking.items():
                now[number] = now.get(number, False) or takes_part
        return now

    def note(self, worker: str, name: str, looking: Looking, now: float) -> bool:
        """Note a notification at a time (seconds); return whether it is the process's first of this table."""
        workers = self._of.setdefault(name, {})
        is_new = bool(looking) and worker not in workers
        if looking:
            workers[worker] = (now, looking)
        else:
            workers.pop(worker, None)
        if not workers:
            del self._of[name]
        return is_new

    def forget(self, worker: str) -> list[str]:
        """Forget a process that has ended; return its tables."""
        return list(self._drop(lambda one, _: one == worker))

    def expire(self, now: float) -> list[str]:
        """Drop old notifications; return their tables."""
        return list(self._drop(lambda _, at: now - at > FORGOTTEN))

    def renew(self, now: float) -> None:
        """Take all notifications as new: none could arrive for a while."""
        for workers in self._of.values():
            workers.update({worker: (now, looking) for worker, (_, looking) in workers.items()})

    def _drop(self, is_over: Callable[[str, float], bool]) -> Iterator[str]:
        for name, workers in list(self._of.items()):
            over = [worker for worker, (at, _) in workers.items() if is_over(worker, at)]
            for worker in over:
                del workers[worker]
            if not workers:
                del self._of[name]
            if over:
                yield name


def looking_text(name: str, looking: Mapping[int, bool]) -> str:
    """Return the text that notifies other processes.

    >>> looking_text("abc", {0: False, 2: True})
    'abc:0,2+'
    """
    people = [f"{number}+" if takes_part else f"{number}" for number, takes_part in sorted(looking.items())]
    return f"{name}:{','.join(people)}"


def looking_read(text: str) -> tuple[str, Looking]:
    """Return a notification as its text has it; ValueError where it has none.

    >>> looking_read("abc:0,2+")
    ('abc', {0: False, 2: True})
    """
    name, people = text.split(":")
    return name, {int(one.removesuffix("+")): one.endswith("+") for one in filter(None, people.split(","))}
