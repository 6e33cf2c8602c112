"""The documentation site: what MkDocs does not do by itself.

`mkdocs.yml` names the pages and calls `hooks.py`. Pages that would repeat something are generated when the site is
built and never committed: the rules in every language with pictures (`rules_pages.py`, `rule_figures.py`), what the
printed rulebooks say differently, the reference of the library (`reference.py`), and pages outside `docs/`
(`links.py`).
"""
