"""Add the table of discards of the daily deal."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "daily_discard",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("cards", sa.String(8), nullable=False),
        sa.Index("ix_daily_discard_owner", "owner"),
    )
