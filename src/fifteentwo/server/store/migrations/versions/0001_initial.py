"""The schema of version 0.1.0, from which later migrations lead on."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: an empty database gets today's schema at once, and the newest revision as its stamp."""
