"""Corrections of both catalogues: old words are gone, and better ones are used."""

import re
import tomllib
from pathlib import Path

import pytest

from fifteentwo.i18n import text
from fifteentwo.i18n.catalogue import catalogue

ROOT = Path(__file__).parents[2]
I18N = ROOT / "src/fifteentwo/i18n"

GONE = {
    "ja": (
        r"クリブには何も渡りません",
        r"この点差では勝率が最も高く",
        r"正解は？",
        r"(1|2|どの)枚?を?捨てますか|これを捨てる|捨てたカード",
        r"(?<!ヒズ・)ヒールズ|ノブス",
        r"31点に着",
        r"同じカードで。$",
        r"カウント\{n\}に$",
        r"戻しを取り消す",
        r"一瞬",
        r"大きな損3つ",
        r"こつ。",
        r"札の巡り",
        r"相手も同じデッキ",
        r"バイスクル",
        r"目先の得点",
        r"数えすぎ",
        r"宣言|言い間違い",
        r"(です|ます|ました)か。",
        r"誰",
        r"ブラウザ(?!ー)",
        r"[〜–]",
        r"……",
        r"配り札",
        r"(?<!最)(?<!改)良い",
        r"最初のページ",
        r"値打ち|打ち間違い",
        r"カードに添える得点|速く、遅く",
        r"どこかとしか言えません",
        r"パソコン",
        r"[ぁ-んァ-ヶ一-龠]-[0-9{]",
        r"[ぁ-んァ-ヶ一-龠。、] [ぁ-んァ-ヶ一-龠]",
    ),
    "en": (
        r"You cuts",
        r"\bpack\b",
        r"dearest",
        r"Looked at now",
        r"The best ones too",
        r"What it came to",
        r"even cards",
        r"Without luck, play like yours",
        r"% of winning",
        r"own less the other",
        r"As good as best",
        r"Nobody has answered",
        r"Choose its points, if any",
        r"Play a card, and it stands",
        r"What is agreed before",
        r"Missed and over",
        r"Another game…",
        r"That did not work",
        r"The first page leads",
        r"Bring in a game",
        r"Keep a name",
        r"Take along the games",
        r"Wins running|defeats running",
        r"yours with a bright rim",
        r"From this deal on without",
    ),
}
"""Words that no sentence contains."""

BETTER = {
    "settings.speed.instant": "瞬時",
    "solved.deal-heels": "ヒズ・ヒール",
    "first.over": "先に31点に達しました",
    "practice.lead": "自分やコンピューターのミスをもとにした問題と、同じカードでの勝負で練習できます。",
    "pad.redo": "進め直す",
    "pad.undone": "「{what}{points}点」を取り消しました。{name}：{score}点。",
    "hint.only-card": "出せるのはこのカードだけです",
    "summary.step.6": "ノンディーラーの手札を数える。",
    "summary.step.7": "ディーラーの手札を数える。",
    "summary.step.8": "クリブを数える（ディーラーの得点）。",
    "level.greedy": "目先重視",
    "home.clock_on_timeout.level": "コンピューター（{level}）が代わる",
    "practice.count.type": "何点ですか？",
    "book.starter-title": "スターターはどのカードですか？",
    "error.home": "ホームに戻る",
    "keys.say_on_card": "カードと一緒に申告する点を選ぶ",
    "keys.speed": "速さを変える",
    "table.to_go": "あと{n}点",
    "waiting_room.link.here": "リンク（この端末専用）",
}


def _book(name: str) -> list[str]:
    """Return every Japanese text of a catalogue."""
    found: list[str] = []

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)
        elif isinstance(value, str) and re.search(r"[ぁ-ん]", value):
            found.append(value)

    walk(tomllib.loads((I18N / name).read_text(encoding="utf-8")))
    return found


def test_corrected_words_do_not_return(subtests: pytest.Subtests) -> None:
    for lang in ("en", "ja"):
        with subtests.test(lang=lang):
            sentences = list(catalogue(lang).values())
            if lang == "ja":
                sentences += [*_book("rules.toml"), *_book("glossary.toml")]
                sentences += (ROOT / "README.ja.md").read_text(encoding="utf-8").splitlines()
            back = {(old, one) for old in GONE[lang] for one in sentences if re.search(old, one)}
            assert back == set()


def test_better_words_are_used(subtests: pytest.Subtests) -> None:
    for key in BETTER:
        with subtests.test(key=key):
            assert catalogue("ja")[key] == BETTER[key]


def test_catalogues_have_the_readings_that_were_missing() -> None:
    glossary, rules = ((I18N / name).read_text(encoding="utf-8") for name in ("glossary.toml", "rules.toml"))
    for term in ("ダブル・ペア・ロイアル", "ストリート", "申告", "定跡", "均衡"):
        assert f'"{term}"' in glossary, term
    assert "2～4組" in rules
    assert "相手が申告してからペグが進むまでの間に言います" in rules


def test_scores_are_joined_one_way() -> None:
    assert text("list.score", "ja") == text("list.last", "ja") == "、"
