"""Generate command lines of careless and hostile users, and check every answer."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from fifteentwo.cli import main
from fifteentwo.contest.table import Table
from fifteentwo.formats import FORMATS
from fifteentwo.formats import write as notation
from fifteentwo.players import LEVELS
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.game import legal
from fifteentwo.rules.record import MAX_NAME_LENGTH, Record, read, write
from fifteentwo.rules.variants import Variant, rules_for

STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
NASTY = (
    *(
        "",
        " ",
        "-",
        "--",
        "-h",
        "--help",
        "-x",
        "--nothing",
        "0",
        "-1",
        "1e9",
        "9" * 40,
        "nan",
        "日本語",
        "\t",
    ),
    *("\x1b[2J", "\u202e5H", "5H\u200b", "\udc9b", "a" * 5000, "../..", "%s%n", "'; DROP TABLE", "♣", "５Ｈ"),
    *("10C", "♠A", "1C0", "5H,5S", "5H5S", "11H", "XX", "{0}", "{name}", "\ufeff5H", "\x9b31m", "\t"),
)
NAMES = (
    "",
    "Aiko",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202egnp.exe",
    "あい子",
    "\x9b2J",
    "{0}{name}%s",
    "x" * 3000,
)


class Line(NamedTuple):
    """The words of a command line, and its standard input."""

    words: tuple[str, ...]
    given: bytes

    def __str__(self) -> str:
        return f"{json.dumps(self.words)[:300]} < {self.given[:60]!r}"


def record_text(variant: Variant, seed: int, actions: int | None = None) -> str:
    """Return the record of a random game, or of its first actions, with hostile names."""
    rules = rules_for(variant.value, counting="claimed" if seed % 3 == 0 else "automatic")
    table, luck = Table(rules, seeded(seed)), random.Random(seed)
    while not table.over:
        action = luck.choice(legal(table.state))
        table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]
    names = tuple(luck.choice(NAMES)[:MAX_NAME_LENGTH] for _ in range(rules.seats))
    return write(Record(rules=rules, names=names, actions=tuple(table.actions[:actions])))


def whole_by_two(seed: int) -> str:
    """Return a record that other notations can hold: two players, six cards, no wrong count."""
    assert seed % 3
    return record_text(Variant.SIX_CARD, seed)


def make_files(folder: Path) -> tuple[str, ...]:
    """Write good and bad files; return their names and names of missing files."""
    whole = record_text(Variant.SIX_CARD, 1)
    contents: dict[str, bytes] = {
        f"{variant.value}.txt": record_text(variant, seed).encode()
        for seed, variant in enumerate(Variant, start=2)
    }
    game = read(whole_by_two(4))
    contents |= {
        f"{name}.txt": notation(game, name).replace("Player A: ", "Player A: \x1b[2J").encode()
        for name in FORMATS
    }
    contents |= {
        "unsuited.txt": re.sub(r"(?<=[A2-9TJQK])[SHDC]\b", "", notation(game, "transcript")).encode(),
        "torn.txt": notation(game, "halscrib")[:600].encode(),
        "steering.txt": notation(game, "transcript").replace("cut: ", "cut: \x1b[2J\u202e", 1).encode(),
        "begun.txt": record_text(Variant.SIX_CARD, 5, 60).encode(),
        "not-begun.txt": record_text(Variant.SIX_CARD, 5, 0).encode(),
        "cut.txt": whole[: len(whole) // 2].encode(),
        "changed.txt": whole.replace("play 0", "play 1", 1).encode(),
        "bad-line.txt": re.sub("sum .*\n", "", whole).replace("play 0", "\x1b[2Jplay\u202e 0", 1).encode(),
        "no-sum.txt": re.sub("sum .*\n", "", whole).encode(),
        "bom.txt": b"\xef\xbb\xbf" + whole.encode(),
        "crlf.txt": whole.replace("\n", "\r\n").encode(),
        "binary": bytes(range(256)) * 4,
        "utf16.txt": whole.encode("utf-16"),
        "zeros": b"\0" * 1000,
        "empty": b"",
        "hands.txt": b"\xef\xbb\xbf5H 5S 5D JC 5C\n\n2H 4H 6H 8H KC\n",
        "fours.txt": b"5H 5S 5D JC\n",
        "no-hands.txt": "5H 5S\x1b[2J 5D JC\u202e 5C\n".encode(),
        "\x1b[31m.txt": b"hello\n",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return (
        *(str(folder / name) for name in contents),
        str(folder),
        str(folder / "none.txt"),
        "-",
        "/dev/null",
        "/dev/zero",
    )


def lines(number: int, seed: int, files: tuple[str, ...]) -> Iterator[Line]:
    """Yield command lines of all commands; equal seeds give equal lines. No line starts a server."""
    luck = random.Random(seed)
    for _ in range(number):
        words = list(luck.choice(_COMMANDS)(luck, files))
        for _ in range(luck.choice((0, 0, 0, 1, 1, 2))):
            words.insert(luck.randint(1, len(words)), luck.choice(NASTY))
        if luck.random() < 0.5:
            words += ["--lang", luck.choice(("en", "ja", "ja", "fr"))]
        given = luck.choice((b"", b"5H 5S 5D JC 5C\n", b"\xff\xfe", b"quit\n", bytes(luck.randbytes(40))))
        if files and luck.random() < 0.3:
            path = Path(luck.choice(files))
            given = path.read_bytes() if path.is_file() else b""
        yield Line(tuple(words), given)


def _cards(luck: random.Random, number: int) -> list[str]:
    """Return different cards; a third of the time one too many or too few."""
    return [card.text for card in luck.sample(DECK, max(0, number + luck.choice((0, 0, 0, 0, -1, 1))))]


def _random_options(luck: random.Random, *options: tuple[str, ...]) -> list[str]:
    """Return the words of some options; each option is taken with probability 0.4."""
    return [word for option in options if luck.random() < 0.4 for word in option]


def _score(luck: random.Random, files: tuple[str, ...]) -> list[str]:
    flags = (("--json",), ("--crib",), ("--five-card",), ("--all", luck.choice(files)))
    hand = _cards(luck, luck.choice((0, 3, 4, 4, 4)))
    return [
        "score",
        *hand,
        *_random_options(luck, ("--starter", luck.choice((*map(str, DECK), "", "XX"))), *flags),
    ]


def _discard(luck: random.Random, _: tuple[str, ...]) -> list[str]:
    """Return a `discard` command; some of its words are invalid."""
    variant = luck.choice((*Variant, "", "whist"))
    board = f"{luck.choice((0, 60, 61, 110, 120, 121, 999))}-{luck.choice((0, 60, 115, 120, -3))}"
    side = luck.choice((["--dealer"], ["--pone"], ["--pone", "--dealer"], []))
    options = (("--json",), ("--why",), ("--board", board), ("--variant", str(variant)))
    return ["discard", *_cards(luck, 5 + luck.getrandbits(1)), *side, *_random_options(luck, *options)]


def _book(luck: random.Random, _: tuple[str, ...]) -> list[str]:
    board = f"{luck.choice((0, 60, 120, 121, -1))}-{luck.choice((0, 115, 120, 999))}"
    side = luck.choice((["--dealer"], ["--pone"], ["--pone", "--dealer"], []))
    hand, options = _cards(luck, 5 + luck.getrandbits(1)), (("--json",), ("--board", board), ("-h",))
    kind = luck.choice(((), (), ("card",), ("fly",), ("check", "--sample", "0"), ("write", "/proc/nowhere")))
    return ["book", *kind, *hand, *side, *_random_options(luck, *options)]


def _record(luck: random.Random, files: tuple[str, ...]) -> list[str]:
    command = luck.choice(("replay", "verify", "review"))
    # Compiled kernels review six-card games; other tests attack the kernels.
    known = [file for file in files if command != "review" or "six-card" not in file]
    options = () if command == "replay" else (("--json",),)
    return [command, luck.choice(known), *_random_options(luck, *options)]


def _notation(luck: random.Random, files: tuple[str, ...]) -> list[str]:
    """Return a command that reads notations or records, with good and mistaken files."""
    chosen = ("--as", luck.choice(("halscrib", "transcript", "transcript", "", "pgn")))
    out = ("--out", luck.choice(("/proc/nowhere", "/dev/full", "", files[0].rpartition("/")[0])))
    rare = _random_options(luck, out) if luck.random() < 0.2 else []
    if luck.random() < 0.5:
        return [
            "export",
            luck.choice(files),
            *(chosen if luck.random() < 0.9 else ()),
            *rare,
        ]
    options = (("--json",), ("--fill-suits",), ("--target", luck.choice(("61", "121", "0"))))
    return ["import", luck.choice(files), *_random_options(luck, *options), *rare]


def _arena(luck: random.Random, files: tuple[str, ...]) -> list[str]:
    levels = [luck.choice((*LEVELS[:3], "wizard", "")) for _ in range(luck.choice((2, 2, 2, 1, 3)))]
    games = luck.choice(("2", "3", "1", "-5", "many"))
    options = (
        ("--seed", luck.choice(("0", "-7", "x"))),
        ("--variant", luck.choice(tuple(Variant))),
        ("--json",),
    )
    folder = ("--checkpoint", luck.choice((files[0], "/proc/nowhere", "/dev/full")))
    dask = ("--dask", luck.choice(("nowhere", "", "http:")))
    rare = _random_options(luck, folder, dask) if luck.random() < 0.3 else []
    return ["arena", *levels, "--games", games, "--jobs", "1", *_random_options(luck, *options), *rare]


def _bot(luck: random.Random, _: tuple[str, ...]) -> list[str]:
    return [
        "bot",
        luck.choice((*LEVELS[:5], "wizard", "")),
        *_random_options(luck, ("--seed", luck.choice(("3", "x")))),
    ]


def _refused(luck: random.Random, files: tuple[str, ...]) -> list[str]:
    """Return a command that would serve or compile, with an argument that it refuses first."""
    useless = ("sqlite:////no/where/x", "postgresql://h:p/x", files[0])
    stopped = (
        ["play", "--port", luck.choice(("x", "-1", "65536")), "--no-browser"],
        [
            "play",
            "--no-browser",
            "--port",
            "0",
            "--database",
            luck.choice(("not a url", "mysql://a/b", "://")),
        ],
        ["serve", "--port", "0", "--workers", luck.choice(("0", "2", "x"))],
        ["serve", "--port", "0", "--database", luck.choice(useless)],
        ["serve", "--port", "0", "--host", "no.such.host.invalid"],
        ["serve", "--port", "0", "--trusted-proxy", luck.choice(("nginx", "", "10.0.0.0/99"))],
        ["serve", "--port", "0", "--metrics-token", luck.choice(("t", "あ"))],
        ["serve", "--port", "0", "--unplayed-days", luck.choice(("-1", "x"))],
        [
            "backup",
            luck.choice(files),
            *_random_options(luck, ("--json",), ("--database", luck.choice(useless))),
        ],
        [
            "restore",
            luck.choice((*files, "")),
            *_random_options(luck, ("--json",)),
            "--database",
            "/no/where.sqlite3",
        ],
        ["prepare", luck.choice(("-h", "x", "--jobs=0"))],
        [luck.choice(("fly", "-h", "--version", "--help", "plaay"))],
    )
    return luck.choice(stopped)


_COMMANDS = (
    _score,
    _score,
    _discard,
    _discard,
    _book,
    _record,
    _record,
    _record,
    _notation,
    _notation,
    _arena,
    _bot,
    _refused,
)


def wrong_with(line: Line) -> str | None:
    """Return what is wrong with the answer to a command line, or None."""
    result = CliRunner().invoke(main, line.words, input=line.given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"
    return misbehaviour(result.exit_code, result.stdout, result.stderr)


def misbehaviour(status: int, out: str, errors: str) -> str | None:
    """Return a wrong status, a traceback, a long error or control characters in an answer, or None."""
    if status not in (0, 1, 2):
        return f"status {status}"
    if "Traceback" in errors or "Traceback" in out:
        return "a traceback"
    if len(errors.splitlines()) > 3:
        return f"{len(errors.splitlines())} lines on the error stream"
    if status and not errors.strip():
        return f"status {status} without a word"
    if steering := STEERING.search(out + errors):
        return f"{steering[0]!r} reaches the terminal"
    return None
