"""The command book: every discard of six cards or five, pegging, the card to print, the check, the files."""

from typing import Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, Group, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import json_option, lang_option, option

CLASSES = 962_988


class _OfBook(Command):
    """A command whose help stands under `help.book.` and its name."""

    def help_key(self) -> str:
        return f"help.book.{self.name}"


class _CardsDealt(Group):
    """A group whose words, where they name no command of it, are the cards dealt."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.commands:
            return super().parse_args(ctx, args)
        ctx.allow_interspersed_args = True
        return click.Command.parse_args(self, ctx, args)


@click.group(cls=_CardsDealt, invoke_without_command=True)
@option("--dealer", is_flag=True, help="help.discard.dealer")
@option("--pone", is_flag=True, help="help.discard.pone")
@option("--board", metavar="OWN-OPP", help="help.book.board")
@json_option
@lang_option
@click.pass_context
def book(ctx: click.Context, dealer: bool, pone: bool, board: str | None, as_json: bool) -> None:
    """Every discard of six cards, or five: fifteentwo book 5H 5S 6D 7C JC KD --pone --board 110-116."""
    if ctx.invoked_subcommand is not None:
        return
    from fifteentwo.analysis.book import entry as book_entry
    from fifteentwo.analysis.book import play as book_play
    from fifteentwo.cli.hands import position_of
    from fifteentwo.i18n.discards import book_table
    from fifteentwo.library.book import discard_position

    position = position_of(ctx.args, dealer=dealer, pone=pone, board=board)
    if position is not None and position.view().starter is not None:
        from fifteentwo.i18n.discards import play_table
        from fifteentwo.library.book import pegging_position

        report = book_play.report(book_play.position(pegging_position(position)))
        terminal.write_report(report, as_json, lambda: play_table(report, language(ctx)))
        return
    if position is not None:
        dealt, dealer, scores = discard_position(position)
    else:
        dealt = _dealt(ctx.args)
        if dealer == pone:
            wrong_usage("own-crib")
        scores = _scores(board, dealt, dealer)
    report = book_entry.report(book_entry.entry(dealt, dealer=dealer, board=scores))
    terminal.write_report(report, as_json, lambda: book_table(report, language(ctx)))


def _dealt(words: Any) -> Any:
    """Return six cards, or five; wrong usage or a refusal where they are none."""
    from fifteentwo.rules.cards import cards
    from fifteentwo.rules.errors import NotationError

    if not words:
        wrong_usage("book")
    written = " ".join(words)
    dealt = cards(written)
    if len(dealt) not in (5, 6):
        raise NotationError("cards-not-as-dealt", written, 6)
    return dealt


def _scores(board: str | None, dealt: Any, dealer: bool) -> tuple[int, int]:
    from fifteentwo.analysis.book.entry import first_board, rules_of
    from fifteentwo.cli.hands import board_of

    return board_of(board, rules_of(dealt)) or first_board(dealt, dealer)


@book.command("play", cls=_OfBook)
@click.argument("hand", nargs=-1, required=True)
@option("--dealer", is_flag=True, help="help.discard.dealer")
@option("--pone", is_flag=True, help="help.discard.pone")
@option("--board", metavar="OWN-OPP", help="help.book.board")
@option("--discarded", metavar="CARDS", required=True, help="help.book.discarded")
@option("--starter", metavar="CARD", required=True, help="help.score.starter")
@option("--played", metavar="CARDS", default="", help="help.book.played")
@json_option
@lang_option
def play(
    hand: tuple[str, ...],
    dealer: bool,
    pone: bool,
    board: str | None,
    discarded: str,
    starter: str,
    played: str,
    as_json: bool,
) -> None:
    """Every card at a position of the pegging."""
    from fifteentwo.analysis.book import play as book_play
    from fifteentwo.i18n.discards import play_table
    from fifteentwo.rules.cards import Card, cards

    dealt = _dealt(hand)
    if dealer == pone:
        wrong_usage("own-crib")
    asked = book_play.Asked(
        dealt=dealt,
        dealer=dealer,
        board=_scores(board, dealt, dealer),
        discard=cards(discarded),
        starter=Card(starter),
        played=cards(played),
    )
    report = book_play.report(book_play.position(asked))
    terminal.write_report(report, as_json, lambda: play_table(report, language()))


@book.command("card", cls=_OfBook)
@click.argument("hand", nargs=-1, required=True)
@json_option
@lang_option
def card(hand: tuple[str, ...], as_json: bool) -> None:
    """What to discard by the points that both sides still need, as dealer and as pone."""
    from fifteentwo.analysis.book import zones as book_zones
    from fifteentwo.i18n.discards import bands_table

    dealt = _dealt(hand)
    sides = [book_zones.report(book_zones.zones(dealt, dealer=dealer)) for dealer in (True, False)]
    terminal.write_report(
        {"sides": sides}, as_json, lambda: "\n\n".join(bands_table(side, language()) for side in sides)
    )
