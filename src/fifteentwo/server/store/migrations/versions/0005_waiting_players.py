"""Add the table of people who wait for an opponent."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "waiting_player",
        sa.Column("owner", sa.String(64), primary_key=True),
        *[
            sa.Column(name, sa.Text, nullable=False)
            for name in ("name", "length", "browser", "address", "opponent")
        ],
        *[sa.Column(name, sa.BigInteger, nullable=False) for name in ("move_seconds", "points", "since")],
        sa.Column("seen_at", sa.BigInteger, nullable=False, index=True),
        sa.Column("match_id", sa.String(32), nullable=True),
    )
