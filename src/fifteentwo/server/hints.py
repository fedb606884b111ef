"""What a page that asks for a hint is told. What works it out is loaded with the first room of hints."""

from fifteentwo import i18n
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View
from fifteentwo.server.wire import Advice


def prepare(rules: Rules) -> None:
    """Load what the first hint would else wait for; about a second, once in a process."""
    from fifteentwo.analysis import hint

    hint.prepare(rules)


def advice(seen: View, lang: str) -> Advice | None:
    """What is best for the seat of this View, and why; None where it has nothing to choose."""
    from fifteentwo.analysis import hint

    found = hint.hint(seen)
    if found is None:
        return None
    report = hint.report(found)
    return Advice(found.cards, i18n.hint_text(report, lang), i18n.hint_worth(report, lang))
