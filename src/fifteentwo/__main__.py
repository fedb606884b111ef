"""The program: `fifteentwo`, or `python -m fifteentwo`. Ctrl-C ends it without a traceback."""

# Importing `signal` itself would take longer, and until `main` runs Ctrl-C prints a traceback.
import _signal  # type: ignore[import-not-found]
import os


def main() -> None:
    """Run the command line."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        # While modules are imported, Ctrl-C ends the process at once: there is nothing to clean up.
        _signal.signal(_signal.SIGINT, lambda number, _: os._exit(128 + number))
    try:
        from fifteentwo.cli import main as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("fifteentwo"):
            raise
        # The catalogue of sentences may need the missing package, so this line is in English only.
        raise SystemExit(f"fifteentwo: {error.name} is not installed: pip install {error.name}") from None

    run()


if __name__ == "__main__":
    main()
