"""Run by Alembic: bring a database to a version of the schema."""

from alembic import context

from feverfew.store import arena_tables, claim_tables, people_tables, team_tables, work_tables
from feverfew.store.database import Base

TABLES = (people_tables, claim_tables, work_tables, team_tables, arena_tables)
"""Imported so that the schema is complete."""

# Alembic runs this file for its effect; whoever else imports it wants nothing done.
if connection := getattr(getattr(context, "config", None), "attributes", {}).get("connection"):
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
