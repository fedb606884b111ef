"""Help in lines as wide as the terminal, where Japanese takes two columns and names are never broken."""

import re
from collections.abc import Iterable

import click

from fifteentwo.i18n.figures import display_width

_PIECE = re.compile(r"\s+|[「（[]*(?:[!-~]+|[^\s!-~])[、。：；）」ー％ゃゅょっャュョッィェァ…]*")
"""What stays on one line: a space, a word of ASCII signs, or one Japanese sign with the marks around it."""
_LEAST, _GAP, _LONGEST_TERM = 10, 2, 30
"""Columns of an explanation, between it and its term, and of a term on whose line it may begin."""


def wrapped(paragraph: str, width: int) -> list[str]:
    """Return the lines of a paragraph, broken at spaces and between Japanese signs.

    >>> wrapped("コピーはpg_dumpで作ります。", 16)
    ['コピーはpg_dump', 'で作ります。']
    """
    lines = [""]
    for piece in _PIECE.findall(paragraph):
        if lines[-1] and display_width(lines[-1] + piece.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        if lines[-1] or not piece.isspace():
            lines[-1] += piece
    return lines


class HelpFormatter(click.HelpFormatter):
    """click's, by columns instead of signs."""

    def write_heading(self, heading: str) -> None:
        """Write a heading; a Japanese one with its own colon."""
        colon = "：" if display_width(heading) > len(heading) else ":"
        self.write(f"{' ' * self.current_indent}{heading}{colon}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        indent = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            self.write("\n" * bool(number))
            for line in wrapped(" ".join(paragraph.split()), self.width - self.current_indent):
                self.write(f"{indent}{line}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _LONGEST_TERM, col_spacing: int = _GAP
    ) -> None:
        """Write terms and what they mean."""
        rows, indent = list(rows), " " * self.current_indent
        column = min(max(display_width(term) for term, _ in rows), col_max) + col_spacing
        for term, meaning in rows:
            first, *others = wrapped(meaning, max(self.width - self.current_indent - column, _LEAST))
            if display_width(term) > col_max:
                self.write(f"{indent}{term}\n")
                term = ""
            self.write(f"{indent}{term}{' ' * (column - display_width(term))}{first}".rstrip() + "\n")
            for line in others:
                self.write(f"{indent}{' ' * column}{line}\n")


class Context(click.Context):
    """A call whose help is written so."""

    formatter_class = HelpFormatter
