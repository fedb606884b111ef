"""Print the words that our vocabulary replaces and that are still in use: `python -m tests.words [FILE …]`.

Without an argument: each file with its counts. With files: each line. Names are split at `_` and at capitals,
so that `lay_away`, `layAway` and "lay away" are one word.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
EVERYWHERE = ""
SERVER = r"(src/fifteentwo/server|tests/(server|faults|pages))/"
ANALYSIS = (
    r"(src/fifteentwo/(analysis|solver|strategy|fast|players)"
    r"|tests/(analysis|solver|fast|book|players)|bench)/"
)
CODE = r".*\.(py|js|mjs)$"


@dataclass(frozen=True, slots=True)
class Word:
    """A word to replace: its pattern in the split text, what to write, in which files, when it is fine."""

    pattern: str
    write: str
    files: str = EVERYWHERE
    fine: str = ""


WORDS = (
    # Cribbage
    Word(r"packs?", "deck", fine=r"(struct|msg)[ .]pack|pack (bits|into)"),
    Word(r"(lay|lays|laying|laid) away", "discard"),
    Word(r"away", "discard", rf"(?={ANALYSIS}){CODE}", r"(right|give[ns]?|gave|throw\w*|far) away"),
    Word(r"throws?|throwing|threw|thrown", "discard", fine=r"throw (new|error|reason|Object)|assert\.throws"),
    Word(r"gifts?", "discard"),
    Word(r"(cards?|two) given|given to the crib", "discard"),
    Word(r"lays?|laying|laid", "play a card", fine=r"(laid|lay|lays) out"),
    Word(r"in the play|during the play", "pegging"),
    Word(
        r"forms?",
        "variant",
        fine=r"form[ .]+(data|field|fields|action|feed|post|parser|urlencoded|too long|unreadable)|"
        r"(?<=<)forms?|form(?=\[|=dict|=\{)|forms? (of|in which)|"
        r"(page's|new game|wrong|mangled|posted|record|main|search|import) forms?|"
        r"(short|fast|long|written|one|other|same|this|that|canonical|compiled|request|plain|html|plural)"
        r" forms?",
        files=r"(?!.*\.(css|html|js|mjs)$)",
    ),
    Word(r"missed and over", "missed points and overclaims"),
    Word(r"strict (game|games|table|counting)", "claimed counting"),
    # Players and server
    Word(r"(kept|keeps?|keeping) (a |the |this |your |their )?names?", "account"),
    Word(r"onlookers?|lookers?|(look|looks|looking|looked) on", "spectator, spectate"),
    Word(r"watch(es|ing|ed|ers?)?", "spectate"),
    Word(r"one screen", "pass-and-play"),
    Word(r"courtes(y|ies)", "quick chat"),
    Word(
        r"((the|a|its|their|your|each|every|other|open|new|old|this|that|another) lines?) "
        r"(is|are|was|were|opens?|closes?|that (is|was|are)|goes|went)|most lines|lines (open|of a browser)|"
        r"(open|opened|close|closed|cut|lost|broken|live|dead|slow) lines?",
        "connection",
        SERVER,
    ),
    Word(r"told|tells?|telling|teller", "send, notify, return, say what it does"),
    Word(r"says?(?= \()|said(?= *[=:(),\].])|say (all|every|it)|saying(?= *[=:(])", "send, sentence", CODE),
    Word(r"allowances?", "rate limit"),
    Word(r"neighbou?rs?|hearing", "peers, pg_listen"),
    Word(r"holds", "owner, lease holder", r"src/fifteentwo/server/(cluster|live)/"),
    Word(r"keeping", "append, store", rf"(?={SERVER}){CODE}", r"keeping (to|up|with)"),
    Word(r"(bring|brings|bringing|brought) in", "import"),
    Word(r"absences?", "disconnect"),
    Word(r"moved on", "conflict"),
    Word(r"aside|beside", "in the background, next to"),
    Word(r"one program(?= *[.(])|collecting(?= *[.(])", "file_lock, gc_tuning", CODE),
    # Analysis
    Word(
        r"worths?|comes to|came to",
        "value, expected points",
        fine=r"worth (knowing|it|while)|(people|who|they|that|sits there|screen|partner) (came|comes) to",
    ),
    Word(r"answers?|answered|answering", "best response", rf"(?={ANALYSIS}){CODE}"),
    Word(r"looked through|looks through", "look-ahead search"),
    Word(r"anew|afresh", "again, re-solving"),
    Word(r"conceded?|concedes|prices?|priced|pricing", "opt-out value", ANALYSIS),
    Word(r"habits?|mistrusts?", "opponent type, ε-noise"),
    Word(r"reach(?= *[=:(\[.,)])", "reach probability", rf"(?={ANALYSIS}){CODE}"),
    Word(
        r"shares?",
        "action probabilities, policy",
        rf"(?={ANALYSIS}){CODE}",
        r"share (of|memory)|shares (with|no)",
    ),
    Word(r"imagin(e|es|ed|ing|ation|ary)|quick players?", "rollout"),
    Word(r"yardsticks?", "baseline"),
    Word(r"even cards", "luck-adjusted result"),
    Word(r"learnt|forgotten", "regret tables, averaging delay", rf"(?={ANALYSIS}){CODE}"),
    Word(r"loops", "kernel", fine=r"(event|request|for) loops"),
    Word(r"dearest", "costliest"),
    # Figures of speech
    Word(r"nobody|somebody|whoever", "no one it names: user, player, spectator"),
    Word(r"houses?", "server, program", fine="full house"),
    Word(r"rooms?", "table, space", fine=r"(waiting|no|leaves?|make|makes) rooms?|rooms? (for|to)"),
    Word(r"ears?|asleep|at hand", "listener, in the background, available"),
    Word(r"mind|minds", "say it plainly", fine=r"(your|their|a|its) minds?"),
    Word(r"mend(s|ed|ing)?", "fix"),
)
"""What to write, by the order of CONTRIBUTING.md."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A place where a word stays: the file, a pattern of the line, and why."""

    file: str
    line: str
    why: str


