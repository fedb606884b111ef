"""The texts of the lessons, screen by screen, and how long reading them takes."""

from fifteentwo.i18n.catalogue import text
from fifteentwo.server.study.lessons import Screen, lesson_screens

PACE = {"en": 200, "ja": 400}
"""English words, Japanese characters a minute."""
MOST = {"en": 40, "ja": 90}
"""Words or characters that are read before the next tap."""
MOST_IN_ALL = {"en": 1093, "ja": 2458}
"""Words or characters that are read in the whole lesson if every answer is right."""


def size(words: str, lang: str) -> int:
    """Return the number of English words, or of Japanese characters with punctuation."""
    return len(words.split()) if lang == "en" else len("".join(words.split()))


def on_screen(screen: Screen, lang: str) -> str:
    """Return the longest text of a screen that is read at once: a page, the question or a result."""
    pages = [page.words for page in (*screen.before, *screen.after)]
    results = [screen.done, *(one.why for one in screen.good)]
    results += [f"{one.why} {tip}" for one in screen.wrong for tip in (screen.hint, screen.better)]
    read = [*(f"{screen.title} {words}" for words in (screen.text, *pages)), *results]
    return max(read, key=lambda one: size(one, lang))


def on_the_way(screen: Screen) -> list[str]:
    """Return all texts of a screen that are read if every answer is right."""
    pages = [*screen.before, *screen.after]
    told = [words for page in pages for words in (page.title, page.words)]
    asked = [ask for page in pages for ask in {one.ask: None for one in page.scores} if ask != page.words]
    said = [f"“{one.label} n”: n + {one.points} = n" for page in pages for one in page.scores]
    return [screen.title, screen.text, screen.done, *screen.labels, *told, *asked, *said]


def at_the_end(lang: str) -> str:
    """Return the longest text when a player reaches 31."""
    return " ".join(
        [text("first.over-other", lang, name=text("learn.opponent", lang)), text("first.story", lang)]
    )


def all_screens(lang: str) -> dict[str, str]:
    """Return the longest text of every screen and of the end by name."""
    return {screen.id: on_screen(screen, lang) for screen in lesson_screens(lang)} | {"end": at_the_end(lang)}
