"""Answer the lessons and play a first game to 31, by clicks or by keys."""

from collections.abc import Callable, Iterator

from playwright.sync_api import expect

from fifteentwo.i18n import text
from fifteentwo.rules.cards import Card
from fifteentwo.server.study.lessons import Page as Shown
from fifteentwo.server.study.lessons import Screen, lesson_screens
from tests.support.playing import ASKED, Player

# The page itself names the first dealer.
_ASKED_OR_OVER = f"""() => {{
  if (document.querySelector('#first-over')) return 'first-over';
  if (document.querySelector('#buttons [data-action="note"]')) return 'note';
  if (document.querySelector('#buttons [data-action="go-on"]')) return 'coach';
  const asked = ({ASKED})();
  return asked === 'name-dealer' ? null : asked;
}}"""

# Another note may follow at once.
_NOTE_READ = """(words) => {
  const note = document.querySelector("#first-note");
  return note.innerText !== words || !document.querySelector('#buttons [data-action="note"]');
}"""

_DONE = "() => parseFloat(document.querySelector('#progress').style.getPropertyValue('--done'))"


def begin(player: Player, speed: str = "instant", at: str = "") -> None:
    """Open the lessons, or one of their steps."""
    player.page.goto(f"/learn?lang={player.lang}")
    if at:
        player.page.evaluate("(kept) => localStorage.setItem('fifteentwo.learn', kept)", f'{{"at": "{at}"}}')
        player.page.reload()
    player.page.evaluate(
        "(likes) => localStorage.setItem('fifteentwo.settings', likes)", f'{{"speed": "{speed}"}}'
    )
    player.page.wait_for_selector("#learn[data-ready]")


def lessons(player: Player, *, keys: bool) -> Iterator[Screen]:
    """Read and answer every screen, yielding each before its answer, and begin the first game."""
    page = player.page
    *questions, last = lesson_screens(player.lang)
    if keys:
        # A page that was just opened has no focus.
        page.locator("#next").focus()
    for number, screen in enumerate(questions):
        expect(page.locator("#learn")).to_have_attribute("data-at", str(number))
        read(player, screen, keys=keys)
        yield screen
        do_right(player, screen, keys=keys)
        leave(player, screen, keys=keys)
    answer_again(player, keys=keys)
    yield last
    if keys:
        player.at("#begin")
        player.key("Enter")
    else:
        page.click("#begin")
    page.wait_for_selector("#table")


def answer_again(player: Player, *, keys: bool) -> list[str]:
    """Answer the questions that are asked again, and return the names of their steps."""
    asked, by_name = list[str](), {screen.id: screen for screen in lesson_screens(player.lang)}
    learn = player.page.locator("#learn")
    while (name := learn.get_attribute("data-screen") or "") != "start":
        expect(player.page.locator("#text")).to_have_text(by_name[name].text)
        expect(player.page.locator("#at")).to_have_text(
            text("learn.at", player.lang, n=len(by_name) - 1, of=len(by_name))
        )
        do_right(player, by_name[name], keys=keys)
        _next(player, keys=keys)
        asked.append(name)
    return asked


def read(player: Player, screen: Screen, *, keys: bool = False) -> None:
    """Turn the pages before the question of a screen."""
    for number, shown in enumerate(screen.before):
        expect(player.page.locator("#text")).to_have_text(shown.words)
        _next(player, keys=keys)
        expect(player.page.locator("#learn")).to_have_attribute("data-page", str(number + 1))


def leave(player: Player, screen: Screen, *, keys: bool = False) -> None:
    """Turn the pages after the answer of a screen, and go to the next screen."""
    _next(player, keys=keys)
    for shown in screen.after:
        expect(player.page.locator("#text")).to_have_text(shown.words)
        count_hand(player, shown, keys=keys)
        _next(player, keys=keys)


def count_hand(player: Player, shown: Shown, *, keys: bool = False) -> None:
    """Tap the cards of each score of a page, in the order in which the page asks for them."""
    total, offered = 0, in_hand(shown)
    if shown.scores:
        player.page.wait_for_selector(".learn-found", state="attached")
    for score in shown.scores:
        expect(player.page.locator("#text")).to_have_text(score.ask)
        for card in score.cards:
            if keys:
                player.key(str(offered.index(card) + 1))
            else:
                player.page.click(f'#hand [data-card="{card.text}"]')
        total += score.points
        expect(player.page.locator("#count")).to_have_text(str(total))


def in_hand(shown: Shown) -> list[Card]:
    """Return the cards of a hand that the learner counts, from left to right."""
    return sorted((*shown.shown, *filter(None, [shown.starter])), key=lambda card: card.rank)


def _next(player: Player, *, keys: bool) -> None:
    """Press "Next", which moves the bar of the progress each time."""
    expect(player.page.locator("#next")).to_be_enabled()
    before = player.page.evaluate(_DONE)
    if keys:
        player.at("#next")
        player.key("Enter")
    else:
        player.page.click("#next")
    assert player.page.evaluate(_DONE) > before


def do_right(player: Player, screen: Screen, *, keys: bool) -> None:
    """Give the right answer to a screen."""
    page = player.page
    answer(player, screen, right_answer(screen), keys=keys)
    if not screen.discards:
        return
    if keys:
        player.at("#discard")
        player.key("Enter")
    else:
        page.click("#discard")


def right_answer(screen: Screen) -> tuple[str, ...]:
    """Return the cards or choices of the right answer."""
    return screen.right or tuple(card.text for card in screen.accept[0])


def answer(player: Player, screen: Screen, chosen: tuple[str, ...], *, keys: bool) -> None:
    """Lower the other cards that are raised, and choose cards or choices, by clicks or keys."""
    offered = [*(card.text for card in screen.cards), *screen.choices]
    raised: list[str] = player.page.locator('#hand [aria-pressed="true"]').evaluate_all(
        "(all) => all.map((one) => one.dataset.card)"
    )
    others = [one for one in raised if one not in chosen]
    for one in [*others, *(one for one in chosen if one not in raised)]:
        if keys:
            player.key(str(offered.index(one) + 1))
        else:
            player.page.click(f'#hand [data-card="{one}"]')


def first_game(
    player: Player,
    *,
    keys: bool,
    most: int = 200,
    until: str = "first-over",
    on_note: Callable[[], None] = lambda: None,
) -> Iterator[str]:
    """Play until a player has reached 31, or `until` is asked; yield each question before its answer.

    on_note: called before each note is put away.
    """
    for _ in range(most):
        asked: str = player.page.wait_for_function(_ASKED_OR_OVER, polling=16).json_value()
        if asked == "note":
            on_note()
            words = player.page.locator("#first-note").inner_text()
            player.page.click('#buttons [data-action="note"]')
            player.page.wait_for_function(_NOTE_READ, arg=words)
            continue
        if asked == "coach":
            player.page.click('#buttons [data-action="go-on"]')
            player.page.wait_for_selector('#buttons [data-action="go-on"]', state="detached")
            continue
        yield asked
        if asked == until:
            return
        (player.press if keys else player.click)(asked)
        player.answered(asked)
    raise AssertionError(f"no player reached 31 after {most} answers")
