"""Games as text, written and read (docs/record.md), and single values as JSON.

fifteentwo record 1
variant six-card
…
seat 0 Aiko
play 0 7C
…
end 163 actions, 121 98, won
sum 5f0c…
"""

import hashlib
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, TypeVar

import msgspec

from fifteentwo.rules.actions import (
    Accept,
    Action,
    CallMuggins,
    Claim,
    Cut,
    Deal,
    Discard,
    Draw,
    Forfeit,
    Go,
    NameDealer,
    Play,
    TurnUp,
)
from fifteentwo.rules.cards import Card, show_text
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, NotationError
from fifteentwo.rules.events import Event, ForfeitedFor, Played, Shown
from fifteentwo.rules.game import step
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import OPTIONS, Rules, options_of, rules_for

T = TypeVar("T")

FIRST_LINE = "fifteentwo record 1"
"""First line of every record."""
DEALING = "1"
"""Version of the rules by which seeds determine cards (docs/dealing.md)."""
MAX_NAME_LENGTH = 100
"""Largest number of characters of a player's name."""
UNKNOWN = "?"
"""Text of a card that was not written down."""
COMPUTER = "computer"
"""Text in `Record.committed` if the server plays the seat."""
NO_COMMITMENT = "nothing"
"""Text in `Record.committed` if the seat's page sent no commitment."""


class StoodIn(msgspec.Struct, frozen=True):
    """A computer level that played for an absent player."""

    seat: int
    """Seat at which the player arrived, before partners are drawn."""
    level: str
    first: int
    """First action while the level played, counted from 1."""
    last: int
    """Last action while the level played, counted from 1."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A game, finished or not, that can be replayed card by card."""

    rules: Rules
    names: tuple[str, ...]
    """Names in the order of arrival: at seats 0, 1, … before partners are drawn."""
    actions: tuple[Action, ...]
    """Actions of all seats and of chance, in order."""
    named: bool = False
    """Whether the first dealer was named, even if the rules say that seats draw (C14)."""
    commitment: str = ""
    """SHA-256 that commits the server to all keys, published before the first card; empty without one."""
    committed: tuple[str, ...] = ()
    """The commitment of each seat's page, or COMPUTER or NO_COMMITMENT; empty without a server commitment."""
    seeds: tuple[str, ...] = ()
    """The revealed seeds to which the seats' pages committed; empty texts if there are none."""
    links: tuple[str, ...] = ()
    """Revealed keys of the draws (0) and of each deal, from which their decks follow (docs/dealing.md)."""
    stood_in: tuple[StoodIn, ...] = ()
    """Levels that played for absent players."""
    unknown: tuple[Card, ...] = ()
    """Cards of the last deal in place of cards that were not written down.

    Nobody saw these cards before the game was over, so any cards would do. A game with unknown cards
    cannot be reviewed."""

    def absent(self, step: int) -> tuple[int, ...]:
        """Return the seats of arrival of players absent at action number `step`, counted from 0."""
        return tuple([one.seat for one in self.stood_in if one.first <= step + 1 <= one.last])


def replay(record: Record) -> Iterator[tuple[Action, State, tuple[Event, ...]]]:
    """Yield each action of a record, the state after it, and its events; raise IllegalAction."""
    state = start(record.rules, named=record.named)
    for action in record.actions:
        state, events = step(state, action)
        yield action, state, events


def last_state(record: Record) -> State:
    """Return the state after all actions of a record."""
    state = start(record.rules, named=record.named)
    for _, after, _ in replay(record):
        state = after
    return state


def unseen(record: Record) -> frozenset[Card]:
    """Return the cards of the last deal that were neither played nor shown; none if the game is not over."""
    hidden: set[Card] = set()
    over = False
    for action, state, events in replay(record):
        over = state.won is not None
        if isinstance(action, Deal):
            hidden = {*action.cards}
        for event in events:
            match event:
                case Played(card=card):
                    hidden.discard(card)
                case Shown(cards=cards):
                    hidden -= {*cards}
    return frozenset(hidden if over else ())


