"""The schema of version 0.1.0, on which later migrations build."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: an empty database gets the present schema and the newest revision at once."""
