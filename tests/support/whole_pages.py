"""What every page has."""

import re

import httpx

from fifteentwo.server.app import SECURITY_HEADERS

JAPANESE = re.compile(r"[ぁ-んァ-ヶ]")


def is_a_page(answer: httpx.Response, lang: str) -> None:
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == lang
    assert f'<html lang="{lang}"' in answer.text
    assert 'href="/"' in answer.text, "the way back"
    assert "Traceback" not in answer.text
    assert "refusal." not in answer.text
    if lang == "ja":
        assert JAPANESE.search(answer.text.partition("<main")[2])
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
