"""A Markdown extension: examples in docstrings (`>>> …`, up to an empty line) are shown as code."""

from __future__ import annotations

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

#: After the normalisation of white space (30), before fenced code (25).
_PRIORITY = 27


class _Doctests(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        """Return the lines with a fence around each example that has none."""
        found: list[str] = []
        is_fenced = is_example = False
        for line in lines:
            if line.lstrip().startswith("```"):
                is_fenced = not is_fenced
            if not is_fenced and not is_example and line.startswith(">>> "):
                found += ["", "```pycon"]
                is_example = True
            elif is_example and not line.strip():
                found.append("```")
                is_example = False
            found.append(line)
        return [*found, "```"] if is_example else found


class DoctestExtension(Extension):
    """Registers the preprocessor."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add the preprocessor to a converter."""
        md.preprocessors.register(_Doctests(md), "doctests", _PRIORITY)


def makeExtension(**settings: object) -> Extension:  # noqa: N802
    """Return the extension, under the name that Markdown looks for."""
    return DoctestExtension()
