"""Every numbered rule of docs/rules.md has its own test, and every mark names an existing rule.

The test of a rule is marked with its number, `@rule("5.5")`, and has it in its name, `test_5_5_no_holes`. Additional
marks say what else a test checks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "docs" / "rules.md"


def numbers() -> list[str]:
    """Return the numbered rules, and the chapters without numbered rules."""
    found = re.findall(r"^(\d+\.\d+) |^## (\d+) ", RULES.read_text("utf-8"), re.MULTILINE)
    rules = [rule for rule, _ in found if rule]
    divided = {rule.partition(".")[0] for rule in rules}
    return rules + [chapter for _, chapter in found if chapter and chapter not in divided]


def marks() -> Iterator[tuple[str, str]]:
    """Return the marks of all rule tests with the names of the tests, parsed from the source without running it."""
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in _numbers_of(node):
                    yield number, node.name


def _numbers_of(test: ast.FunctionDef) -> Iterator[str]:
    for call in test.decorator_list:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "rule":
            for argument in call.args:
                assert isinstance(argument, ast.Constant), f"{test.name}: a mark is a plain string"
                yield str(argument.value)


def test_the_rules_are_found() -> None:
    found = numbers()
    assert len(found) == len(set(found)) > 80
    assert {"1.10", "5.5", "10.11", "15", "16.2"} <= set(found)


def test_every_rule_has_a_test() -> None:
    tested = {number for number, name in marks() if name.startswith(f"test_{number.replace('.', '_')}_")}
    assert [number for number in numbers() if number not in tested] == []


def test_every_mark_names_a_rule() -> None:
    known = set(numbers())
    assert [(number, name) for number, name in marks() if number not in known] == []
