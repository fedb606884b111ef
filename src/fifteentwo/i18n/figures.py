"""What stands beside figures: the sign for per cent, and by which engine they were worked out."""

from fifteentwo.i18n.catalogue import text


def percent(share: float, places: int, lang: str) -> str:
    """A share of 1 as it is read.

    >>> percent(0.591, 1, "en"), percent(0.591, 1, "ja")
    ('59.1 %', '59.1%')
    """
    return text("report.percent", lang, number=f"{100 * share:.{places}f}")


def engine_line(engine: str, lang: str) -> str:
    """The foot line of a report that comes out otherwise by the other engine, "compiled" or "plain"."""
    return text(f"report.engine.{engine}", lang)
