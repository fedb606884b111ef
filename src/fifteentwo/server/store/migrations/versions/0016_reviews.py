"""The review of a finished game is stored whole, next to its results."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("reviewed", sa.Column("course", sa.LargeBinary, nullable=True))
