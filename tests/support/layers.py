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
    "analysis": {"rules", "fast", "strategy", "processes", "extras"},
    # Of contest only the executor: the solver and the arena run their jobs in one way.
    "solver": {"analysis", "strategy", "fast", "rules", "contest", "extras"},
    "players": {"rules", "analysis", "strategy"},
    "contest": {"rules", "players", "processes"},
    "server": {"contest", "players", "analysis", "strategy", "i18n", "rules", "formats", "processes"},
    # Compiles everything that is compiled.
    "prepare": {"contest", "fast", "rules"},
    "bench": {"fast"},
    "cli": {
        *("contest", "players", "analysis", "i18n", "rules", "server"),
        *("solver", "bench", "prepare", "formats", "extras"),
    },
    "__main__": {"cli"},
    "__init__": {"rules"},
}
