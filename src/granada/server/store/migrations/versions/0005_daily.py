"""The attempts at the daily deals, and their results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrate to this version."""
    op.create_table(
        "daily_attempts",
        sa.Column("edition", sa.String(16), primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
    )
    op.create_table(
        "daily_results",
        sa.Column("edition", sa.String(16), primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("margin", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_index("daily_results_by_points", "daily_results", ["edition", "day", "points", "margin"])


def downgrade() -> None:
    """Migrate to the previous version."""
    op.drop_table("daily_results")
    op.drop_table("daily_attempts")
