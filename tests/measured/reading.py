"""The texts of the lessons, screen by screen, and how long reading them takes."""

from fifteentwo.i18n import catalogue
from fifteentwo.i18n.cards import listed
from fifteentwo.i18n.catalogue import text
from fifteentwo.server.study.lessons import Screen, lesson_screens

PACE = {"en": 200, "ja": 400}
"""English words, Japanese characters a minute."""
MOST = {"en": 40, "ja": 90}
"""Words or characters of a screen."""


def size(words: str, lang: str) -> int:
    """Return the number of English words, or of Japanese characters with punctuation."""
    return len(words.split()) if lang == "en" else len("".join(words.split()))


def on_screen(screen: Screen, lang: str) -> str:
    """Return all texts of a screen of the lessons: its title, its task, and the result."""
    texts = [text(f"learn.{part}.{screen.id}", lang) for part in ("title", "text")]
    if screen.discards:
        best, worst = screen.discards[0], screen.discards[-1]
        figures = {name: f"{getattr(worst, name):.1f}" for name in ("hand", "crib", "net")}
        texts.append(text(f"learn.weighed.{screen.id}", lang, kept=worst.kept, **figures))
        ranks = listed([card.text[0].replace("T", "10") for card in best.cards], lang)
        texts.append(text("learn.better", lang, cards=ranks, net=f"{best.net:.1f}"))
    elif screen.counted:
        texts += [text("list.comma", lang).join(one.words for one in screen.counted)]
    elif screen.cards:
        texts.append(text(f"learn.done.{screen.id}", lang))
    return " ".join(texts)


def at_the_end(lang: str) -> str:
    """Return the longest text when a player reaches 31."""
    name, number = text("learn.opponent", lang), {"n": 12, "own": 10, "other": 10}
    words = catalogue(lang)

    def longest(beginning: str) -> str:
        found = [key for key in words if key.startswith(beginning)]
        return max((text(key, lang, name=name, **number) for key in found), key=lambda one: size(one, lang))

    numbers = [text(f"first.number.{what}", lang) for what in ("play", "hands", "cribs")]
    return " ".join(
        [text("first.over-other", lang, name=name), *numbers, longest("first.praise."), longest("first.tip.")]
    )


def all_screens(lang: str) -> dict[str, str]:
    """Return the texts of every screen and of the end by name."""
    return {screen.id: on_screen(screen, lang) for screen in lesson_screens(lang)} | {"end": at_the_end(lang)}
