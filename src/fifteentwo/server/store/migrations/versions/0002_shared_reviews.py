"""Add the table of shared reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "shared_review",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False, index=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False, index=True),
    )
