"""Which package may import which."""

ALLOWED: dict[str, set[str]] = {
    "rules": set(),
    # Worker processes end with the process that started them.
    "processes": set(),
    # Says which package is missing, and how it is installed.
    "extras": {"rules"},
    "fast": {"processes", "extras"},
    "i18n": {"rules"},
    "formats": {"rules"},
    "strategy": {"rules", "fast", "extras"},
    "analysis": {"rules", "fast", "strategy", "background_compilation", "extras"},
    "players": {"rules", "analysis", "strategy"},
    # The luck of a game is the only part of analysis.
    "contest": {"rules", "players", "processes", "analysis"},
    "environments": {"rules", "fast", "contest", "extras"},
    "cribbage_v0": {"environments"},
    # External programs as players; a level is one too.
    "engines": {"contest", "players", "rules"},
    "server": {
        *("contest", "players", "analysis", "strategy", "i18n", "rules", "formats", "processes"),
        *("library", "engines", "background_compilation"),
    },
    "background_compilation": {"fast", "processes"},
    # Compiles everything that is compiled.
    "prepare": {"contest", "fast", "rules"},
    "cli": {
        *("contest", "players", "analysis", "i18n", "rules", "server", "library"),
        *("prepare", "background_compilation", "formats", "engines", "extras"),
    },
    "library": {
        *("rules", "fast", "strategy", "analysis", "players", "contest", "formats", "i18n", "engines"),
        "extras",
    },
    "__main__": {"cli"},
    "__init__": {"rules", "players", "contest", "library", "engines"},
}
