"""The page of a static site: the built client under a base path, with its policy; and the headers for its host."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from granada.server.http.security_headers import SITE_HEADERS, site_policy

#: Addresses of files in the built index.html.
_ADDRESS: Final = re.compile(r'(src|href)="(?:\./|/)(?=assets/)')
_CHARSET: Final = re.compile(r'<meta charset="utf-8"\s*/?>')
#: The modules that the home page imports at once, as the manifest of the built client names them.
_HOME: Final = ("src/screens/Home.svelte", "src/device/start.ts")
#: What every screen fetches at once (box.ts).
COMPONENTS: Final = "components.json"
_PRELOADS: Final = {
    ".js": 'rel="modulepreload" crossorigin',
    ".css": 'rel="preload" as="style" crossorigin',
    ".json": 'rel="preload" as="fetch" crossorigin',
}

_POLICY: Final = "content-security-policy"


def home_files(manifest: str) -> list[str]:
    """Return the scripts and styles of the home page that the entry imports late; `manifest` is Vite's."""
    chunks: dict[str, Any] = json.loads(manifest)

    def files(*names: str) -> list[str]:
        waiting, found = list(names), {}
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found[name] = [chunks[name]["file"], *chunks[name].get("css", [])]
                waiting += chunks[name].get("imports", [])
        return list(dict.fromkeys(file for each in found.values() for file in each))

    first = files("index.html")
    return [file for file in files(*_HOME) if file not in first]


def site_page(index: str, base: str, python: str, preloaded: Iterable[str] = ()) -> str:
    """Return index.html for a site below `base`.

    `python` is the path of the description of its Python. The browser fetches the `preloaded` files before a script
    asks for them: over a slow line each step of imports takes a round trip.
    """
    # The policy comes before everything that it applies to.
    metas = {'http-equiv="Content-Security-Policy"': site_policy(), 'name="granada-site"': base}
    if python:
        metas['name="granada-python"'] = python
    tags = "".join(f'\n    <meta {name} content="{html.escape(value)}" />' for name, value in metas.items())
    page, count = _CHARSET.subn(lambda found: found[0] + tags, index, count=1)
    if count != 1:
        raise ValueError("index.html has no charset")
    links = "".join(f'<link {_PRELOADS[Path(file).suffix]} href="{base}{file}" />\n    ' for file in preloaded)
    return _ADDRESS.sub(rf'\1="{base}', page).replace("</head>", f"{links}</head>", 1)


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
