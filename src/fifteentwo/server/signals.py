"""Signals: an object publishes that something has happened, and its subscribers are called."""

from collections.abc import Callable
from typing import Generic, ParamSpec
from weakref import WeakMethod

P = ParamSpec("P")


class Signal(Generic[P]):
    """Calls methods in the order in which they subscribed.

    It refers to them weakly, as Django's signals do: what subscribes lives as long as its owner keeps it, and
    a table leaves memory at once, without a cycle for the garbage collector.
    """

    def __init__(self) -> None:
        self._methods: list[tuple[WeakMethod[Callable[..., object]], bool]] = []

    def subscribe(self, method: Callable[P, object]) -> None:
        """Have a bound method called whenever this signal is sent."""
        self._methods.append((WeakMethod(method), True))

    def triggers(self, method: Callable[[], object]) -> None:
        """Have a bound method called whenever this signal is sent, without what is sent."""
        self._methods.append((WeakMethod(method), False))

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every subscriber that is still there."""
        for weak, takes_arguments in self._methods:
            if (method := weak()) is None:
                continue
            if takes_arguments:
                method(*args, **kwargs)
            else:
                method()
