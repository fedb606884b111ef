"""Alembic's way in: always within a connection that the store has opened."""

from alembic import context

from fifteentwo.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
