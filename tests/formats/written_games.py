"""Numbered games as records, the events that a notation must preserve, and damaged texts."""

import random
import re
from collections.abc import Iterator

from fifteentwo.rules.events import (
    DealerChosen,
    Discarded,
    Event,
    GameWon,
    Pegged,
    Played,
    Shown,
    StarterTurned,
)
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.variants import SIX_CARD, Rules
from tests.rules.random_games import game

NAMES = (
    ("Aiko", "Ken"),
    ("", ""),
    ("", "Ken"),
    ("PONE", "Deal 1: x"),
    ("あい子", "A-K-Q-J"),
    ("x (UPPER CASE)", "play: 5H"),
    ("Aiko", "Aiko"),
)
Happening = tuple[object, ...]


def written_game(number: int, rules: Rules = SIX_CARD) -> Record:
    actions = tuple(moment.action for moment in game(number, rules))
    return Record(rules=rules, names=NAMES[number % len(NAMES)], actions=actions)


def happenings(record: Record, *, first_pone: bool = False) -> Iterator[Happening]:
    """Yield everything seen or scored, in order. first_pone: count seats from the first pone.

    Names, cuts, draws, the order of dealing and the order of discards are left out.
    """
    turned = 0
    discarded: dict[int, Happening] = {}
    for _, state, events in replay(record):
        if first_pone and any(isinstance(event, DealerChosen) for event in events):
            turned = state.eldest
        for event in events:
            if isinstance(event, Discarded):
                discarded[(event.seat + turned) % 2] = tuple(sorted(card.text for card in event.cards))
            elif (result := _happening(event, turned)) is not None:
                if discarded:
                    yield ("discarded", discarded.get(0, ()), discarded.get(1, ()))
                    discarded = {}
                yield result


def _happening(event: Event, turned: int) -> Happening | None:
    match event:
        case StarterTurned(card=card):
            return ("starter", card.text)
        case Played(seat=seat, card=card, count=count):
            return ("played", (seat + turned) % 2, card.text, count)
        case Shown(seat=seat, cards=cards, crib=crib):
            return ("shown", (seat + turned) % 2, tuple(sorted(card.text for card in cards)), crib)
        case Pegged(seat=seat, points=points, score=score, reason=reason):
            return ("pegged", (seat + turned) % 2, points, score, reason)
        case GameWon(side=side, scores=scores):
            return ("won", (side + turned) % 2, tuple(sorted(scores)))
        case _:
            return None


def breaking(text: str, luck: random.Random) -> tuple[str, range]:
    """Return a damaged text that cannot be another game, and the lines that the error may name."""
    lines = text.splitlines()
    deals = [n for n, line in enumerate(lines) if re.match(r"Deal +\d+: ", line)]
    return _broken_halscrib(lines, deals, luck) if deals else _broken_transcript(lines, luck)


def _broken_halscrib(lines: list[str], deals: list[int], luck: random.Random) -> tuple[str, range]:
    at = luck.choice(deals)
    head, _, stated = lines[at].partition(": ")
    words = stated.split()
    place = luck.randrange(len(words))
    kind = luck.randrange(7)
    if kind == 0:  # a card left out
        del words[place]
    elif kind == 1:  # a card there twice
        words[place] = words[place - 1].swapcase() if place > 1 else words[2].upper()
    elif kind == 2:  # a word that is no card
        words[place] = luck.choice(
            ("1H", "5", "5X", "HH", "?", "5H5", "\x1b[2J", "10", "55", "5S,", ">2", "R2")
        )
    elif kind == 3:  # a card more
        words.insert(place, words[place])
    elif kind == 4:  # in the wrong player's name
        place = luck.randrange(1, 13)
        words[place] = words[place].swapcase()
    elif kind == 5 and len(deals) > 1:  # a deal out of its place
        lines[at] = f"Deal {int(head.split()[1]) + luck.choice((1, 2, 50))}: {stated}"
        return "\n".join(lines), range(at + 1, at + 2)
    else:  # cut within the line
        words = words[: luck.randrange(1, 13)]
    lines[at] = f"{head}: {' '.join(words)}"
    return "\n".join(lines), range(at + 1, at + 2)


def _broken_transcript(lines: list[str], luck: random.Random) -> tuple[str, range]:
    heads = [n for n, line in enumerate(lines) if line.startswith("PONE")]
    head = luck.choice(heads)
    foot = next(n for n in range(head, len(lines)) if lines[n].startswith("DEALER"))
    block = range(head + 1, foot + 2)
    kind = luck.randrange(7)
    if kind == 0:  # a line left out
        at = luck.choice([n for n in range(head, foot + 1) if not lines[n].startswith(("crib", "play:\n"))])
        if lines[at].startswith("play") and len(lines[at]) < 12:
            at = head
        del lines[at]
        return "\n".join(lines), range(head + 1, len(lines) + 1)
    if kind == 1:  # a line twice
        at = luck.choice([n for n in range(head, foot) if len(lines[n]) > 6])
        lines.insert(at, lines[at])
        return "\n".join(lines), range(head + 1, foot + 4)
    if kind == 2:  # another score
        at = luck.choice((head, foot))
        lines[at] = re.sub(r"\((\d+)", lambda score: f"({int(score[1]) + luck.choice((1, 7, 40))}", lines[at])
    elif kind == 3:  # a word that is no card
        at = head + luck.choice((1, 3, 4, 5))
        word = luck.choice(("1H", "XX", "5H6", "!", "ten", "\x1b[2J"))
        lines[at] = re.sub(r"[A2-9TJQK][SHDC]", word, lines[at], count=1)
    elif kind == 4:  # a card in the hand that is also the starter
        starter = lines[head + 4].split()[-1]
        lines[head + 1] = starter + lines[head + 1][2:]
    elif kind == 5 and (counted := re.search(r"\((\d+)-(\d+)\)", lines[head + 2])):  # another count
        lines[head + 2] = lines[head + 2].replace(counted[0], f"({int(counted[1]) + 1}-{counted[2]})", 1)
    else:  # cut within the deal
        lines = lines[: luck.randrange(head + 1, foot)]
    return "\n".join(lines), range(block.start, block.stop + 1)
