"""When programs were last used, on which days the server ran, and a row for test writes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrate to this version."""
    op.add_column("programs", sa.Column("used_at", sa.BigInteger))
    op.create_table(
        "service_days",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "probes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Migrate to the previous version."""
    op.drop_table("probes")
    op.drop_table("service_days")
    with op.batch_alter_table("programs") as programs:
        programs.drop_column("used_at")
