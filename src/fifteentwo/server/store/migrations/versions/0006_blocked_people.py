"""Add the table of blocked people."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "blocked_person",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("blocked", sa.String(64), primary_key=True, index=True),
    )
