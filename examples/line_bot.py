"""A bot that speaks the line protocol and does not import granada: it pays exactly, or plays the first action.

granada simulate --bot-program "me=python examples/line_bot.py" --players me,greedy
"""

from __future__ import annotations

import sys


def is_exact(action: str) -> bool:
    """Return whether an action is an exact purchase: `buy garden-8-NW with y5 y3`."""
    words = action.split()
    if words[0] != "buy":
        return False
    price = int(words[1].split("-")[1])
    return price == sum([int(card[1]) for card in words[3:] if card[1].isdigit()])


def main() -> None:
    """Answer line by line until the input ends."""
    actions: list[str] = []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "granada":
            print("id name line bot", "ready", sep="\n", flush=True)
        elif word == "position":
            actions = []
        elif word == "action":
            actions.append(rest)
        elif word == "go":
            print("bestaction", next(filter(is_exact, actions), actions[0]), flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
