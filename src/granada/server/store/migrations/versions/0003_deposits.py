"""Identities on their way to another browser."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Migrate to this version."""
    op.create_table(
        "deposits",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False, unique=True),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Migrate to the previous version."""
    op.drop_table("deposits")