def unknown_by_action(record: Record) -> Iterator[frozenset[Card]]:
    """Yield, for each action, the unknown cards of the deal under way; only the last deal has any."""
    left = sum(isinstance(action, Deal) for action in record.actions)
    for action in record.actions:
        left -= isinstance(action, Deal)
        yield frozenset(() if left else record.unknown)


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def write(record: Record) -> str:
    """Return a record as text; `read` returns an equal record."""
    body = "".join(f"{line}\n" for line in _record_lines(record))
    return f"{body}sum {_checksum(body)}\n"


def _checksum(body: str) -> str:
    """Return the SHA-256 of a record's lines, in hex."""
    # Half a surrogate pair must give a wrong sum, not an exception.
    return hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest()


def _record_lines(record: Record) -> Iterator[str]:
    yield FIRST_LINE
    yield f"variant {record.rules.variant.value}"
    for name, value in options_of(record.rules).items():
        yield f"{name.replace('_', '-')} {_option_text(value)}"
    yield f"start {'named' if record.named else 'drawn'}"
    for seat, name in enumerate(record.names):
        yield f"seat {seat} {' '.join(name.split())}".rstrip()
    if record.commitment:
        yield f"commitment {record.commitment}"
        yield f"dealing {DEALING}"
    for seat, promised in enumerate(record.committed):
        yield f"committed {seat} {promised}"
    for action in record.actions:
        yield action_text(action)
    state = last_state(record)
    for seat, seed in enumerate(record.seeds):
        if seed:
            yield f"seed {seat} {seed}"
    for deal, link in enumerate(record.links):
        yield f"link {deal} {link}"
    for number, one in enumerate(record.stood_in):
        yield f"stand-in {number} {one.seat} {one.level} {one.first} {one.last}"
    if record.unknown:
        yield f"unknown {show_text(record.unknown)}"
    yield _end_line(record, state)


def _end_line(record: Record, state: State) -> str:
    """Return the last line: number of actions, scores, and whether the game was won."""
    ending = "unfinished" if state.won is None else "won"
    return f"end {len(record.actions)} actions, {' '.join(str(score) for score in state.front)}, {ending}"


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(getattr(value, "value", value))


_WORDS: dict[type[Action], str] = {
    Draw: "draw",
    TurnUp: "turn",
    NameDealer: "name",
    Cut: "cut",
    Deal: "deal",
    Discard: "discard",
    Play: "play",
    Go: "go",
    Claim: "claim",
    CallMuggins: "muggins",
    Accept: "accept",
    Forfeit: "forfeit",
}
"""First word of each action's line."""
_KINDS = {word: kind for kind, word in _WORDS.items()}
"""Action of each first word."""


def action_text(action: Action) -> str:
    """Return an action as one line: its word, and its fields in order."""
    fields = msgspec.structs.astuple(action)
    return " ".join([_WORDS[type(action)], *map(_field_text, fields)])


def _field_text(value: object) -> str:
    return show_text(value) if isinstance(value, tuple) else str(value)


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def read(text: str) -> Record:
    """Return a record from text after replaying it; raise NotationError at the first wrong line."""
    lines = text.removeprefix("\ufeff").splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise NotationError("not-a-record", lines[0] if lines else "", 1)
    if lines[-1].startswith("sum "):
        body = "".join(f"{line}\n" for line in lines[:-1])
        if lines[-1].split()[-1] != _checksum(body):
            raise NotationError("record-damaged", lines[-1], len(lines))
        lines.pop()
    if not lines[-1].startswith("end "):
        raise NotationError("record-cut-short", lines[-1], len(lines))
    header, actions, first_action = _split_lines(lines)
    record = _build_record(header, actions, first_action)
    last = _play_through(record, first_action, lines)
    check_unknown(record)
    if _end_line(record, last) != lines[-1].strip():
        raise NotationError("end-does-not-agree", lines[-1], len(lines))
    return record


