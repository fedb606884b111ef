"""Line breaks of help texts: a Japanese sign is two columns wide, and names are never broken."""

import re
from collections.abc import Iterable

import click

from fifteentwo.i18n.figures import display_width

_PIECE_PATTERN = re.compile(r"\s+|[「（[]*(?:[!-~]+|[^\s!-~])[、。：；）」ー％ゃゅょっャュョッィェァ…]*")
"""A piece without a break: spaces, a word of ASCII signs, or a Japanese sign with the marks around it."""
_MIN_MEANING_COLUMNS = 10
_GAP_COLUMNS = 2
_MAX_TERM_COLUMNS = 30
"""If a term is wider, its meaning begins on the next line."""


def wrapped(paragraph: str, width: int) -> list[str]:
    """Return the lines of a paragraph, broken at spaces and between Japanese signs.

    >>> wrapped("コピーはpg_dumpで作ります。", 16)
    ['コピーはpg_dump', 'で作ります。']
    """
    lines = [""]
    for piece in _PIECE_PATTERN.findall(paragraph):
        if lines[-1] and display_width(lines[-1] + piece.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        if lines[-1] or not piece.isspace():
            lines[-1] += piece
    return lines


class HelpFormatter(click.HelpFormatter):
    """click's formatter, which counts columns instead of characters."""

    def write_heading(self, heading: str) -> None:
        """Write a heading. A Japanese heading ends with a wide colon."""
        colon = "：" if display_width(heading) > len(heading) else ":"
        self.write(f"{' ' * self.current_indent}{heading}{colon}\n")

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            self.write("\n" * bool(number))
            for line in wrapped(" ".join(paragraph.split()), self.width - self.current_indent):
                self.write(f"{indent}{line}\n")

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = _MAX_TERM_COLUMNS,
        col_spacing: int = _GAP_COLUMNS,
    ) -> None:
        rows, indent = list(rows), " " * self.current_indent
        column = min(max(display_width(term) for term, _ in rows), col_max) + col_spacing
        for term, meaning in rows:
            first, *others = wrapped(
                meaning, max(self.width - self.current_indent - column, _MIN_MEANING_COLUMNS)
            )
            if display_width(term) > col_max:
                self.write(f"{indent}{term}\n")
                term = ""
            self.write(f"{indent}{term}{' ' * (column - display_width(term))}{first}".rstrip() + "\n")
            for line in others:
                self.write(f"{indent}{' ' * column}{line}\n")


class Context(click.Context):
    """A click context whose help is formatted by HelpFormatter."""

    formatter_class = HelpFormatter
