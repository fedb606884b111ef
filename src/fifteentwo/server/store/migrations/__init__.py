"""The tables' versions, for Alembic; `store.migrate` runs them."""
