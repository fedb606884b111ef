"""The extras of this package, and the error that says which extra to install.

`pip install fifteentwo` installs what the rules, the analysis and most commands need; pages need `table`.
"""

from importlib.util import find_spec

from fifteentwo.rules.errors import NotInstalled

MODULES = {
    "": ("click", "cloudpickle", "msgspec", "numpy", "platformdirs"),
    "table": (
        *("aiosqlite", "alembic", "argon2", "filelock", "fsrs", "h11", "jinja2", "markupsafe", "openskill"),
        *("prometheus_client", "segno", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    ),
    "fast": ("numba",),
    "cluster": ("distributed", "dask"),
    "postgres": ("psycopg",),
    "env": ("pettingzoo", "gymnasium"),
}
"""The modules of each extra, by import name. The key "" has the modules of every installation."""


def need(module: str) -> None:
    """Raise NotInstalled if a module of another package is missing. This does not import it."""
    if find_spec(module) is None:
        raise missing(module)


def missing(module: str) -> NotInstalled:
    """Return the error that says how to install a module.

    >>> missing("starlette.routing").install
    'pip install "fifteentwo[table]"'
    >>> missing("numpy").install
    'pip install numpy'
    """
    root = module.partition(".")[0]
    extra = next((extra for extra, modules in MODULES.items() if root in modules), "")
    return NotInstalled(extra, root)
