"""What tables wait for, whose they are, and when a process last ran."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrate to this version; the server fills the tables when it loads its games."""
    op.create_table(
        "outlooks",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("due_at", sa.BigInteger),
        sa.Column("kept_until", sa.BigInteger),
    )
    op.create_index("outlooks_by_due", "outlooks", ["due_at"])
    op.create_table(
        "people",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seats", sa.String(16), nullable=False),
    )
    op.create_index("people_by_table", "people", ["table_id"])
    op.create_table(
        "heartbeats",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Migrate to the previous version."""
    op.drop_table("heartbeats")
    op.drop_table("people")
    op.drop_table("outlooks")
