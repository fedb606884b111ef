"""What only a page can keep: reading the rules, the pad, the sheets; each by its number."""

import asyncio
import re

import httpx
import pytest

from fifteentwo.i18n.reading import rulebook
from fifteentwo.server.app import make_app

NUMBERS = [f"R{number}" for number in range(1, 126)] + [f"C{number}" for number in range(1, 22)]
in_both = pytest.mark.parametrize("lang", ["en", "ja"])


def page(path: str) -> str:
    """A page as the server writes it, without a database."""

    async def fetch() -> httpx.Response:
        transport = httpx.ASGITransport(app=make_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path)

    answer = asyncio.run(fetch())
    assert answer.status_code == 200, path
    return answer.text


@in_both
def test_every_number_can_be_read_on_the_rules_page(lang: str) -> None:
    told = {number: rule.text for part in rulebook(lang) for rule in part.rules for number in rule.numbers}
    shown = page(f"/rules?lang={lang}")
    assert set(told) == set(NUMBERS)
    for number in NUMBERS:
        assert len(told[number]) > 10, number
        assert re.search(rf'id="{number}"', shown), number
        assert bool(re.search("[ぁ-ん]", told[number])) == (lang == "ja"), number


@in_both
def test_r12_how_long_and_how_old(lang: str) -> None:
    (about,) = [rule.text for part in rulebook(lang) for rule in part.rules if "R12" in rule.numbers]
    assert ("half an hour" if lang == "en" else "30分") in about
    assert ("seventeenth century" if lang == "en" else "17世紀") in about


@in_both
@pytest.mark.parametrize("sides", [2, 3, 4])
def test_r10_a_sheet_for_pencil_and_paper(lang: str, sides: int) -> None:
    shown = page(f"/sheet?lang={lang}&sides={sides}")
    assert shown.count("<i></i>") == 120 * sides
    assert shown.count('class="sheet-side"') == sides


@in_both
def test_r123_the_pad_has_a_pie_undo_and_any_target(lang: str) -> None:
    shown = page(f"/pad?lang={lang}")
    for part in ("pie", "undo", "redo", "target"):
        assert part in shown, part


@in_both
def test_r124_a_summary_of_one_page(lang: str) -> None:
    shown = page(f"/summary?lang={lang}")
    assert "121" in shown
    assert "31" in shown
    assert ("his heels" if lang == "en" else "ヒズ・ヒール") in shown.lower()


@in_both
def test_r84_the_hand_checker_names_the_shape(lang: str) -> None:
    shown = page(f"/check?lang={lang}&hand=3C+3D+4S+4H&starter=5C")
    assert ("quadruple run" if lang == "en" else "クアドラプル") in shown.lower()
