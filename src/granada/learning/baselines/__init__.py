"""Baselines: a policy in NumPy, trained by policy gradients or by cloning bots, and masked PPO in PyTorch.

May import: rules, records, drawing, bots, arena. Start reading: `policy.py`, then `policy_gradient.py`.
"""
