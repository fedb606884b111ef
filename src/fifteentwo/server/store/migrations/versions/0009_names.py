"""Accounts: usernames with a passphrase, and the browsers that are signed in."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("look", sa.String(64), nullable=False, unique=True),
        sa.Column("passphrase", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "signed_in",
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), sa.ForeignKey("account.owner"), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_signed_in_owner", "signed_in", ["owner"])
