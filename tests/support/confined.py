"""Run a command as the systemd unit would let it run: `python -m tests.support.confined UNIT COMMAND ...`.

No systemd is needed. libseccomp, which apt installs, refuses what the unit refuses:
SystemCallFilter, RestrictAddressFamilies, RestrictNamespaces. system_call_groups.txt
contains the groups of system calls of systemd 252, printed by `systemd-analyze syscall-filter`.
"""

import ctypes
import errno
import os
import socket
import sys
from pathlib import Path

LIBRARY = "libseccomp.so.2"
_GROUPS = Path(__file__).with_name("system_call_groups.txt")
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EQUAL, _MASKED_EQUAL = 4, 7
_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80)
"""CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID, -NET, -TIME."""
_FAMILIES = 64
"""More than there are."""


class _Compare(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def is_possible() -> bool:
    """Return whether this system has seccomp, and the library for it."""
    try:
        return sys.platform == "linux" and bool(ctypes.CDLL(LIBRARY))
    except OSError:
        return False


def direct() -> dict[str, set[str]]:
    """Return what each group names: system calls and other groups."""
    lines = [line.split() for line in _GROUPS.read_text("ascii").splitlines() if not line.startswith("#")]
    return {name: set(words) for name, *words in lines}


def groups() -> dict[str, set[str]]:
    """Return the system calls of each group, groups within it resolved."""
    named = direct()

    def resolved(name: str) -> set[str]:
        if not name.startswith("@"):
            return {name}
        return {one for word in named[name] for one in resolved(word)}

    return {name: resolved(name) for name in named}


def settings(unit: str) -> dict[str, list[str]]:
    """Return the values of each setting of a unit, in order."""
    found: dict[str, list[str]] = {}
    for line in unit.splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def allowed(unit: str) -> set[str]:
    """Return the system calls that the unit's SystemCallFilter lines let by, as systemd reads them."""
    known = groups()
    calls: set[str] | None = None
    for value in settings(unit)["SystemCallFilter"]:
        words = value.removeprefix("~").split()
        named = {one for word in words for one in known.get(word, {word})}
        if calls is None:
            assert not value.startswith("~"), "the unit begins with what it allows"
            # Always allowed, in addition to a list of what is.
            calls = named | known["@default"]
        elif value.startswith("~"):
            calls -= named
        else:
            calls |= named
    assert calls is not None
    return calls


class _Filter:
    """One seccomp filter, loaded into this process and all that it starts."""

    def __init__(self, library: ctypes.CDLL, default: int) -> None:
        self._library = library
        self._context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(default)))

    def add(self, action: int, call: str, compare: _Compare | None = None) -> None:
        """Add what becomes of a system call, where this machine has it."""
        number = self._library.seccomp_syscall_resolve_name(call.encode())
        if number < 0:
            return
        several = (_Compare * 1)(*(() if compare is None else (compare,)))
        done = self._library.seccomp_rule_add_array(
            self._context, ctypes.c_uint32(action), number, int(compare is not None), several
        )
        if done:
            raise OSError(-done, f"seccomp: {call}")

    def load(self) -> None:
        """Have it hold from now on."""
        if done := self._library.seccomp_load(self._context):
            raise OSError(-done, "seccomp")


def confine(unit: str) -> None:
    """Refuse from now on what the unit refuses; OSError where this system has no seccomp."""
    lines = settings(unit)
    assert "MemoryDenyWriteExecute" not in lines, "kernels are compiled into memory"
    assert lines["SystemCallErrorNumber"] == ["EPERM"]
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p

    calls = _Filter(library, _ERRNO | errno.EPERM)
    for call in sorted(allowed(unit)):
        calls.add(_ALLOW, call)

    families = {
        int(getattr(socket, name)) for line in lines["RestrictAddressFamilies"] for name in line.split()
    }
    rest = _Filter(library, _ALLOW)
    for family in set(range(_FAMILIES)) - families:
        rest.add(_ERRNO | errno.EAFNOSUPPORT, "socket", _Compare(0, _EQUAL, family, 0))
    assert lines["RestrictNamespaces"] == ["yes"]
    for flag in _NAMESPACES:
        for call in ("clone", "unshare"):
            rest.add(_ERRNO | errno.EPERM, call, _Compare(0, _MASKED_EQUAL, flag, flag))
    rest.add(_ERRNO | errno.EPERM, "setns")
    # Its flags are in memory, so systemd makes callers use clone instead.
    rest.add(_ERRNO | errno.ENOSYS, "clone3")

    rest.load()
    calls.load()


if __name__ == "__main__":
    confine(Path(sys.argv[1]).read_text("utf-8"))
    os.execv(sys.argv[2], sys.argv[2:])
