"""Tests of the documentation: its code and commands run, and the site is built."""
