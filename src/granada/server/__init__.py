"""The table server: people and bots play together, nothing is lost, nothing leaks."""
