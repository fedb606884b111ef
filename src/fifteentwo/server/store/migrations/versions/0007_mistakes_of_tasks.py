"""Let a mistake have no match, because mistakes in the daily deal's tasks have none."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint("mistake_match_id_fkey", "mistake", type_="foreignkey")
        return
    # SQLite copies the table, and this convention names the constraint that has no name.
    names = {"fk": "%(table_name)s_%(column_0_name)s_fkey"}
    with op.batch_alter_table("mistake", naming_convention=names) as table:
        table.drop_constraint("mistake_match_id_fkey", type_="foreignkey")
