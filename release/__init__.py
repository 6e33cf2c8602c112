"""The checks before a release, and the list of its components: `make release`."""
