"""Where this program keeps what belongs to a person; nothing here makes a folder."""

from pathlib import Path

import platformdirs


def games_file() -> Path:
    """Return the file of a person's games, whether it is there or not."""
    return Path(platformdirs.user_data_path("fifteentwo", appauthor=False)) / "games.sqlite3"