ALLOWED = (
    Allowed(r"tests/words\.py", "", "the list itself"),
    Allowed(r"tests/i18n/test_corrections\.py", "", "strings that no page may say again"),
    Allowed(r"src/fifteentwo/i18n/glossary\.toml", "", "a glossary names what other books call a thing"),
    Allowed(
        r"(src/fifteentwo/analysis|tests/analysis|tests/solver)/(test_)?book_(entry|play|check)\.py",
        r"rename=|plain\[\"answers\"\]|(one|option)\[\"share\"\]",
        "keys of the Book's JSON",
    ),
    Allowed(
        r"src/fifteentwo/strategy/.*\.py",
        r"\{role\}_share\"|\(\"options\", \"shares\"\)",
        "names in data files, which others name by digest",
    ),
    Allowed(r"docs/book\.md", r"^(throws|boards_given_to_a_worse_throw): ", "what a command prints"),
    Allowed(
        r"(src/fifteentwo|tests)/solver/.*",
        r"_shares?\"|\"(forgotten|laid)\"|  (forgotten|laid)=",
        "keys in tables and checkpoints of earlier versions",
    ),
    Allowed(
        r"(src/fifteentwo|tests)/solver/.*",
        r"\"(told|throws?|share)\"|_from_1\"|_worse_throw\"",
        "keys in files and in what commands print",
    ),
    Allowed(r"tests/support/postgres\.py", "getpwnam", "the name of a user of Unix"),
    Allowed(r"tests/support/pegging_views\.py", "seeded", "a seed: other words are other games"),
    Allowed(r"(src|tests)/.*theme_sets\.py", r"\bkeeping\b", "the theme of which cards to keep"),
    Allowed(
        r"tests/measured/shown_chances\.py",
        r'Random\(f"told/',
        "the seed that the printed figures were dealt by",
    ),
    Allowed(r"docs/rules\.md", r"^\| [RC]\d+", "the rules in the words of their sources"),
    Allowed(r"tests/docs/test_words\.py", r'"lay away"', "an example of the check"),
)

