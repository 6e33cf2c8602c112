"""Tables, their entries, and programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrate to this version."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("listing", sa.Text, nullable=False),
    )
    op.create_index("tables_by_phase", "tables", ["phase", "is_public", "created_at"])
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("command", sa.String(96)),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("table_id", "command", name="one_entry_a_command"),
    )
    op.create_table(
        "programs",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Migrate to the previous version."""
    op.drop_table("programs")
    op.drop_table("entries")
    op.drop_table("tables")
