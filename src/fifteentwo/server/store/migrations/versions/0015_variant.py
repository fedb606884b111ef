"""The column of the ratings that names the variant is called so."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.drop_index("ix_rated_form", "rated")
    for table in ("rated", "rating"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN form TO variant")
    op.create_index("ix_rated_variant", "rated", ["variant", "ended_at"])
