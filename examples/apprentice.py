"""The trained policy of docs/learning.md as a bot for `--bot-file examples/apprentice.py`, named `apprentice`.

For your own weights, derive a class from `PolicyBot` and set its `WEIGHTS` to the path of your file.
"""

from __future__ import annotations

from granada.learning.baselines.policy_bot import PolicyBot

BOTS = {"apprentice": PolicyBot}
