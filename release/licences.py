"""Which licences the dependencies of a release may have."""

from __future__ import annotations

import re
from importlib.metadata import PackageMetadata
from typing import Final

#: Licences whose only conditions are those that NOTICES.txt fulfils, or that concern changes of the dependency itself.
ALLOWED: Final = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC",
        "MIT",
        "MPL-2.0",
        "PSF-2.0",
        "Unlicense",
        "Zlib",
    }
)
#: What packages without a licence expression say.
CLASSIFIERS: Final = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}


def is_allowed(expression: str) -> bool:
    """Whether an SPDX expression can be fulfilled with the allowed licences.

    >>> [is_allowed(text) for text in ("MIT", "GPL-3.0-only OR MIT", "MIT AND (X OR 0BSD)", "MIT AND GPL-3.0-only")]
    [True, True, True, False]
    """
    words = re.findall(r"[()]|[^\s()]+", expression)
    try:
        found = _any(words)
    except IndexError:
        return False
    return found and not words


def _any(words: list[str]) -> bool:
    """Read `A OR B OR …` from the beginning of the words."""
    found = _all(words)
    while words and words[0] == "OR":
        words.pop(0)
        found = _all(words) or found
    return found


def _all(words: list[str]) -> bool:
    """Read `A AND B AND …`."""
    found = _one(words)
    while words and words[0] == "AND":
        words.pop(0)
        found = _one(words) and found
    return found


def _one(words: list[str]) -> bool:
    """Read a licence or an expression in parentheses."""
    word = words.pop(0)
    if word != "(":
        return word in ALLOWED
    found = _any(words)
    return words.pop(0) == ")" and found


def licence_of(metadata: PackageMetadata) -> str:
    """Return the SPDX expression of an installed package; an empty text if it says none."""
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    named = [CLASSIFIERS[text] for text in metadata.get_all("Classifier") or [] if text in CLASSIFIERS]
    return " AND ".join(sorted(set(named)))
