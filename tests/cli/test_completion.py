"""`granada completion`: the script of each shell completes what a person types in that shell."""

from __future__ import annotations

import argparse
import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from granada.cli import _parser
from granada.cli.completion import WORDS, WRITERS
from tests.apt import find_or_install
from tests.cli.command import PATIENCE, complaint, output

#: What is typed (TAB completes) and the arguments that the command gets.
TYPED = {
    "are\t": "arena",
    "arena --edi\tgr\t": "arena --edition granada",
    "arena --modules vizier,h\t": "arena --modules vizier,huts",
    "play --players yo\t": "play --players you",
    "arena --on pro\t": "arena --on processes",
    "draw --lang\tfr\t": "draw --language fr",
    "completion ba\t": "completion bash",
    "bot strong\t": "bot strongest",
    "replay gam\t": "replay game one.record",
    "site --out fol\t": "site --out folder/",
    "serve --no-b\t": "serve --no-browser",
}
#: How an interactive shell starts without anybody's settings, and what prepares it.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set bell-style none' 2>/dev/null"),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; unsetopt beep"),
}

MISSING = (
    "The tests of completion need {0}: install it (Debian: apt-get install {0})."
    " As root, or with sudo without a password, make test installs it."
)
pytestmark = pytest.mark.timeout(900)  # a shell may have to be installed first


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a record and a folder to complete."""
    (tmp_path / "game one.record").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


def _find(shell: str) -> None:
    """Install a shell if it is missing, as Chromium and PostgreSQL; only a system without apt-get may lack it."""
    if shutil.which(shell) is None and shutil.which("apt-get") is None:
        pytest.skip(f"{shell} is not installed")
    find_or_install(lambda: shutil.which(shell), shell, MISSING.format(shell))


def _arguments(shell: str, folder: Path) -> list[str]:
    """Return what `granada` gets when the keys are pressed in an interactive shell, a line for each call."""
    command, prepare = SHELLS[shell]
    spy = 'granada() { echo "$*" >> got; }'
    (folder / "setup").write_text("\n".join([prepare, spy, output("completion", shell)]), "utf-8")
    process, screen = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(folder)})
    # The shell reads its keys one after the other, so nothing has to wait for it.
    keys = ["", ". ./setup", *[f"granada {typed}" for typed in TYPED], "exit", ""]
    os.write(screen, "\n".join(keys).encode())
    try:
        while os.read(screen, 4096):
            pass
    except OSError:  # the shell has closed its terminal
        pass
    os.close(screen)
    os.waitpid(process, 0)
    return (folder / "got").read_text("utf-8").splitlines()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_what_is_typed(shell: str, folder: Path) -> None:
    _find(shell)
    # zsh completes options as --name=value, and removes the slash after a folder at the end of the line.
    wanted = [arguments.rstrip("/") for arguments in TYPED.values()]
    assert [arguments.replace("=", " ").rstrip("/") for arguments in _arguments(shell, folder)] == wanted


def test_fish_completes_what_is_typed(folder: Path) -> None:
    _find("fish")
    (folder / "setup").write_text(output("completion", "fish"), "utf-8")
    typed = {keys.rstrip("\t"): arguments for keys, arguments in TYPED.items() if keys.count("\t") == 1}
    program = ["source setup", *[f"complete -C 'granada {line}'" for line in typed]]
    command = ["fish", "--no-config", "-c", "; ".join(program)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    # Only the word at the end of the line is printed, with a description after a tab.
    wanted = [arguments.removeprefix(line[: line.rfind(" ") + 1]) for line, arguments in typed.items()]
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == wanted


def _parsers() -> dict[str, argparse.ArgumentParser]:
    (commands,) = [action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(commands.choices)


@pytest.mark.parametrize("shell", WRITERS)
def test_every_command_and_option_is_in_the_script(shell: str) -> None:
    script = output("completion", shell)
    for name, parser in _parsers().items():
        assert name in script
        for option in [option for action in parser._actions for option in action.option_strings]:
            assert (f" {option.lstrip('-')} " if shell == "fish" else option) in script, f"{name} {option}"


def test_the_words_belong_to_arguments() -> None:
    assert set(WORDS) <= {action.dest for parser in _parsers().values() for action in parser._actions}


def test_another_shell_is_refused() -> None:
    assert "invalid choice: 'csh'" in complaint("completion", "csh")
