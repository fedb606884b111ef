"""Whether this process may stop to compile loops: a command may, a server, with people waiting, may not."""

_served: list[bool] = []


def never_wait() -> None:
    """From now on what must be compiled is compiled aside; until then players think without it."""
    _served[:] = [True]


def may_wait() -> bool:
    """Whether nobody waits for this process."""
    return not _served
