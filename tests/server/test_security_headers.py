"""One source for the policies of the server and of the static site."""

from __future__ import annotations

import subprocess
import sys

from granada.server.http.security_headers import HEADERS, SITE_HEADERS, site_policy


def directives(policy: str) -> dict[str, set[str]]:
    parts = [part.split() for part in policy.split(";")]
    return {name: set(sources) for name, *sources in parts}


def test_the_site_adds_only_webassembly_to_the_policy_of_the_server() -> None:
    server, site = directives(HEADERS["content-security-policy"]), directives(site_policy())
    assert site.pop("script-src") - server.pop("script-src") == {"'wasm-unsafe-eval'"}
    # Browsers ignore it in a page, and other sites show replays in a frame.
    assert server.pop("frame-ancestors") == {"'none'"}
    assert site == server


def test_nothing_inline_and_nothing_from_other_hosts_is_allowed() -> None:
    for policy in (HEADERS["content-security-policy"], SITE_HEADERS["content-security-policy"]):
        sources = set[str]().union(*directives(policy).values())
        assert sources <= {"'none'", "'self'", "data:", "'wasm-unsafe-eval'"}
        assert directives(policy)["worker-src"] == {"'self'"}


def test_the_headers_of_the_site_need_no_package_of_the_server() -> None:
    code = "import sys, granada.server.http.security_headers; print('starlette' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
