"""The SQL tables: a table of seats is stored as a match, and times are seconds since 1970.

Another schema needs a migration.
"""

from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData()


def _match_id_column(**options: Any) -> sa.Column[str]:
    return sa.Column("match_id", sa.String(32), sa.ForeignKey("match.id"), primary_key=True, **options)


match = sa.Table(
    "match",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("held_by", sa.String(32), nullable=True),
    sa.Column("page_seen_at", sa.BigInteger, nullable=True),
)
"""Matches. `held_by` names the process that last opened a page of the match, and alone appends to its log;
`page_seen_at`: when a player last had a page of the match open."""

player = sa.Table(
    "player",
    metadata,
    _match_id_column(),
    sa.Column("player_number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("level", sa.String(32), nullable=True),
    sa.Column("invitation", sa.String(64), nullable=True),
    sa.Column("owner", sa.String(64), nullable=True, index=True),
)
"""The players of each match, computers and open seats too. `owner`: the session or account that plays."""

taken_seat = sa.Table(
    "taken_seat",
    metadata,
    _match_id_column(),
    sa.Column("player_number", sa.Integer, primary_key=True),
    sa.Column("browser", sa.String(8), nullable=False),
    sa.Column("address", sa.String(8), nullable=False),
    sa.Column("taken_at", sa.BigInteger, nullable=False),
    sa.Column("has_opened_page", sa.Boolean, nullable=False, index=True),
    sa.Column("previous_name", sa.Text, nullable=False),
)
"""Seats that people took in matches of several people: from which browser and address (16 bits of a digest of
each), when, whether they have opened the page of the match since, and the seat's previous name."""

log_row = sa.Table(
    "log_row",
    metadata,
    _match_id_column(),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("type", sa.String(16), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=True),
)
"""The append-only log of each match, numbered from 1 without a gap."""

game_start = sa.Table(
    "game_start",
    metadata,
    _match_id_column(),
    sa.Column("game_number", sa.Integer, primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
"""The starts of the second and later games of a match: the log row, the version that pages then have, and the
score of the match. All of it follows from the log."""

history_progress = sa.Table(
    "history_progress",
    metadata,
    _match_id_column(),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("has_open_game", sa.Boolean, nullable=False),
)
"""The row of the log up to which a match's finished games are stored, and whether a game was open then."""

finished_game = sa.Table(
    "finished_game",
    metadata,
    _match_id_column(),
    sa.Column("game_number", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("is_rating_done", sa.Boolean, nullable=False, index=True),
)
"""Finished games as the history lists and counts them; all of it follows from the log. `is_rating_done`:
whether the game was rated, or found not to count."""

review = sa.Table(
    "review",
    metadata,
    _match_id_column(),
    sa.Column("game_number", sa.Integer, primary_key=True),
    sa.Column("engine", sa.String(64), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("findings", sa.LargeBinary, nullable=True),
)
"""The results of a review for each seat, the engine that made it, and its findings (`study.reviews`; none if
the review failed)."""

hidden_game = sa.Table(
    "hidden_game",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    _match_id_column(),
    sa.Column("game_number", sa.Integer, primary_key=True),
)
"""Games that a user has hidden from their history; the log keeps them. See UNFINISHED_GAME_NUMBER."""
UNFINISHED_GAME_NUMBER = 0
"""Number of a match's open game in `hidden_game`, hidden from the home page until it is finished."""

mistake = sa.Table(
    "mistake",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("match_id", sa.String(32), primary_key=True),
    sa.Column("game_number", sa.Integer, primary_key=True),
    sa.Column("step", sa.Integer, primary_key=True),
    sa.Column("due_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
)
"""Mistakes that the player who made them practises, and when each is due. Mistakes in a daily
deal's tasks have the day's name as `match_id`."""

searched_game = sa.Table(
    "searched_game",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    _match_id_column(),
    sa.Column("game_number", sa.Integer, primary_key=True),
)
"""Finished games that were searched for a user's mistakes."""

account = sa.Table(
    "account",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("name_key", sa.String(64), nullable=False, unique=True),
    sa.Column("passphrase_hash", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("similarity_key", sa.String(64), nullable=False, unique=True),
)
"""Accounts. The owner is random; only a session's cookie leads to it. `name_key`: equal for spellings of one
name, and used to sign in; `similarity_key`: equal for names that are too similar for two accounts."""

reserved_username = sa.Table(
    "reserved_username",
    metadata,
    sa.Column("similarity_key", sa.String(64), primary_key=True),
    sa.Column("until", sa.BigInteger, nullable=False),
)
"""Usernames of deleted accounts, and until when no other account may take them."""

signed_in_browser = sa.Table(
    "signed_in_browser",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(64), sa.ForeignKey("account.owner"), nullable=False, index=True),
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
"""Browsers in which a user is signed in, and the day each was last used."""

guest_seat = sa.Table(
    "guest_seat", metadata, _match_id_column(), sa.Column("player_number", sa.Integer, primary_key=True)
)
"""Players who took their seat as a guest and handed it over to an account afterwards: they are not rated."""

game_rating = sa.Table(
    "game_rating",
    metadata,
    _match_id_column(),
    sa.Column("game_number", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("variant", sa.String(16), nullable=False),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Index("ix_game_rating_owner", "owner", "variant"),
)
"""Rated games: a row for each rated player with their side and their rating after the game. After an account
is deleted, its rows have an owner without an account."""

rating = sa.Table(
    "rating",
    metadata,
    sa.Column("variant", sa.String(16), primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("opponents", sa.Integer, nullable=False),
)
"""The present rating of each user, and the number of games and of different opponents behind it."""

lobby_listing = sa.Table(
    "lobby_listing",
    metadata,
    _match_id_column(),
    sa.Column("handle", sa.String(16), nullable=False, unique=True),
    sa.Column("listed_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
"""Matches that their host lists in the lobby: their public name, since when, and when a player last had a
page of the match open. `player` says which seats are open."""

invitation_code = sa.Table(
    "invitation_code",
    metadata,
    _match_id_column(),
    sa.Column("player_number", sa.Integer, primary_key=True),
    sa.Column("code", sa.String(16), nullable=False, unique=True),
)
"""The short code of each invitation, valid while the seat is open."""

shared_review = sa.Table(
    "shared_review",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False, index=True),
)
"""Reviews that a user shares under an unguessable id: the record as in a link, and when it expires."""

daily_discard = sa.Table(
    "daily_discard",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("cards", sa.String(8), nullable=False),
    sa.Index("ix_daily_discard_owner", "owner"),
)
"""The first discard of each user in each day's deal, for example "4C JH". Only counts are shown to others."""

evening = sa.Table(
    "evening",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("code", sa.String(16), nullable=False, unique=True),
    sa.Column("director", sa.String(64), nullable=False, index=True),
    sa.Column("season_id", sa.String(16), nullable=True, index=True),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
"""Evenings at a club: the code for checking in, the director's account, an id that all evenings of a season
have, and what was agreed, as JSON."""

evening_player = sa.Table(
    "evening_player",
    metadata,
    sa.Column("evening_id", sa.String(16), sa.ForeignKey("evening.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("owner", sa.String(64), nullable=True, index=True),
    sa.Column("level", sa.String(32), nullable=True),
    sa.UniqueConstraint("evening_id", "owner", name="uq_evening_player_owner"),
)
"""The people of each evening, and the levels that play for somebody. `owner`: the session or account."""

evening_row = sa.Table(
    "evening_row",
    metadata,
    sa.Column("evening_id", sa.String(16), sa.ForeignKey("evening.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
"""The append-only log of each evening, numbered from 1 without a gap: arrivals, rounds, results, corrections.
Only a director's reason or a player's report can contain a name. `club.evening` has the events."""

blocked_person = sa.Table(
    "blocked_person",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("blocked", sa.String(64), primary_key=True, index=True),
)
"""People whom a user has blocked; both are a session or an account (`people.blocking`)."""

waiting_player = sa.Table(
    "waiting_player",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    *[
        sa.Column(name, sa.Text, nullable=False)
        for name in ("name", "length", "browser", "address", "opponent")
    ],
    *[sa.Column(name, sa.BigInteger, nullable=False) for name in ("move_seconds", "points", "since")],
    sa.Column("seen_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("match_id", sa.String(32), nullable=True),
)
"""The last wait of each person who pressed "Play now": what they chose, their rating, since when they wait or
are paired, when their page last asked (0: they stopped), and match and opponent of their last pairing. The
match is created after the pairing. `browser` and `address`: see `taken_seat`."""


def tables_of_a_match() -> list[sa.Table]:
    """Return the tables whose rows belong to a match, in an order in which they can be deleted."""
    return [table for table in reversed(metadata.sorted_tables) if "match_id" in table.c]
