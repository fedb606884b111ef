"""The schema of version 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _match_id() -> sa.Column[str]:
    return sa.Column("match_id", sa.String(32), sa.ForeignKey("match.id"), primary_key=True)


def upgrade() -> None:
    _matches()
    _lobby()
    _history()
    _accounts()


def _matches() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("held_by", sa.String(32), nullable=True),
        sa.Column("page_seen_at", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "player",
        _match_id(),
        sa.Column("player_number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("level", sa.String(32), nullable=True),
        sa.Column("invitation", sa.String(64), nullable=True),
        sa.Column("owner", sa.String(64), nullable=True),
    )
    op.create_index("ix_player_owner", "player", ["owner"])
    op.create_table(
        "taken_seat",
        _match_id(),
        sa.Column("player_number", sa.Integer, primary_key=True),
        sa.Column("browser", sa.String(8), nullable=False),
        sa.Column("address", sa.String(8), nullable=False),
        sa.Column("taken_at", sa.BigInteger, nullable=False),
        sa.Column("has_opened_page", sa.Boolean, nullable=False),
        sa.Column("previous_name", sa.Text, nullable=False),
    )
    op.create_index("ix_taken_seat_has_opened_page", "taken_seat", ["has_opened_page"])
    op.create_table(
        "log_row",
        _match_id(),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "game_start",
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )


def _lobby() -> None:
    op.create_table(
        "lobby_listing",
        _match_id(),
        sa.Column("handle", sa.String(16), nullable=False, unique=True),
        sa.Column("listed_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_lobby_listing_listed_at", "lobby_listing", ["listed_at"])
    op.create_table(
        "invitation_code",
        _match_id(),
        sa.Column("player_number", sa.Integer, primary_key=True),
        sa.Column("code", sa.String(16), nullable=False, unique=True),
    )


def _history() -> None:
    op.create_table(
        "history_progress",
        _match_id(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("has_open_game", sa.Boolean, nullable=False),
    )
    op.create_table(
        "finished_game",
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("is_rating_done", sa.Boolean, nullable=False),
    )
    op.create_index("ix_finished_game_is_rating_done", "finished_game", ["is_rating_done"])
    op.create_table(
        "review",
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
        sa.Column("engine", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("findings", sa.LargeBinary, nullable=True),
    )
    op.create_table(
        "hidden_game",
        sa.Column("owner", sa.String(64), primary_key=True),
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
    )
    op.create_table(
        "mistake",
        sa.Column("owner", sa.String(64), primary_key=True),
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("ix_mistake_due_at", "mistake", ["due_at"])
    op.create_table(
        "searched_game",
        sa.Column("owner", sa.String(64), primary_key=True),
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
    )


def _accounts() -> None:
    op.create_table(
        "account",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.String(64), nullable=False, unique=True),
        sa.Column("passphrase_hash", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("similarity_key", sa.String(64), nullable=False, unique=True),
    )
    op.create_table(
        "reserved_username",
        sa.Column("similarity_key", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "signed_in_browser",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), sa.ForeignKey("account.owner"), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_signed_in_browser_owner", "signed_in_browser", ["owner"])
    op.create_table(
        "guest_seat",
        _match_id(),
        sa.Column("player_number", sa.Integer, primary_key=True),
    )
    op.create_table(
        "game_rating",
        _match_id(),
        sa.Column("game_number", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
    )
    op.create_index("ix_game_rating_owner", "game_rating", ["owner", "variant"])
    op.create_table(
        "rating",
        sa.Column("variant", sa.String(16), primary_key=True),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("opponents", sa.Integer, nullable=False),
    )
