"""Tests of the static site in a browser."""
