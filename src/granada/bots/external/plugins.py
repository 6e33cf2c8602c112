"""Loading third-party bots: from installed packages, from single files, and programs in any language."""

from __future__ import annotations

import ast
import logging
import re
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from inspect import isfunction, signature
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from granada.bots import BOTS
from granada.bots.bot import Bot
from granada.bots.external.program import program_bot
from granada.bots.external.third_party import Chooser, error_text, line_in, third_party_bot
from granada.rules.errors import BadOptions

#: The entry points of packages with bots.
GROUP: Final = "granada.bots"
#: Names appear in comma-separated lists, before budgets with colons, and on the command line.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
#: `you` is the player at the terminal.
_RESERVED: Final = ("you",)

_log: Final = logging.getLogger(__name__)
#: What has been loaded: files, programs, and entry points.
_files: Final[dict[str, list[str]]] = {}
_programs: Final[dict[str, str]] = {}
_seen: Final[set[EntryPoint]] = set()


def load_bots(files: Iterable[str] = (), programs: Iterable[str] = ()) -> None:
    """Load the installed bots, and those of some files and programs, unless they are loaded already."""
    load_installed()
    for path in files:
        load_file(path)
    for text in programs:
        load_program(text)


# Installed packages ---------------------------------------------------------------------------------------------------


def load_installed() -> list[str]:
    """Add the bots of installed packages and return their names; a broken bot is skipped with a warning in the log."""
    added: list[str] = []
    for entry in entry_points(group=GROUP):
        if entry in _seen:
            continue
        _seen.add(entry)
        package = "an installed package" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
        try:
            _check_name(entry.name)
            bot = _bot(entry.load(), entry.name)
        except (Exception, SystemExit) as error:  # their code may fail in any way
            reason = str(error) if isinstance(error, BadOptions) else error_text(error)
            _log.warning("The installed bot '%s' (%s) is skipped: %s.", entry.name, package, reason)
        else:
            source = getattr(sys.modules.get(bot.__module__), "__file__", None) or ""
            BOTS[entry.name] = third_party_bot(entry.name, bot, package, source)
            added.append(entry.name)
    return added


# Files ----------------------------------------------------------------------------------------------------------------


def load_file(path: str) -> list[str]:
    """Add the bots of a Python file and return their names; BadOptions names the file and the line of an error.

    The bots are those in its dictionary BOTS or, without one, its subclasses of Bot and its function `choose`.
    """
    key = str(Path(path).resolve())
    if key not in _files:
        module, lines = _run(path)
        found = _bots_in(module, path, lines)
        for name, (bot, line) in found.items():
            try:
                _check_name(name)
                _bot(bot, name)
            except BadOptions as error:
                raise BadOptions(f"{path}, line {line}: {error}") from None
        # Only now, so that either all bots of a file are added or none.
        for name, (bot, _) in found.items():
            BOTS[name] = third_party_bot(name, _bot(bot, name), path, path)
        _files[key] = list(found)
    return _files[key]


def _run(path: str) -> tuple[ModuleType, dict[str, int]]:
    """Run a file and return its module and the lines of its names."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadOptions(f"cannot read {path}: {error.strerror}") from None
    try:
        tree = ast.parse(content, path)
        code = compile(tree, path, "exec")
    except SyntaxError as error:
        raise BadOptions(f"{path}, line {error.lineno or 1}: not valid Python: {error.msg}") from None
    except ValueError as error:  # such as a null byte
        raise BadOptions(f"{path}, line 1: not valid Python: {error}") from None
    module = ModuleType(f"granada_bot_file_{len(_files)}_{Path(path).stem}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look it up there
    folder = str(Path(path).resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # for modules beside it; at the end, so that it shadows nothing
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        raise BadOptions(f"{path}, line {line_in(error, path) or 1}: {error_text(error)}") from error
    return module, _lines(tree)


def _lines(tree: ast.Module) -> dict[str, int]:
    lines: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            lines[node.name] = node.lineno
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            lines |= {target.id: node.lineno for target in targets if isinstance(target, ast.Name)}
    return lines


def _bots_in(module: ModuleType, path: str, lines: dict[str, int]) -> dict[str, tuple[object, int]]:
    """Return the bots of a module by name, each with its line."""
    own = vars(module)
    found: dict[str, tuple[object, int]] = {}
    if "BOTS" in own:
        line = lines.get("BOTS", 1)
        if not isinstance(own["BOTS"], dict):
            raise BadOptions(f"{path}, line {line}: BOTS must be a dictionary: the name of each bot and its class")
        found = {str(name): (bot, line) for name, bot in own["BOTS"].items()}
    else:
        for word, thing in own.items():
            is_own = getattr(thing, "__module__", "") == module.__name__ and not word.startswith("_")
            name = ""
            if is_own and isinstance(thing, type) and issubclass(thing, Bot) and thing.choose is not Bot.choose:
                name = str(getattr(thing, "NAME", "") or thing.__name__.removesuffix("Bot").lower())
            elif is_own and word == "choose" and isfunction(thing):
                name = Path(path).stem
            if name:
                line = lines.get(word, 1)
                if name in found:
                    raise BadOptions(f"{path}, line {line}: two bots of this file are called '{name}'")
                found[name] = (thing, line)
    if not found:
        raise BadOptions(
            f"{path} has no bot: neither a subclass of Bot, nor a function choose(view, actions), nor BOTS"
        )
    return found


# Programs -------------------------------------------------------------------------------------------------------------


def load_program(text: str) -> str:
    """Add a program that speaks the line protocol, `NAME=COMMAND`, and return its name."""
    name, sign, command = text.partition("=")
    if not sign or not command.strip():
        raise BadOptions(f"'{text}' is not a program: use NAME=COMMAND, such as me='python my_bot.py'")
    if _programs.get(name) != command:
        _check_name(name)
        BOTS[name] = program_bot(name, command)
        _programs[name] = command
    return name


# Both -----------------------------------------------------------------------------------------------------------------


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise BadOptions(f"'{name}' cannot be the name of a bot: use letters, digits, '_', '-' and '.'")
    if name in BOTS or name in _RESERVED:
        raise BadOptions(f"the name '{name}' is taken")


def _bot(thing: object, name: str) -> type[Bot] | Chooser:
    """Check that something is the class of a bot or a function that chooses."""
    if isinstance(thing, type) and issubclass(thing, Bot):
        return thing
    if isfunction(thing):
        try:
            signature(thing).bind(None, None)
        except TypeError:
            raise BadOptions(f"the function of the bot '{name}' must take two arguments: view and actions") from None
        return cast(Chooser, thing)
    raise BadOptions(f"the bot '{name}' is neither a subclass of granada.bots.Bot nor a function")
