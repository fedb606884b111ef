"""The column of the ratings that names the variant is called so."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rename("form", "variant")


def downgrade() -> None:
    _rename("variant", "form")


def _rename(old: str, new: str) -> None:
    op.drop_index(f"ix_rated_{old}", "rated")
    for table in ("rated", "rating"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    op.create_index(f"ix_rated_{new}", "rated", [new, "ended_at"])
