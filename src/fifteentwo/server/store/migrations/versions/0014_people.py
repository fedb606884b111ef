"""Who took a seat from where, ratings that are added to, and usernames too much alike or given up.

Ratings are worked out again when a user first looks: by the rules of this version, for all games there are.
"""

import hashlib
import re
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

LOOKS = str.maketrans(
    {
        # Cyrillic, Greek and Armenian that look like Latin.
        **dict(zip("авекмнорстухіјѕԁԛԝҽһӏзьүѵԍәӕ", "abekmhopctyxijsdqwehl3byvgəæ", strict=True)),
        **dict(zip("αβγεζηικμνορτυχωϲ", "abyezhikmnoptuxwc", strict=True)),
        **dict(zip("օսոհցզլ", "ounhgql", strict=True)),
        # Figures that look like letters, and letters that look like others.
        **dict(zip("01|!〇ɑɡıȷɩĸƨ", "ollloagijik2", strict=True)),
        # Kanji and signs that look like kana.
        **dict(zip("カエオタチトニハヒヘムリロセミ", "力工才夕千卜二八匕へ厶り口せ三", strict=True)),
        **dict(
            zip(
                "ァアィイゥウェォャヤュユョヨッツヮワヵヶ",
                "アアイイウウ工才ヤヤユユヨヨツツワワ力ケ",
                strict=True,
            )
        ),
        **dict(zip("ぁぃぅぇぉゃゅょっゎ", "あいうえおやゆよつわ", strict=True)),
        **dict.fromkeys("一-‐‑–—―", "ー"),
        # The dot above i and j is there already.
        **dict.fromkeys("_'’.・· \u0307", ""),
    }
)
"""Letters that look alike, as this version of the tables had them (`people.usernames` may know more)."""
HYPHENS = re.compile("(?<![ァ-ヴー])[-‐‑–—―]")


def upgrade() -> None:
    op.create_table(
        "seated",
        sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("browser", sa.String(8), nullable=False),
        sa.Column("address", sa.String(8), nullable=False),
        sa.Column("sat_at", sa.BigInteger, nullable=False),
        sa.Column("opened", sa.Boolean, nullable=False),
        sa.Column("called", sa.Text, nullable=False),
    )
    op.create_index("ix_seated_opened", "seated", ["opened"])
    _finished()
    _ratings()
    _usernames()


def _finished() -> None:
    # With defaults for the rows there are; the program always says what it means.
    op.add_column("finished", sa.Column("ended_at", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("finished", sa.Column("weighed", sa.Boolean, nullable=False, server_default=sa.false()))
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    ended_at = "json_extract(body, '$.ended_at')" if is_sqlite else "(body::json->>'ended_at')::bigint"
    op.execute(f"UPDATE finished SET ended_at = {ended_at}")
    op.create_index("ix_finished_weighed", "finished", ["weighed"])


def _ratings() -> None:
    op.drop_table("rated")
    op.create_table(
        "rated",
        sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("others", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
    )
    op.create_index("ix_rated_form", "rated", ["form", "ended_at"])
    op.create_index("ix_rated_owner", "rated", ["owner", "form", "ended_at"])
    op.create_table(
        "rating",
        sa.Column("form", sa.String(16), primary_key=True),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("met", sa.Integer, nullable=False),
    )


def _usernames() -> None:
    op.create_table(
        "given_up",
        sa.Column("similar", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.add_column("account", sa.Column("similar", sa.String(64), nullable=True))
    connection = op.get_bind()
    account = sa.table("account", *[sa.column(name) for name in ("owner", "name", "made_at", "similar")])
    listed = sa.select(account.c.owner, account.c.name).order_by(account.c.made_at, account.c.owner)
    taken = set[str]()
    for owner, name in connection.execute(listed).all():
        # Of two that are alike already the older one keeps others away; both stay.
        if (key := similar(name)) not in taken:
            taken.add(key)
            connection.execute(account.update().where(account.c.owner == owner).values(similar=key))
    op.create_index("ix_account_similar", "account", ["similar"], unique=True)


def similar(name: str) -> str:
    """Return the key that usernames share where they look alike, a digest of their letters."""
    folded = unicodedata.normalize("NFKC", HYPHENS.sub("", unicodedata.normalize("NFKC", name))).casefold()
    folded = unicodedata.normalize("NFKD", folded)
    plain = folded.translate(LOOKS).replace("l", "i").replace("rn", "m").replace("vv", "w")
    return hashlib.sha256((plain or folded).encode(errors="replace")).hexdigest()
