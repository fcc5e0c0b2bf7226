"""Make the tables of teams and of the arena."""

import sqlalchemy as sa
from alembic import op

import feverfew.store.database

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema up to this version."""
    op.create_table(
        "submitted_file",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "team",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("organisers", sa.Boolean(), nullable=False),
        sa.Column("created", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "arena_task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("corpus", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("created", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "membership",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("since", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("team_id", "person_id"),
    )
    op.create_index(op.f("ix_membership_person_id"), "membership", ["person_id"], unique=False)
    op.create_table(
        "team_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("created", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.Column("revoked", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(op.f("ix_team_key_team_id"), "team_key", ["team_id"], unique=False)
    op.create_table(
        "arena_phase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("start", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.Column("end", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["arena_task.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("task_id", "name"),
    )
    op.create_table(
        "gold_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.Column("scored", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.Column("at", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["arena_task.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("task_id", "part", "version"),
    )
    op.create_table(
        "system_description",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("at", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["arena_task.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_description", "system_description", ["task_id", "team_id"], unique=False)
    op.create_table(
        "team_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("joined", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.Column("withdrawn", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["arena_task.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("task_id", "team_id"),
    )
    op.create_table(
        "team_invite",
        sa.Column("invite_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["invite_id"],
            ["invite.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("invite_id"),
    )
    op.create_table(
        "gold_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("gold_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("after", sa.String(), nullable=False),
        sa.Column("sets", sa.JSON(), nullable=False),
        sa.Column("annotations", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["gold_id"],
            ["gold_version.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_gold_change_gold_id"), "gold_change", ["gold_id"], unique=False)
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("baseline", sa.Boolean(), nullable=False),
        sa.Column("chosen", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.Column("hidden", feverfew.store.database.UtcTime(timezone=True), nullable=True),
        sa.Column("at", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["digest"],
            ["submitted_file.digest"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["phase_id"],
            ["arena_phase.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("phase_id", "team_id", "digest"),
        sa.UniqueConstraint("phase_id", "team_id", "number"),
    )
    op.create_index(op.f("ix_submission_team_id"), "submission", ["team_id"], unique=False)
    op.create_table(
        "pool_draw",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("claim_probability", sa.Double(), nullable=False),
        sa.Column("system_probability", sa.Double(), nullable=False),
        sa.Column("refs", sa.JSON(), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["claim_id"],
            ["claim.id"],
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
        ),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["arena_task.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("claim_id"),
        sa.UniqueConstraint("task_id", "part", "ordinal"),
    )
    op.create_table(
        "scoring_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("gold_id", sa.Integer(), nullable=False),
        sa.Column("scorer", sa.String(), nullable=False),
        sa.Column("means", sa.JSON(), nullable=False),
        sa.Column("intervals", sa.JSON(), nullable=False),
        sa.Column("points", sa.LargeBinary(), nullable=False),
        sa.Column("at", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["gold_id"],
            ["gold_version.id"],
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("submission_id", "gold_id"),
    )
    op.create_index(op.f("ix_scoring_run_gold_id"), "scoring_run", ["gold_id"], unique=False)
    op.create_table(
        "draw_coding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("draw_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("at", feverfew.store.database.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["draw_id"],
            ["pool_draw.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_draw_coding_draw_id"), "draw_coding", ["draw_id"], unique=False)
    op.create_table(
        "draw_team",
        sa.Column("draw_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["draw_id"],
            ["pool_draw.id"],
        ),
        sa.ForeignKeyConstraint(
            ["team_id"],
            ["team.id"],
        ),
        sa.PrimaryKeyConstraint("draw_id", "team_id"),
    )


def downgrade() -> None:
    """Go back to the version before."""
    for table in (
        "draw_team",
        "draw_coding",
        "scoring_run",
        "pool_draw",
        "submission",
        "gold_change",
        "team_invite",
        "team_entry",
        "system_description",
        "gold_version",
        "arena_phase",
        "team_key",
        "membership",
        "arena_task",
        "team",
        "submitted_file",
    ):
        op.drop_table(table)
