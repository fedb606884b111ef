"""The program: `fifteentwo`, or `python -m fifteentwo`. Ctrl-C ends it from its first line on."""

# What `signal` rests on, without the modules that it loads: until this line Ctrl-C gives a trace.
import _signal  # type: ignore[import-not-found]
import os


def _leave(number: int, _: object) -> None:
    """End the process while its modules are loaded: nothing has begun, and a trace would say nothing."""
    os._exit(128 + number)


def main() -> None:
    """Run the command line."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _leave)
    try:
        from fifteentwo.cli import main as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("fifteentwo"):
            raise
        # Without this package there are no sentences in two languages either.
        raise SystemExit(f"fifteentwo: {error.name} is not installed: pip install {error.name}") from None

    run()


if __name__ == "__main__":
    main()
