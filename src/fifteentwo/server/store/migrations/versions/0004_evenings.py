"""Add the tables of evenings at a club."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "evening",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("code", sa.String(16), nullable=False, unique=True),
        sa.Column("director", sa.String(64), nullable=False, index=True),
        sa.Column("season_id", sa.String(16), nullable=True, index=True),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "evening_player",
        sa.Column("evening_id", sa.String(16), sa.ForeignKey("evening.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", sa.String(64), nullable=True, index=True),
        sa.Column("level", sa.String(32), nullable=True),
        sa.UniqueConstraint("evening_id", "owner", name="uq_evening_player_owner"),
    )
    op.create_table(
        "evening_row",
        sa.Column("evening_id", sa.String(16), sa.ForeignKey("evening.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
