"""The commands score and discard: count hands, and compare the discards of a hand."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import FILE, json_option, lang_option, option, variant_option

if TYPE_CHECKING:
    from fifteentwo.rules.cards import Card

_CRIB = re.compile(r"(?i)\bcrib\b:?")
"""The mark of a line of `score --all` that is a crib."""
_HEADER = re.compile(r"(?i)\W*(?:hand|cards?|card ?1)\b")
"""The first line of a CSV file with names of columns."""


@click.command(cls=Command)
@click.argument("hand", nargs=-1)
@option("--starter", metavar="CARD", help="help.score.starter")
@option("--all", "file", type=FILE, help="help.score.all")
@option("--crib", is_flag=True, help="help.score.crib")
@option("--five-card", is_flag=True, help="help.score.five-card")
@json_option
@lang_option
def score(hand: tuple[str, ...], starter: str | None, file: Path | None, **chosen: bool) -> None:
    """Count a hand: fifteentwo score 5H 5S 5D JC --starter 5C."""
    cards = " ".join(hand).strip()
    if file is not None and not hand and starter is None:
        _score_all(file, **chosen)
    elif file is not None:
        wrong_usage("all-alone")
    elif not cards:
        wrong_usage("hand-and-starter")
    else:
        _score_one(cards, starter, **chosen)


def _score_one(written: str, starter: str | None, *, crib: bool, five_card: bool, as_json: bool) -> None:
    from msgspec import to_builtins

    from fifteentwo.i18n import spoken, text
    from fifteentwo.i18n.cards import cards_cell
    from fifteentwo.i18n.scores import near_miss_text
    from fifteentwo.library import hands
    from fifteentwo.rules.cards import cards as read_cards
    from fifteentwo.rules.near_misses import hand_near_misses

    size = 3 if five_card and not crib else 4
    if starter is None and len(read_cards(written)) == size:
        wrong_usage("no-starter", n=size + 1)
    made = hands.score(written, starter=starter, crib=crib, five_card=five_card)
    if as_json:
        terminal.write_json(made.to_dict())
        return
    scores, lang = made.items, language()
    cards = [[card.text for card in item.cards] for item in scores]
    if starter is None:
        terminal.write(text("report.score.starter", lang, card=cards_cell([made.starter.text], lang)))
    misses = to_builtins(hand_near_misses(made.hand, made.starter, crib=crib), enc_hook=str)
    for line in near_miss_text(misses, lang):
        terminal.write(line)
    counts = spoken(scores, lang)
    for line, held in zip(counts if len(counts) == len(scores) else [""] * len(scores), cards, strict=True):
        terminal.write(f"{cards_cell(held, lang):<16}{line}")
    terminal.write(f"{made.points}")


def _score_all(file: Path, *, crib: bool, five_card: bool, as_json: bool) -> None:
    from fifteentwo.cli.files import read_text
    from fifteentwo.library import hand_list

    lines = [_plain_line(line) for line in read_text(file).splitlines()]
    if lines and _HEADER.match(lines[0]):
        lines[0] = ""
    marked = [_CRIB.search(line) is not None for line in lines]
    points = hand_list.points(
        ["" if mark else line for line, mark in zip(lines, marked, strict=True)],
        crib=crib,
        five_card=five_card,
    )
    if any(marked):
        cribs = [_CRIB.sub(" ", line) if mark else "" for line, mark in zip(lines, marked, strict=True)]
        in_cribs = hand_list.points(cribs, crib=True)
        points = [
            second if mark else first for first, second, mark in zip(points, in_cribs, marked, strict=True)
        ]
    if as_json:
        terminal.write_json({"points": points})
    else:
        for made in points:
            print("" if made is None else made)


def _plain_line(line: str) -> str:
    """Return a line of a list without its note, and with spaces for the separators of CSV."""
    return re.sub("[\"',;\t]", " ", line.partition("#")[0])


def dealt_cards(written: str) -> tuple["Card", ...]:
    """Return the cards of a text. If it has ranks alone, add suits without a flush and say which."""
    from fifteentwo.formats.position import SUITS, in_order
    from fifteentwo.i18n import text
    from fifteentwo.rules.cards import cards, show_text

    plain = re.sub(r"[\s,-]", "", written).upper().replace("10", "T").replace("0", "T")
    if not re.fullmatch("[A2-9TJQK]+", plain):
        return cards(written)
    ranks = in_order(tuple(plain))
    held = cards(" ".join(rank + SUITS[place % 4] for place, rank in enumerate(ranks)))
    terminal.write_error(text("report.suits-assumed", language(), cards=show_text(held)))
    return held


dealer_option = option("--dealer", is_flag=True, help="help.discard.dealer")
pone_option = option("--pone", is_flag=True, help="help.discard.pone")


@click.command(cls=Command)
@click.argument("hand", nargs=-1)
@option("--all", "file", type=FILE, help="help.discard.all")
@dealer_option
@pone_option
@option("--board", metavar="OWN-OPP", help="help.discard.board")
@variant_option
@option("--why", is_flag=True, help="help.discard.why")
@json_option
@lang_option
def discard(hand: tuple[str, ...], file: Path | None, **chosen: Any) -> None:
    """List every discard of a hand, best first: fifteentwo discard 5H 5S 6D 7C JC KD --dealer."""
    about_one_hand = (hand, *(chosen[name] for name in ("dealer", "pone", "board", "why")))
    if file is not None and any(value not in ((), False, None) for value in about_one_hand):
        wrong_usage("positions-alone")
    if file is not None:
        _discard_all(file, chosen["as_json"])
    elif not hand:
        wrong_usage("hand-or-positions")
    else:
        _discard_one(hand, **chosen)


def _discard_all(file: Path, as_json: bool) -> None:
    """Print the best discard or card of each position in a file."""
    from fifteentwo.cli.files import read_bytes
    from fifteentwo.i18n import discards
    from fifteentwo.library.hands import DiscardOption
    from fifteentwo.library.position import positions_in
    from fifteentwo.rules.errors import InvalidArgument, NotationError

    found: list[dict[str, Any]] = []
    for line, position in positions_in(read_bytes(file)):
        try:
            best = position.best()
        except InvalidArgument as error:
            raise NotationError("position-line", position.text, line) from error
        # If a position has only ranks, the analysis assumed the suits: print the ranks alone.
        letters = 1 if position.assumed else 2
        row: dict[str, Any] = {"line": line, "position": position.text}
        if isinstance(best, DiscardOption):
            row |= {"keep": [card.text[:letters] for card in best.keep]}
            row |= {"discard": [card.text[:letters] for card in best.discard], "points": best.net}
        else:
            row |= {"card": best.card.text[:letters], "points": best.points}
        found.append(row | {"win": best.win})
    terminal.write_report({"positions": found}, as_json, lambda: discards.positions_table(found, language()))


def _discard_one(
    hand: tuple[str, ...],
    *,
    dealer: bool,
    pone: bool,
    board: str | None,
    variant: str,
    why: bool,
    as_json: bool,
) -> None:
    from fifteentwo.analysis.discards import discard as analysis
    from fifteentwo.analysis.discards import explain
    from fifteentwo.i18n import discards
    from fifteentwo.rules.cards import cards
    from fifteentwo.rules.errors import NotationError
    from fifteentwo.rules.state import Phase
    from fifteentwo.rules.variants import Rules, rules_for

    position = position_of(hand, dealer=dealer, pone=pone, board=board)
    if position is not None:
        seen = position.view()
        if seen.phase is not Phase.DISCARD:
            raise NotationError("position-not-at-discard", position.text)
        rules: Rules = position.rules
        held, dealer = seen.hand, rules.side(seen.dealer) == seen.side
        scores = position.score if rules.seats == 2 else None
    else:
        if dealer == pone:
            wrong_usage("own-crib")
        rules = rules_for(variant)
        held, scores = dealt_cards(" ".join(hand)), board_of(board, rules)
    if len(held) != rules.dealt:
        raise NotationError("cards-not-as-dealt", " ".join(hand), rules.dealt)
    report = analysis.report(held, own_crib=dealer, board=scores, variant=rules.variant, target=rules.target)
    if scores is not None and any(option["win"] is None for option in report["options"]):
        wrong_usage("no-chances")
    in_words = discards.options_table
    if why:
        best, second = (cards(" ".join(option["discard"])) for option in report["options"][:2])
        compared = explain.explain(held, best, second, own_crib=dealer, rules=rules, board=scores)
        report, in_words = explain.report(compared), discards.comparison
    terminal.write_report(report, as_json, lambda: in_words(report, language()))


def position_of(words: Sequence[str], *, dealer: bool, pone: bool, board: str | None) -> Any:
    """Return the Position that the arguments are, or None if they are cards or an option says more."""
    from fifteentwo.formats.position import looks_like_position

    written = " ".join(words)
    if dealer or pone or board is not None or not looks_like_position(written):
        return None
    from fifteentwo.library.position import Position

    return Position(written)


def board_of(written: str | None, rules: Any) -> tuple[int, int] | None:
    """Return both scores, the player's first. Raise UsageError if win probabilities of them are unknown."""
    if written is None:
        return None
    scores = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", written)
    if scores is None or max(int(scores[1]), int(scores[2])) >= rules.target:
        wrong_usage("board", target=rules.target)
    if rules.seats != 2:
        wrong_usage("no-chances")
    return int(scores[1]), int(scores[2])