SUFFIXES = {".py", ".js", ".mjs", ".css", ".html", ".md", ".toml", ".po"}


def files() -> Iterator[Path]:
    """Return every file that is read, in order."""
    for folder in ("src", "tests", "bench", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.as_posix()
            # The manual is built from docs.
            if path.suffix in SUFFIXES and "locale/ja" not in name and "web/manual/" not in name:
                yield path
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Makefile", "set_up.py"):
        yield ROOT / name


def plain(text: str, *, page: bool = False) -> str:
    """Return a text with its names split into words, in lower case; of a page without names of code."""
    text = re.sub(r"`[^`]*`", lambda code: "\n" * code[0].count("\n"), text) if page else text
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return re.sub(r" +", " ", re.sub(r"[_\-]", " ", text).replace("(", " (")).lower()


def lines(path: Path) -> list[str]:
    """Return the lines of a file that are read: of CHANGELOG.md only what is not released."""
    text = path.read_text("utf-8")
    return (
        re.split(r"^## \[?\d", text, flags=re.MULTILINE)[0] if path.name == "CHANGELOG.md" else text
    ).splitlines()


COMPILED = tuple(
    (word, re.compile(rf"\b(?:{word.pattern})(?!\w)"), re.compile(rf"\b(?:{word.fine})(?!\w)", re.IGNORECASE))
    for word in WORDS
)


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})(?!\w)")


def found(path: Path) -> list[tuple[int, str, str]]:
    """Return each word left in a file, by lines: the line's number, the word, and what to write."""
    name = path.relative_to(ROOT).as_posix()
    allowed = [re.compile(one.line) for one in ALLOWED if re.fullmatch(one.file, name)]
    kept = ("" if any(one.search(line) for one in allowed) else line for line in lines(path))
    text = plain("\n".join(kept), page=path.suffix == ".md")
    left: list[tuple[int, str, str]] = []
    here = [one for one in COMPILED if re.match(one[0].files, name)]
    # Most files have none of them, and one search says so.
    if not _any_of(tuple(word.pattern for word, _, _ in here)).search(text):
        return left
    for word, pattern, fine in here:
        if pattern.search(text):
            searched = fine.sub("", text) if word.fine else text
            left += [
                (searched.count("\n", 0, match.start()) + 1, match[0], word.write)
                for match in pattern.finditer(searched)
            ]
    return sorted(left)


def counts() -> dict[Path, Counter[str]]:
    """Return the words left in each file that has any."""
    each = {path: Counter(word for _, word, _ in found(path)) for path in files()}
    return {path: words for path, words in each.items() if words}


def by_folder() -> Counter[str]:
    """Return how many words are left in each top-level folder, and in the files at the top together."""
    left: Counter[str] = Counter()
    for path, words in counts().items():
        parts = path.relative_to(ROOT).parts
        left[parts[0] if len(parts) > 1 else "."] += words.total()
    return left


def main(names: list[str]) -> None:
    """Print what is left."""
    for name in names:
        path = Path(name).resolve()
        text = lines(path)
        for number, word, write in found(path):
            print(f"{name}:{number}: {word} → {write}: {text[number - 1].strip()[:100]}")
    if names:
        return
    for path, words in sorted(counts().items(), key=lambda one: -one[1].total()):
        each = ", ".join(f"{word} {n}" for word, n in words.most_common())
        print(f"{words.total():5} {path.relative_to(ROOT)}: {each}")
    left = by_folder()
    print(f"{left.total():5} in all: " + ", ".join(f"{folder} {n}" for folder, n in sorted(left.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
