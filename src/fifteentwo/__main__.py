"""The program: `fifteentwo`, or `python -m fifteentwo`. Ctrl-C ends it from its first line on."""

import os
import signal
from types import FrameType


def _leave(number: int, _: FrameType | None) -> None:
    """End the process while its modules are loaded: nothing has begun, and a trace would say nothing."""
    os._exit(128 + number)


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from fifteentwo.cli import main as run

    run()


if __name__ == "__main__":
    main()
