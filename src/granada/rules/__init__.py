"""The game: no dependency, no clock, no random generator. Modules follow RULES.md chapter by chapter."""
