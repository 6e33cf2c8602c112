"""The security headers of the server and of the static site: framework-free, so that `granada site` can use them."""

from __future__ import annotations

from typing import Final

#: Directives of the content security policy: everything comes from the page's own host, nothing is inline.
_DIRECTIVES: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
#: The site runs Python, which is WebAssembly.
_WEBASSEMBLY: Final = "'wasm-unsafe-eval'"
_UNUSED_FEATURES: Final = (
    "accelerometer",
    "camera",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "payment",
    "usb",
)


def _policy(directives: dict[str, str]) -> str:
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def site_policy() -> str:
    """Return the policy of the static site: the server's plus WebAssembly, for a page that may be framed.

    Browsers ignore `frame-ancestors` in a page, and other sites show replays in a frame. The site has no accounts and
    no cookies that a frame could misuse.
    """
    directives = {name: sources for name, sources in _DIRECTIVES.items() if name != "frame-ancestors"}
    directives["script-src"] += f" {_WEBASSEMBLY}"
    return _policy(directives)


#: The headers of every response of the server.
HEADERS: Final = {
    "content-security-policy": _policy(_DIRECTIVES),
    "x-content-type-options": "nosniff",
    # A table's link is a secret and must not be sent to other sites.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join([f"{feature}=()" for feature in _UNUSED_FEATURES]),
}
#: The headers of the static site, for hosts that read a `_headers` file.
SITE_HEADERS: Final = {
    **{name: value for name, value in HEADERS.items() if name != "cross-origin-resource-policy"},
    "content-security-policy": site_policy(),
    # Other sites load embed.js and show replays in a frame.
    "cross-origin-resource-policy": "cross-origin",
}
