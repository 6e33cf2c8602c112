"""The game: no dependency, no clock, no random generator. Modules follow docs/rules.md chapter by chapter."""
