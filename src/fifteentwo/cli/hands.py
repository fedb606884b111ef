"""Commands about one hand: score, discard."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import FILE, json_option, lang_option, option, variant_option


@click.command(cls=Command)
@click.argument("hand", nargs=-1)
@option("--starter", metavar="CARD", help="help.score.starter")
@option("--all", "file", type=FILE, help="help.score.all")
@option("--crib", is_flag=True, help="help.score.crib")
@option("--five-card", is_flag=True, help="help.score.five-card")
@json_option
@lang_option
def score(
    hand: tuple[str, ...],
    starter: str | None,
    file: Path | None,
    crib: bool,
    five_card: bool,
    as_json: bool,
) -> None:
    """Count a hand: fifteentwo score 5H 5S 5D JC --starter 5C."""
    cards = " ".join(hand).strip()
    if file is not None and not hand and starter is None:
        _score_all(file, crib, five_card, as_json)
    elif file is not None:
        wrong_usage("all-alone")
    elif not cards or starter is None:
        wrong_usage("hand-and-starter")
    else:
        _score_one(cards, starter, crib, five_card, as_json)


def _score_one(written: str, starter: str, crib: bool, five_card: bool, as_json: bool) -> None:
    from msgspec import to_builtins

    from fifteentwo.i18n import spoken
    from fifteentwo.i18n.cards import cards_cell
    from fifteentwo.i18n.scores import near_miss_text
    from fifteentwo.library import hands
    from fifteentwo.rules.near_misses import hand_near_misses

    made = hands.score(written, starter=starter, crib=crib, five_card=five_card)
    held, turned, scores = made.hand, made.starter, made.items
    total = 0
    counted = []
    for item in scores:
        total += item.points
        counted.append(
            {
                "name": item.name.value,
                "cards": [card.text for card in item.cards],
                "points": item.points,
                "total": total,
                "rule": item.rule,
            }
        )
    if as_json:
        terminal.write_json({"points": total, "scores": counted})
        return
    lang = language()
    for line in near_miss_text(to_builtins(hand_near_misses(held, turned, crib=crib), enc_hook=str), lang):
        terminal.write(line)
    counts = spoken(scores, lang)
    for line, item in zip(counts if len(counts) == len(scores) else [""] * len(scores), scores, strict=True):
        terminal.write(f"{cards_cell([card.text for card in item.cards], lang):<16}{line}")
    terminal.write(f"{total}")


def _score_all(file: Path, crib: bool, five_card: bool, as_json: bool) -> None:
    from fifteentwo.cli.files import text_of
    from fifteentwo.library import hand_list

    lines = text_of(file).splitlines()
    points = hand_list.points(lines, crib=crib, five_card=five_card)
    if as_json:
        terminal.write_json({"points": points})
    else:
        for made in points:
            print("" if made is None else made)


@click.command(cls=Command)
@click.argument("hand", nargs=-1)
@option("--all", "file", type=FILE, help="help.discard.all")
@option("--dealer", is_flag=True, help="help.discard.dealer")
@option("--pone", is_flag=True, help="help.discard.pone")
@option("--board", metavar="OWN-OPP", help="help.discard.board")
@variant_option
@option("--why", is_flag=True, help="help.discard.why")
@json_option
@lang_option
def discard(
    hand: tuple[str, ...],
    file: Path | None,
    dealer: bool,
    pone: bool,
    board: str | None,
    variant: str,
    why: bool,
    as_json: bool,
) -> None:
    """Every discard of a hand, best first: fifteentwo discard 5H 5S 6D 7C JC KD --dealer."""
    if file is not None and (hand or dealer or pone or board is not None or why):
        wrong_usage("positions-alone")
    if file is not None:
        _best_of_all(file, as_json)
    elif not hand:
        wrong_usage("hand-or-positions")
    else:
        _discard_one(hand, dealer=dealer, pone=pone, board=board, variant=variant, why=why, as_json=as_json)


def _best_of_all(file: Path, as_json: bool) -> None:
    """The best choice in each position of a file."""
    from fifteentwo.cli.files import bytes_of
    from fifteentwo.i18n import discards
    from fifteentwo.library.hands import DiscardOption
    from fifteentwo.library.position import positions_in
    from fifteentwo.rules.errors import InvalidArgument, NotationError

    found: list[dict[str, Any]] = []
    for line, position in positions_in(bytes_of(file)):
        try:
            best = position.best()
        except InvalidArgument as error:
            raise NotationError("position-line", position.text, line) from error
        # Where ranks are all that is known, suits would only be those of the analysis.
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
        held, scores = cards(" ".join(hand)), board_of(board, rules)
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
    """Return the position that is typed instead of a hand, a role and a board; None where it is a hand."""
    from fifteentwo.formats.position import looks_like_position

    written = " ".join(words)
    if dealer or pone or board is not None or not looks_like_position(written):
        return None
    from fifteentwo.library.position import Position

    return Position(written)


def board_of(written: str | None, rules: Any) -> tuple[int, int] | None:
    """Return both scores, own first; wrong usage where they are none, or no chances are known."""
    if written is None:
        return None
    scores = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", written)
    if scores is None or max(int(scores[1]), int(scores[2])) >= rules.target:
        wrong_usage("board", target=rules.target)
    if rules.seats != 2:
        wrong_usage("no-chances")
    return int(scores[1]), int(scores[2])
