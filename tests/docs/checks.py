"""How code in the documents is checked that the tests do not run (`exceptions.py`)."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from html.parser import HTMLParser
from typing import Final

from packaging.requirements import Requirement

from granada.cli import _parser
from granada.server.ops.settings import PREFIX, Settings
from tests.docs.blocks import PROGRAMS, ROOT

#: Files and folders of the repository that commands name.
_FOLDERS: Final = "|".join(["benchmarks", "deploy", "docs", "examples", "src", "tests", "web"])
#: Words that stand for something the reader knows.
_PLACEHOLDER: Final = re.compile(r"[A-Z]{3,}|…|\.\.\.")


def words_of(command: str) -> list[str]:
    """Return the words of a command without comments, variables before it, and the folder of its program."""
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    while re.match(r"[A-Z_]+=", words[0]):
        del words[0]
    return [words[0].rpartition("/")[2], *words[1:]]


def arguments(command: str) -> None:
    """Read a command of `granada` with its own parser."""
    _parser().parse_args(words_of(command)[1:])


def target(command: str) -> None:
    """Let make say what it would do for a target."""
    words = [word for word in words_of(command)[1:] if "=" not in word]
    assert words
    assert set(words) <= targets(), f"{command}: no such target"


@cache
def targets() -> set[str]:
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([\w-]+):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def requirement(command: str) -> None:
    """Read what pip is asked to install; the extras of granada must exist."""
    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])
    words = words_of(command)
    assert words[:2] == ["pip", "install"]
    named = [word for word in words[2:] if not word.startswith("-") and "/" not in word]
    assert named
    for word in named:
        wanted = Requirement(word.replace(".", "granada", 1) if word.startswith(".") else word)
        assert wanted.name != "granada" or wanted.extras <= extras, f"{command}: no such extra"


def options(command: str) -> None:
    """Compare the options of a program of the repository with what it lists itself."""
    words = words_of(command)
    assert words[0] == "python"
    is_module = words[1] == "-m"
    listed = _help(tuple(words[1:3] if is_module else words[1:2]))
    for option in [word.partition("=")[0] for word in words if word.startswith("--")]:
        assert re.search(rf"{option}\b", listed), f"{command}: no option {option}"


@cache
def _help(program: tuple[str, ...]) -> str:
    result = subprocess.run([sys.executable, *program, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, f"{' '.join(program)}: {result.stderr}"
    return result.stdout


def syntax(command: str) -> None:
    """Let the shell read a command without running it; files of the repository that it names must exist."""
    result = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    for path in re.findall(rf"(?<![\w./-])(?:{_FOLDERS})/[\w./-]+\w", command):
        assert (ROOT / path).exists(), f"{command}: no {path}"
    for name in re.findall(r"for name in (.*?); do", command):
        for module in name.split():
            assert (ROOT / "benchmarks" / "attacks" / f"{module}.py").exists(), module


def inline(command: str) -> None:
    """Check a command within a sentence: its subcommand, target, file or script, and its options."""
    words = shlex.split(command)
    program, rest = words[0], [word for word in words[1:] if not _PLACEHOLDER.search(word)]
    named = [word for word in rest if not word.startswith("-")]
    if program == "make":
        assert {word for word in named if "=" not in word} <= targets(), f"{command}: no such target"
    elif program == "granada":
        subcommands = _subcommands()
        if not _PLACEHOLDER.search(words[1]) and not words[1].startswith("-"):
            assert words[1] in subcommands, f"{command}: no such command"
            known = subcommands[words[1]]
            for option in [word.partition("=")[0].rstrip(",") for word in rest if word.startswith("--")]:
                assert option in known, f"{command}: no option {option}"
    elif program == "npm":
        scripts = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["scripts"]
        assert named[0] in ("ci", "test") or named[1] in scripts, f"{command}: no such script"
    elif (
        words[1] == "-m"
        and not _PLACEHOLDER.search(words[2])
        and words[2].partition(".")[0] in ("benchmarks", "granada", "tests")
    ):
        path = words[2].replace(".", "/")
        assert any(
            (ROOT / f"{place}{path}{end}").exists() for place in ("", "src/") for end in (".py", "/__main__.py")
        ), command
    elif words[1].endswith(".py"):
        assert (ROOT / words[1]).exists(), command


@cache
def _subcommands() -> dict[str, set[str]]:
    """Return the options of each subcommand."""
    found: dict[str, set[str]] = {}
    for action in _parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, parser in action.choices.items():
                found[name] = set(parser._option_string_actions)
    return found


def read_toml(text: str) -> None:
    """Read a text as TOML."""
    assert tomllib.loads(text)


def settings(text: str) -> None:
    """Read lines of settings; those of Granada must exist."""
    known = {PREFIX + field.name.upper() for field in fields(Settings)}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        assert equals, line
        assert value, line
        assert not name.startswith(PREFIX) or name in known, line


def html(text: str) -> None:
    """Read a text as HTML whose elements are closed."""
    opened: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(text)
    assert not opened


def braces(text: str) -> None:
    """Check that braces are balanced, and that the proxied address is that of a server without settings."""
    depth = 0
    for sign in re.sub(r"#.*|\$\w+|'[^']*'", "", text):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    port = next(field.default for field in fields(Settings) if field.name == "port")
    assert f"127.0.0.1:{port}" in text


def no_command(text: str) -> None:
    """Check that a text is not a command that should be run."""
    for line in text.splitlines():
        assert not re.match(rf"(?:{'|'.join(PROGRAMS)}) ", line), f"a block for the shell, language sh: {line}"


ON_COMMANDS: Final[dict[str, Callable[[str], None]]] = {
    check.__name__: check for check in (arguments, target, requirement, options, syntax)
}
ON_DATA: Final[dict[str, Callable[[str], None]]] = {
    "toml": read_toml, "settings": settings, "html": html, "braces": braces, "no_command": no_command,
}  # fmt: skip