_AFTER_ACTIONS = {"seed", "link", "stand-in", "unknown"}
"""First words of lines that follow the actions."""
_HEADER = {"variant", "start", "seat", "commitment", "dealing", "committed"}
"""First words of lines that precede the actions."""
_HEADER |= {name.replace("_", "-") for name in OPTIONS}


def _split_lines(lines: list[str]) -> tuple[dict[str, str], list[Action], int]:
    """Return the header by key, the actions, and the line number of the first action."""
    header: dict[str, str] = {}
    actions: list[Action] = []
    first_action, proofs = len(lines), False
    for number, line in enumerate(lines[1:-1], start=2):
        key, _, rest = line.strip().partition(" ")
        if key in ("seat", "committed", "seed", "link", "stand-in"):
            which, _, rest = rest.partition(" ")
            key = f"{key} {which}"
        kind = key.partition(" ")[0]
        if (kind in _HEADER and not actions) or (kind in _AFTER_ACTIONS and actions):
            if key in header:
                raise NotationError("line-twice", line, number)
            if kind == "seat" and len(rest) > MAX_NAME_LENGTH:
                raise NotationError("name-too-long", rest, number)
            if kind == "stand-in" and not _is_stand_in(rest):
                raise NotationError("stand-in-unreadable", line, number)
            header[key] = rest
            proofs = proofs or kind in _AFTER_ACTIONS
        elif proofs:
            raise NotationError("not-an-action", line, number)
        else:
            first_action = min(first_action, number)
            actions.append(read_action(line, number))
    return header, actions, first_action


def _build_record(header: dict[str, str], actions: list[Action], first_action: int) -> Record:
    try:
        rules = rules_for(header.pop("variant", ""), **_read_options(header))
    except FifteenTwoError as error:
        raise NotationError("rules-unreadable", str(error), 2) from error
    names = tuple(header.get(f"seat {seat}", "") for seat in range(rules.seats))
    committed = _pop_numbered(header, "committed")
    commitment, dealing = header.get("commitment", ""), header.get("dealing", "")
    if dealing != (DEALING if commitment else ""):
        raise NotationError("dealing-unknown", dealing, first_action)
    if len(committed) != (rules.seats if commitment else 0):
        raise NotationError("no-such-seat", f"committed {len(committed)}", first_action)
    seeds = tuple(header.pop(f"seed {seat}", "") for seat in range(rules.seats))
    links = _pop_numbered(header, "link")
    stood_in = tuple([_read_stand_in(one, rules, len(actions)) for one in _pop_numbered(header, "stand-in")])
    seat_keys = {f"seat {seat}" for seat in range(rules.seats)}
    extra = [key for key in header if key.startswith(_NUMBERED_KEYS) and key not in seat_keys]
    if extra:
        raise NotationError("no-such-seat", extra[0], first_action)
    if header.get("start") not in ("named", "drawn"):
        raise NotationError("start-unreadable", header.get("start", ""), first_action)
    return Record(
        rules=rules,
        names=names,
        actions=tuple(actions),
        named=header["start"] == "named",
        commitment=commitment,
        committed=committed,
        seeds=seeds if any(seeds) else (),
        links=links,
        stood_in=stood_in,
        unknown=_read_unknown(header.get("unknown", "")),
    )


def _read_unknown(text: str) -> tuple[Card, ...]:
    try:
        return _read_cards(text)
    except ValueError:
        raise NotationError("unknown-cards-wrong", text) from None


def check_unknown(record: Record) -> None:
    """Raise NotationError if an unknown card was seen during the game, or the game is not over."""
    if record.unknown and not (
        len({*record.unknown}) == len(record.unknown) and unseen(record).issuperset(record.unknown)
    ):
        raise NotationError("unknown-cards-wrong", show_text(record.unknown))


