"""The page of a static site: the built client under a base path, with its policy; and the headers for its host."""

from __future__ import annotations

import html
import re
from typing import Final

from granada.server.http.security_headers import SITE_HEADERS, site_policy

#: Addresses of files in the built index.html.
_ADDRESS: Final = re.compile(r'(src|href)="(?:\./|/)(?=assets/)')
_CHARSET: Final = re.compile(r'<meta charset="utf-8"\s*/?>')

_POLICY: Final = "content-security-policy"


def site_page(index: str, base: str, python: str) -> str:
    """Return index.html for a site below `base`; `python` is the path of the description of its Python."""
    # The policy comes before everything that it applies to.
    metas = {'http-equiv="Content-Security-Policy"': site_policy(), 'name="granada-site"': base}
    if python:
        metas['name="granada-python"'] = python
    tags = "".join(f'\n    <meta {name} content="{html.escape(value)}" />' for name, value in metas.items())
    page, count = _CHARSET.subn(lambda found: found[0] + tags, index, count=1)
    if count != 1:
        raise ValueError("index.html has no charset")
    return _ADDRESS.sub(rf'\1="{base}', page)


def headers_file(base: str) -> str:
    """Return the `_headers` file, which several hosts read: the security headers, and how long files are cached."""
    policy = {_POLICY: SITE_HEADERS[_POLICY]}
    rules = {
        f"{base}*": {name: value for name, value in SITE_HEADERS.items() if name != _POLICY},
        # Pages of others beside the site, such as the example, have their own policy.
        **{f"{base}{path}": policy for path in ("", "index.html", "404.html", "embed.html", "assets/*")},
        # These names change with their content.
        f"{base}python/*": {**policy, "cache-control": "public, max-age=31536000, immutable"},
        f"{base}sw.js": {**policy, "cache-control": "no-cache"},
    }
    lines = [[path, *[f"  {name}: {value}" for name, value in headers.items()]] for path, headers in rules.items()]
    return "\n".join([line for rule in lines for line in rule]) + "\n"
