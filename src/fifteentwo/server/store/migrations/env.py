"""Alembic's entry point, which always runs in a connection that the store has opened."""

from alembic import context

from fifteentwo.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
