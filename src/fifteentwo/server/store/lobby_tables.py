"""SQL tables of open places: which tables the lobby shows, and the codes of invitations."""

import sqlalchemy as sa

from fifteentwo.server.store.store import metadata

in_lobby = sa.Table(
    "in_lobby",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("handle", sa.String(16), nullable=False, unique=True),
    sa.Column("listed_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
"""Tables whose host shows them in the lobby: under which name there, since when, and when a player of the
table last looked (seconds since 1970). Whether a place is open, `person` says."""

place_code = sa.Table(
    "place_code",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("code", sa.String(16), nullable=False, unique=True),
)
"""The short code of each invitation. It is valid while the seat is open."""
