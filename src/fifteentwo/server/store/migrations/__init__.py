"""The tables' versions, for Alembic; `store._migrate` runs them."""
