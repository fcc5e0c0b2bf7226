"""The versions of the schema, for Alembic."""
