"""The value of positions and actions: evaluation, quick policy, roll-outs, and the learned model with its training.

Compiled like the rules, except for the learned model, which is computed by NumPy or by an installed function.
May import: rules. Start reading: `rollout.py`.
"""
