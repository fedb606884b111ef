"""The command book: the values of discards, of cards in pegging, and discards by the points needed."""

from typing import Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, Group, wrong_usage
from fifteentwo.cli.hands import board_of, dealer_option, dealt_cards, pone_option, position_of
from fifteentwo.cli.language import language
from fifteentwo.cli.options import json_option, lang_option, option


class _BookCommand(Command):
    """A command of the group book; its help has the key "help.book.NAME" in the catalogue."""

    def help_key(self) -> str:
        return f"help.book.{self.name}"


class _BookGroup(Group):
    """A group whose arguments are cards, unless the first argument names a command of the group."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.commands:
            return super().parse_args(ctx, args)
        ctx.allow_interspersed_args = True
        return click.Command.parse_args(self, ctx, args)


_board_option = option("--board", metavar="OWN-OPP", help="help.book.board")


@click.group(cls=_BookGroup, invoke_without_command=True)
@dealer_option
@pone_option
@_board_option
@json_option
@lang_option
@click.pass_context
def book(ctx: click.Context, dealer: bool, pone: bool, board: str | None, as_json: bool) -> None:
    """List every discard of six or five cards: fifteentwo book 5H 5S 6D 7C JC KD --pone --board 110-116."""
    if ctx.invoked_subcommand is not None:
        return
    from fifteentwo.analysis.book import entry as book_entry
    from fifteentwo.i18n.discards import book_table
    from fifteentwo.library.book import discard_position, pegging_position

    position = position_of(ctx.args, dealer=dealer, pone=pone, board=board)
    if position is not None and position.view().starter is not None:
        _write_pegging(pegging_position(position), as_json)
        return
    if position is not None:
        dealt, dealer, scores = discard_position(position)
    else:
        dealt = _read_dealt_cards(ctx.args)
        if dealer == pone:
            wrong_usage("own-crib")
        scores = _read_board_scores(board, dealt, dealer)
    report = book_entry.report(book_entry.entry(dealt, dealer=dealer, board=scores))
    terminal.write_report(report, as_json, lambda: book_table(report, language(ctx)))


def _read_dealt_cards(words: Any) -> Any:
    """Return the six or five cards dealt. Raise UsageError without words, NotationError for other cards."""
    from fifteentwo.rules.errors import NotationError

    if not words:
        wrong_usage("book")
    written = " ".join(words)
    dealt = dealt_cards(written)
    if len(dealt) not in (5, 6):
        raise NotationError("cards-not-as-dealt", written, 6)
    return dealt


def _read_board_scores(board: str | None, dealt: Any, dealer: bool) -> tuple[int, int]:
    from fifteentwo.analysis.book.entry import first_board, rules_of

    return board_of(board, rules_of(dealt)) or first_board(dealt, dealer)


def _write_pegging(asked: Any, as_json: bool) -> None:
    from fifteentwo.analysis.book import play as book_play
    from fifteentwo.i18n.discards import play_table

    report = book_play.report(book_play.position(asked))
    terminal.write_report(report, as_json, lambda: play_table(report, language()))


@book.command("play", cls=_BookCommand)
@click.argument("hand", nargs=-1, required=True)
@dealer_option
@pone_option
@_board_option
@option("--discarded", metavar="CARDS", required=True, help="help.book.discarded")
@option("--starter", metavar="CARD", required=True, help="help.score.starter")
@option("--played", metavar="CARDS", default="", help="help.book.played")
@json_option
@lang_option
def play(hand: tuple[str, ...], dealer: bool, pone: bool, board: str | None, **chosen: Any) -> None:
    """List the value of every card that may be played at a position in pegging."""
    from fifteentwo.analysis.book.play import Asked
    from fifteentwo.rules.cards import Card, cards

    dealt = _read_dealt_cards(hand)
    if dealer == pone:
        wrong_usage("own-crib")
    asked = Asked(
        dealt=dealt,
        dealer=dealer,
        board=_read_board_scores(board, dealt, dealer),
        discard=cards(chosen["discarded"]),
        starter=Card(chosen["starter"]),
        played=cards(chosen["played"]),
    )
    _write_pegging(asked, chosen["as_json"])


@book.command("card", cls=_BookCommand)
@click.argument("hand", nargs=-1, required=True)
@json_option
@lang_option
def card(hand: tuple[str, ...], as_json: bool) -> None:
    """List the best discards by the points that both sides still need, as dealer and as pone."""
    from fifteentwo.analysis.book import zones as book_zones
    from fifteentwo.i18n.discards import bands_table

    dealt = _read_dealt_cards(hand)
    sides = [book_zones.report(book_zones.zones(dealt, dealer=dealer)) for dealer in (True, False)]
    terminal.write_report(
        {"sides": sides}, as_json, lambda: "\n\n".join(bands_table(side, language()) for side in sides)
    )
