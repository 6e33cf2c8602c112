"""The arena: tournaments between bots, on this machine or on a Ray cluster, their ratings and reports."""
