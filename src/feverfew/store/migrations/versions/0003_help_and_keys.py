"""Make the tables of what the checker asks, and of the keys that programs carry."""

import sqlalchemy as sa
from alembic import op

import feverfew.store.database

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema up to this version."""
    time = feverfew.store.database.UtcTime(timezone=True)
    op.create_table(
        "asked",
        sa.Column("annotation_id", sa.Integer(), nullable=False),
        sa.Column("arm", sa.String(), nullable=False),
        sa.Column("refs", sa.JSON(), nullable=True),
        sa.Column("taken", sa.JSON(), nullable=False),
        sa.Column("answered", time, nullable=True),
        sa.Column("at", time, nullable=False),
        sa.ForeignKeyConstraint(["annotation_id"], ["annotation.id"]),
        sa.PrimaryKeyConstraint("annotation_id"),
    )
    op.create_table(
        "access_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("created", time, nullable=False),
        sa.Column("revoked", time, nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_access_key_person_id", "access_key", ["person_id"])


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("access_key")
    op.drop_table("asked")
