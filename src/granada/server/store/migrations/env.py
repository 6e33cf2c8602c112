"""Run by Alembic: migrates over the connection that the store opened."""

from __future__ import annotations

from alembic import context

from granada.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
