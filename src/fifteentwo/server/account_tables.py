"""The tables of kept names beside the log: names, who is signed in, and ratings."""

import sqlalchemy as sa

from fifteentwo.server.store import metadata

account = sa.Table(
    "account",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("look", sa.String(64), nullable=False, unique=True),
    sa.Column("passphrase", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
)
"""Kept names. The owner is random: no cookie leads to it but a session's. `look`: names that look alike have
the same. Of the passphrase Argon2's hash."""

signed_in = sa.Table(
    "signed_in",
    metadata,
    sa.Column("session", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(64), sa.ForeignKey("account.owner"), nullable=False, index=True),
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
"""Browsers in which somebody is signed in: the hash of each one's token, and the day it was last seen."""

brought_along = sa.Table(
    "brought_along",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
)
"""People at tables who sat down as guests and kept their name afterwards: not rated there."""

rated = sa.Table(
    "rated",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("form", sa.String(16), nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
)
"""The rating of everybody rated after each game that counts; all of it follows from the log."""
