"""Records of the log."""

import logging


def record(message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord("fifteentwo.server", logging.WARNING, __file__, 1, message, args, None)
