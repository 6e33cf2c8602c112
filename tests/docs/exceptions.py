"""The commands in the documents that the tests do not run as they are: smaller, or only checked, each with the reason.

Everything that is not listed here runs as written. A row that no document needs any more fails the tests.
"""

from __future__ import annotations

from typing import Final, NamedTuple

#: The programs that may run at all; any other needs a row below.
RUNNABLE: Final = ("granada", "python", "node", "cp", "curl", "printf")


class Smaller(NamedTuple):
    """A part of a command that is replaced, so that it takes a second instead of minutes."""

    pattern: str
    replacement: str
    reason: str


class Checked(NamedTuple):
    """Commands that are only checked: by which function of `checks.py`, and why they do not run."""

    pattern: str
    check: str
    reason: str


class Typed(NamedTuple):
    """What is typed into a command that reads from the terminal."""

    pattern: str
    text: str
    reason: str


SMALLER: Final = (
    Smaller(r"--games \d+", "--games 2", "two games show that a tournament works"),
    Smaller(r"(search|strongest):[\d.]+s", r"\1:2n", "a bot with a time budget thinks that long at every decision"),
    Smaller(r"--jobs \d", "--jobs 1", "starting more processes takes longer than two games"),
    Smaller(r"--depth 3", "--depth 2", "counting one ply less is a hundred times as fast"),
    Smaller(r"\b8642\b", "{port}", "other tests use other ports at the same time"),
)

TYPED: Final = (
    Typed(r"^granada bot ", "granada\nquit\n", "the program speaks the line protocol"),
    Typed(r"^granada play ", "", "the game is interactive: the end of the input leaves it"),
)

CHECKED: Final = (
    Checked(
        r"^granada (serve|doctor) --database postgresql:",
        "arguments",
        "needs a PostgreSQL of that name; tests/server plays on a real one",
    ),
    Checked(
        r"^granada \w+ .*--on ray",
        "arguments",
        "a Ray cluster takes half a minute to start; tests/arena/test_on_ray.py starts one",
    ),
    Checked(
        r"^python -m granada\.learning\.baselines\.ppo ",
        "syntax",
        "needs PyTorch, which the tests only use if it is installed: tests/learning/test_ppo.py",
    ),
    Checked(
        r"^python examples/sb3_contrib_ppo\.py ",
        "options",
        "needs sb3-contrib and PyTorch: tests/learning/test_sb3.py runs it on a smaller scale if they are installed",
    ),
    Checked(
        r"^python -m granada\.learning\.baselines\.",
        "options",
        "training takes minutes; tests/learning/test_baselines.py trains on a smaller scale",
    ),
    Checked(
        r"^granada puzzles ", "arguments", "finding puzzles takes minutes; tests/puzzles finds some on a smaller scale"
    ),
    Checked(
        r"^granada site ",
        "arguments",
        "needs the packed runtime of Python; tests/browser and tests/web/offline build and play a site",
    ),
    Checked(
        r"^python examples/play_over_socket.py .*/TABLE",
        "options",
        "TABLE is a link that somebody sent; tests/server/test_examples.py plays so",
    ),
    Checked(r"^make ", "target", "minutes: this is what the tests themselves are part of"),
    Checked(
        r"^(?:\S+/)?pip install |^GRANADA_COMPILE=1 pip install",
        "requirement",
        "needs a network; the packaging tests install the built wheel",
    ),
    Checked(
        r"^(?:PYTHONPATH=\S+ )?(?:\S+/)?python (?:-m )?(?:benchmarks|granada\.learning\.baselines)",
        "options",
        "measurements and training take minutes to hours",
    ),
    Checked(
        r"^for name in ",
        "syntax",
        "attacks on a server take minutes each; benchmarks/attacks has one module for each name",
    ),
    Checked(
        r"^python3? -m venv ",
        "syntax",
        "creates an environment outside the test's folder, or downloads packages into it",
    ),
    Checked(
        r"^/opt/granada/bin/granada ", "arguments", "the installation of a server in /opt, which the tests do not touch"
    ),
    Checked(
        r"^(?:useradd|install|chmod|systemctl|runuser|journalctl) |^sudo -u postgres |^cd /var/",
        "syntax",
        "changes users, services and folders of the machine, as root",
    ),
    Checked(
        r"^(?:podman|docker) ", "syntax", "builds and runs containers, which needs a container engine and a network"
    ),
    Checked(
        r"^(?:sqlite3|pg_dump|pg_restore) ",
        "syntax",
        "programs and databases that the machine of the tests need not have",
    ),
)

#: The languages of blocks that are data, and the function of `checks.py` that reads them.
DATA: Final = {
    "toml": "toml",
    "ini": "settings",
    "html": "html",
    "caddy": "braces",  # Caddy is not installed where tests run
    "nginx": "braces",  # nginx neither
    "text": "no_command",
    "mermaid": "no_command",
}
