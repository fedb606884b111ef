"""SQL tables of accounts: usernames, sessions, ratings."""

import sqlalchemy as sa

from fifteentwo.server.store.store import metadata

account = sa.Table(
    "account",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("look", sa.String(64), nullable=False, unique=True),
    sa.Column("passphrase", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("similar", sa.String(64), nullable=True, unique=True, index=True),
)
"""Accounts. The owner is random: no cookie leads to it but a session's. `look`: names that look alike have
the same, and one signs in by it; `similar`: names that are too much alike for a second account have the same
(none where two accounts of an earlier version do). Of the passphrase Argon2's hash."""

given_up = sa.Table(
    "given_up",
    metadata,
    sa.Column("similar", sa.String(64), primary_key=True),
    sa.Column("until", sa.BigInteger, nullable=False),
)
"""Usernames of deleted accounts, by `similar`, and until when no other account may have them."""

signed_in = sa.Table(
    "signed_in",
    metadata,
    sa.Column("session", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(64), sa.ForeignKey("account.owner"), nullable=False, index=True),
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
"""Browsers in which a user is signed in: the hash of each one's token, and the day it was last seen."""

brought_along = sa.Table(
    "brought_along",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
)
"""People at tables who sat down as guests and created an account afterwards: not rated there."""

rated = sa.Table(
    "rated",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("variant", sa.String(16), nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("others", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Index("ix_rated_variant", "variant", "ended_at"),
    sa.Index("ix_rated_owner", "owner", "variant", "ended_at"),
)
"""The games that count: every rated player in each with their side, its place and how many others it had, and
the rating after it. A deleted account's rows stay under an owner without an account: others' ratings hold."""

rating = sa.Table(
    "rating",
    metadata,
    sa.Column("variant", sa.String(16), primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("met", sa.Integer, nullable=False),
)
"""Everybody's present rating, after how many games, and against how many different people."""
