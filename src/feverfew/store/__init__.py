"""What people's work is kept in: SQLAlchemy over SQLite or PostgreSQL, with Alembic migrations."""
