"""`granada completion`: scripts that let a shell complete commands, options and their values."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from granada.arena.tournament import MODES
from granada.bots import BOTS
from granada.cli.arguments import HERE, RAY
from granada.rules.options import EDITIONS, MODULES, SCORINGS

if TYPE_CHECKING:
    from granada.cli.arguments import Commands

#: What completes an argument: names of files or folders, one word, words separated by commas, or nothing.
Kind = Literal["file", "folder", "word", "list", "other"]
#: The words for arguments whose parser accepts any text, because a later check explains what is wrong with it.
WORDS: Final = {
    "edition": EDITIONS,
    "format": ("npz", "parquet"),
    "level": tuple(BOTS),
    "mode": MODES,
    "modules": MODULES,
    "on": (HERE, RAY),
    "players": tuple(BOTS),
    "scoring": SCORINGS,
}


@dataclass(frozen=True)
class Value:
    """A value that an option or a command takes."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """An option of a command."""

    #: `-h` and `--help`, for example.
    names: tuple[str, ...]
    help: str
    value: Value | None
    #: Whether it may be given several times.
    repeats: bool


@dataclass(frozen=True)
class Command:
    """A command with its options and its positional arguments."""

    name: str
    help: str
    options: tuple[Option, ...]
    values: tuple[Value, ...]


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "completion",
        help="print a script for the completion of a shell",
        description="Print a script with which a shell completes the commands and options of granada. For bash, add"
        ' eval "$(granada completion bash)" to ~/.bashrc; for zsh, add eval "$(granada completion zsh)" to ~/.zshrc'
        " after compinit; for fish, run granada completion fish > ~/.config/fish/completions/granada.fish.",
    )
    parser.add_argument("shell", choices=tuple(WRITERS), metavar="SHELL", help=", ".join(WRITERS))

    def run(arguments: argparse.Namespace) -> int:
        print(WRITERS[arguments.shell](read_commands(commands)), end="")
        return 0

    parser.set_defaults(run=run)


def read_commands(commands: Commands) -> list[Command]:
    """Return all commands of a parser."""
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    return [_command(name, helps[name], parser) for name, parser in commands.choices.items()]


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> Command:
    expand = parser._get_formatter()._expand_help
    options, values = [], []
    for action in parser._actions:
        value = None if action.nargs == 0 else _value(action)
        if action.option_strings:
            repeats = isinstance(action, argparse._AppendAction)
            options.append(Option(tuple(action.option_strings), expand(action), value, repeats))
        elif value is not None:
            values.append(value)
    return Command(name, text, tuple(options), tuple(values))


def _value(action: argparse.Action) -> Value:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        return Value(name, "word", tuple(map(str, action.choices)))
    if name in ("FILE", "DIR"):
        return Value(name, "file" if name == "FILE" else "folder")
    if name == "N" or action.dest not in WORDS:
        return Value(name, "other")
    more = ("you",) if "you" in str(action.default).split(",") else ()
    return Value(name, "list" if name.startswith("A,B") else "word", (*more, *WORDS[action.dest]))


def bash(commands: list[Command]) -> str:
    """Return the script for bash 3.2 or later."""
    names = " ".join(command.name for command in commands)
    lines = [
        "# Completion of granada for bash: granada completion bash",
        "_granada() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" IFS=$\' \\t\\n\'',
        "    COMPREPLY=()",
        "    # --option=value is three words.",
        '    if [[ $cur == "=" ]]; then cur=""',
        '    elif [[ $prev == "=" ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi',
        "    if [[ $COMP_CWORD -eq 1 ]]; then",
        f'        COMPREPLY=($(compgen -W "{names} --help --version" -- "$cur"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]} $prev" in',
    ]
    for command in commands:
        for option in command.options:
            if option.value is not None:
                patterns = "|".join(f'"{command.name} {name}"' for name in option.names)
                lines.append(f"        {patterns}) {_bash_value(option.value)}; return ;;")
    lines += ["    esac", '    case "${COMP_WORDS[1]}" in']
    for command in commands:
        options = " ".join(name for option in command.options for name in option.names)
        lines.append(f"        {command.name})")
        lines.append(f'            if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "{options}" -- "$cur"))')
        lines += [f"            else {_bash_value(value)}" for value in command.values[:1]]
        lines.append("            fi ;;")
    lines += ["    esac", "}", "complete -F _granada granada", ""]
    return "\n".join(lines)


def _bash_value(value: Value) -> str:
    if value.kind in ("file", "folder"):
        files = f'COMPREPLY=($(compgen -{"f" if value.kind == "file" else "d"} -- "$cur"))'
        return f"compopt -o filenames 2>/dev/null; IFS=$'\\n'; {files}"
    words = " ".join(value.words)
    if value.kind == "word":
        return f'COMPREPLY=($(compgen -W "{words}" -- "$cur"))'
    if value.kind == "list":
        before = '[[ $cur == *,* ]] && before="${cur%,*},"'
        return f'local before=""; {before}; COMPREPLY=($(compgen -P "$before" -W "{words}" -- "${{cur##*,}}"))'
    return ":"


def zsh(commands: list[Command]) -> str:
    """Return the script for zsh."""
    lines = [
        "#compdef granada",
        "# Completion of granada for zsh: granada completion zsh",
        "_granada() {",
        "    local state line context",
        "    typeset -A opt_args",
        "    _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show the version]'"
        " '1:command:->command' '*::argument:->arguments'",
        "    case $state in",
        "        command)",
        "            local -a commands=(",
        *[f"                {shlex.quote(f'{one.name}:' + one.help.replace(':', chr(92) + ':'))}" for one in commands],
        "            )",
        "            _describe -t commands command commands ;;",
        "        arguments)",
        "            case $line[1] in",
    ]
    for command in commands:
        lines.append(f"                {command.name}) _arguments \\")
        specs = [spec for option in command.options for spec in _zsh_option(option)]
        specs += [f":{_zsh_text(value.name)}:{_zsh_value(value)}" for value in command.values]
        lines += [f"                    {shlex.quote(spec)} \\" for spec in specs]
        lines.append("                    ;;")
    lines += [
        "            esac ;;",
        "    esac",
        "}",
        "# As a file in $fpath this text is the function; otherwise it defines it.",
        'if [[ $funcstack[1] == _granada ]]; then _granada "$@"; else compdef _granada granada; fi',
        "",
    ]
    return "\n".join(lines)


def _zsh_option(option: Option) -> Iterator[str]:
    for name in option.names:
        others = f"({' '.join(option.names)})" if not option.repeats else "*"
        equals = "=" if option.value is not None and name.startswith("--") else ""
        value = option.value
        argument = f":{_zsh_text(value.name)}:{_zsh_value(value)}" if value is not None else ""
        yield f"{others}{name}{equals}[{_zsh_text(option.help)}]{argument}"


def _zsh_text(text: str) -> str:
    return re.sub(r"([\\\[\]:])", r"\\\1", text)


def _zsh_value(value: Value) -> str:
    words = " ".join(value.words)
    actions = {"file": "_files", "folder": "_files -/", "word": f"({words})", "list": f"_sequence -d compadd - {words}"}
    return actions.get(value.kind, " ")


def fish(commands: list[Command]) -> str:
    """Return the script for fish."""
    lines = [
        "# Completion of granada for fish: granada completion fish",
        "complete -c granada -f",
        "complete -c granada -n __fish_use_subcommand -s h -l help -d 'show help'",
        "complete -c granada -n __fish_use_subcommand -l version -d 'show the version'",
    ]
    for command in commands:
        lines.append(f"complete -c granada -n __fish_use_subcommand -a {command.name} -d {_fish_text(command.help)}")
        seen = f"complete -c granada -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            names = " ".join(f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in option.names)
            value = "" if option.value is None else f" {_fish_value(option.value)}"
            lines.append(f"{seen} {names}{value} -d {_fish_text(option.help)}")
        lines += [f"{seen} {_fish_value(value)}" for value in command.values if value.kind != "other"]
    return "\n".join([*lines, ""])


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish_value(value: Value) -> str:
    words = " ".join(value.words)
    actions = {
        "file": "-r -F",
        "folder": "-x -a '(__fish_complete_directories)'",
        "word": f"-x -a '{words}'",
        "list": f"-x -a '(__fish_append , {words})'",
    }
    return actions.get(value.kind, "-x")


#: The function that writes the script of each shell.
WRITERS: Final = {"bash": bash, "zsh": zsh, "fish": fish}
