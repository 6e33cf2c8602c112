"""The distributions, and what somebody does with them who sees Granada for the first time."""
