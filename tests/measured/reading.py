"""The texts of the lessons, screen by screen, and how long reading them takes."""

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
    """Return all texts of a screen of the lessons: its title, its task, and the longest result."""
    done = text("list.comma", lang).join(one.words for one in screen.counted) + screen.done
    judged = [one.why for one in (*screen.good, *screen.wrong)] if screen.discards else []
    return " ".join([screen.title, screen.text, max([done, *judged], key=lambda one: size(one, lang))])


def at_the_end(lang: str) -> str:
    """Return the longest text when a player reaches 31."""
    return " ".join(
        [text("first.over-other", lang, name=text("learn.opponent", lang)), text("first.story", lang)]
    )


def all_screens(lang: str) -> dict[str, str]:
    """Return the texts of every screen and of the end by name."""
    return {screen.id: on_screen(screen, lang) for screen in lesson_screens(lang)} | {"end": at_the_end(lang)}
