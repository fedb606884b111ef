"""An invitation's address, as those who are invited can reach it, and its picture for a phone's camera."""

import re
import socket as sockets
from functools import lru_cache

_ANYWHERE = ("0.0.0.0", "::", "")
_NOWHERE_NEAR = "192.0.2.1"
"""An address that no machine has (RFC 5737): asking for the way there sends nothing."""
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")


def base_for_others(scheme: str, host: str, bound: str | None) -> str | None:
    """How others begin this table's address; None where only this machine reaches it.

    host: as the page was asked for; bound: what the server listens to, None where that is not known.

    >>> base_for_others("https", "cards.example", None)
    'https://cards.example'
    >>> base_for_others("http", "127.0.0.1:8152", "127.0.0.1") is None
    True
    >>> base_for_others("http", "localhost:8152", "192.168.0.7")
    'http://192.168.0.7:8152'
    """
    if not _HOST.fullmatch(host):
        return None
    name, port = _parts(host)
    if not is_loopback(name):
        return f"{scheme}://{host}"
    if bound is None or is_loopback(bound):
        return None
    reached = own_address() if bound in _ANYWHERE else bound
    if reached is None:
        return None
    return f"{scheme}://{f'[{reached}]' if ':' in reached else reached}{port}"


def _parts(host: str) -> tuple[str, str]:
    """Name and ":port" of a Host header."""
    name = re.sub(r":\d*$", "", host) if host.endswith("]") is False else host
    return name.strip("[]"), host[len(name) :]


def is_loopback(name: str) -> bool:
    """Whether a name means this very machine."""
    return name.lower() in ("localhost", "::1") or name.lower().endswith(".localhost") or name[:4] == "127."


def own_address() -> str | None:
    """This machine's address in the net around it; None where there is no net."""
    try:
        with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as way:
            way.connect((_NOWHERE_NEAR, 9))
            address = str(way.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) else address


@lru_cache(64)
def picture(address: str) -> str:
    """The address as a QR code: an SVG that fills its place, dark on light in any theme."""
    import segno

    code = segno.make_qr(address, error="m")
    return code.svg_inline(omitsize=True, border=4, dark="#14171c", light="#fff", svgclass="qr-code")