def _is_stand_in(text: str) -> bool:
    words = text.split(" ")
    numbers = (words[0], *words[2:])
    level = words[1] if len(words) == 4 else ""
    return text.isascii() and level.isalpha() and all(one.isdecimal() and len(one) < 6 for one in numbers)


def _read_stand_in(text: str, rules: Rules, actions: int) -> StoodIn:
    seat, level, first, last = text.split()
    one = StoodIn(int(seat), level, int(first), int(last))
    if not (0 <= one.seat < rules.seats and 1 <= one.first <= one.last <= actions):
        raise NotationError("stand-in-unreadable", text)
    return one


def _pop_numbered(header: dict[str, str], key: str) -> tuple[str, ...]:
    """Remove and return the header values of a key, numbered from 0 without gaps."""
    values: list[str] = []
    while (value := header.pop(f"{key} {len(values)}", None)) is not None:
        values.append(value)
    return tuple(values)


_NUMBERED_KEYS = ("seat ", "committed ", "seed ", "link ", "stand-in ")
"""Beginnings of header keys that include a number."""


def _read_options(header: dict[str, str]) -> dict[str, Any]:
    words: dict[str, Any] = {"yes": True, "no": False}
    options: dict[str, Any] = {}
    for name in OPTIONS:
        text = header.get(name.replace("_", "-"))
        if text is not None:
            number = text.isdecimal() and len(text) <= 4
            options[name] = int(text) if number else words.get(text, text)
    return options


def _play_through(record: Record, first_action: int, lines: list[str]) -> State:
    """Return the last state; raise NotationError with the line of an action that the rules forbid."""
    state = start(record.rules, named=record.named)
    for number, action in enumerate(record.actions, start=first_action):
        try:
            state, _ = step(state, action)
        except IllegalAction as error:
            raise NotationError("action-refused", lines[number - 1], number) from error
    return state


def read_action(line: str, number: int) -> Action:
    """Return the action of a line; raise NotationError with the line's number."""
    word, _, rest = " ".join(line.split()).partition(" ")
    try:
        kind = _KINDS[word]
        names = kind.__struct_fields__
        texts = rest.split(" ", len(names) - 1)
        return kind(*[_READERS[name](text) for name, text in zip_longest(names, texts, fillvalue="")])
    except (KeyError, ValueError):
        raise NotationError("not-an-action", line, number) from None


def _read_number(word: str) -> int:
    if not word.isascii() or not word.isdecimal() or len(word) > 3:
        raise ValueError(word)
    return int(word)


def _read_cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


_READERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("seat", "dealer", "at", "points"), _read_number),
    "card": Card,
    "cards": _read_cards,
    "why": ForfeitedFor,
}
"""Functions that read the fields of actions, by the field's name."""


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────


def _encode_card(value: object) -> str:
    if isinstance(value, Card):
        return value.text
    raise TypeError(f"cannot be written as JSON: {value!r}")


def _decode_card(kind: type, value: object) -> object:
    if kind is Card and isinstance(value, str):
        return Card(value)
    raise TypeError(f"cannot be read from JSON: {kind!r}")


_encoder = msgspec.json.Encoder(enc_hook=_encode_card)


def to_json(value: object) -> bytes:
    """Return an action, event, view, state or rules as JSON; cards are text."""
    return _encoder.encode(value)


def from_json(data: bytes | str, kind: type[T]) -> T:
    """Return the value in a JSON text; raise NotationError if it has another form. kind: a type or union."""
    try:
        return msgspec.json.decode(data, type=kind, dec_hook=_decode_card)
    except (msgspec.DecodeError, RecursionError, UnicodeError, FifteenTwoError) as error:
        raise NotationError("not-readable", str(error)) from error


def to_plain(value: object) -> Any:
    """Return a value as dicts and lists with the fields of `to_json`."""
    return msgspec.to_builtins(value, enc_hook=_encode_card)
