"""The figures of the rules in one language: the examples of the web client's rules page, with its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from docs_site import rule_pictures
from docs_site.links import ROOT
from granada.drawing.speech import Speech
from granada.rules.components import standard, tile
from granada.rules.money import LETTERS, card
from granada.rules.tiles import TYPES

#: The examples that the client shows; its tests check them against the rules.
EXAMPLES: Final[dict[str, Any]] = json.loads((ROOT / "web/src/learn/rules/examples.json").read_text("utf-8"))
_TURN: Final = ("act", "again", "place", "refill")
_DIRK: Final = ("pavilion-5-NW", "arcades-6-SW", "arcades-9", "garden-8-NE", "garden-12-S", "tower-9-NW")
_BONUS: Final = "garden-11"
_FACE: Final = "arena-6"


class Figures:
    """Makes the figures of one language and keeps their pictures."""

    def __init__(self, language: str) -> None:
        self._speech: Final = Speech(language)
        self._language: Final = language
        #: SVG by file name, in the folder `folder`.
        self.pictures: Final[dict[str, str]] = {}
        self.folder: Final = f"pictures/{language}"
        self._makers: Final[dict[str, Callable[[str], str]]] = {
            **dict.fromkeys(EXAMPLES["cities"], self._cities),
            **dict.fromkeys(EXAMPLES["money"], self._money),
            **dict.fromkeys(EXAMPLES["majorities"], self._majority),
            "bonus": self._bonus,
            "box": self._box,
            "dirk": self._dirk,
            "exact": self._exact,
            "faces": self._faces,
            "leftovers": self._leftovers,
            "rebuild": self._rebuild,
            "turn": self._turn,
            "vizier": self._vizier,
            "yard": self._yard,
        }

    def figure(self, name: str) -> str:
        """Return a figure as HTML, with its caption."""
        caption = escape(self._speech.say(f"rules.caption.{name}"), quote=False)
        return f'<figure class="rules">\n{self._makers[name](name)}\n<figcaption>{caption}</figcaption>\n</figure>'

    # The parts of figures ---------------------------------------------------------------------------------------------

    def _image(self, file: str, svg: str, words: str) -> str:
        self.pictures[f"{file}.svg"] = svg
        return f'<img src="{self.folder}/{file}.svg" alt="{escape(words)}" loading="lazy">'

    def _pieces(self, file: str, names: Sequence[str], title: str = "") -> str:
        """Return a picture of tiles or cards by their names."""
        words = [self._speech.tile(tile(one)) if len(one) > 2 else self._speech.card(card(one)) for one in names]
        return self._image(file, rule_pictures.named_row(self._language, names, title or words[0]), ", ".join(words))

    def _say(self, key: str, **values: object) -> str:
        return escape(self._speech.say(key, **values), quote=False)

    def _verdict(self, is_allowed: bool, say: str) -> str:
        word = self._say("rules.allowed" if is_allowed else "rules.forbidden")
        mark = f'<b class="{"yes" if is_allowed else "no"}">{"✓" if is_allowed else "✗"} {word}</b>'
        return f"<p>{mark} {self._say(f'rules.say.{say}')}</p>"

    # The figures ------------------------------------------------------------------------------------------------------

    def _cities(self, name: str) -> str:
        panels = []
        for example in EXAMPLES["cities"][name]:
            say = example["say"]
            words = rule_pictures.city_words(self._language, example["city"])
            svg = rule_pictures.city_picture(self._language, example, self._speech.say(f"rules.say.{say}"))
            if "new" in example:
                text = self._verdict(bool(example.get("is_allowed")), say)
            else:
                points = example.get("points", example.get("worth"))
                text = f"<p><b>{self._say(f'rules.sum.{say}', n=points)}</b> {self._say(f'rules.say.{say}')}</p>"
            panels.append(self._image(f"{name}-{say}", svg, words) + text)
        return _panels(panels)

    def _money(self, name: str) -> str:
        example = EXAMPLES["money"][name]
        first = self._pieces(f"{name}-what", example.get("display") or [example["tile"]])
        panels = []
        for panel in example["panels"]:
            cards = self._pieces(f"{name}-{panel['say']}", panel["cards"])
            panels.append(cards + self._verdict(panel["is_allowed"], panel["say"]))
        label = f"<p>{escape(self._speech.currency(LETTERS.index(example['space'])))}</p>" if "space" in example else ""
        return f"<div>{first}{label}</div>{_panels(panels)}"

    def _majority(self, name: str) -> str:
        example = EXAMPLES["majorities"][name]
        heads = [self._say("rules.player"), self._speech.type(TYPES.index(example["type"]))]
        heads += [self._say("rules.place"), self._say("rules.points")]
        lines = ["<table><thead><tr>", *[f"<th>{head}</th>" for head in heads], "</tr></thead><tbody>"]
        for one in example["rows"]:
            tiles = self._pieces(f"{name}-{one['name'].lower()}", one["tiles"])
            lines.append(
                f"<tr><th>{one['name']}</th><td>{tiles}</td><td>{one['place']}</td><td>{one['points']}</td></tr>"
            )
        return "".join([*lines, "</tbody></table>"])

    def _rebuild(self, name: str) -> str:
        panels = []
        for example in EXAMPLES["rebuild"]:
            say, sides = example["say"], []
            for side, city, reserve in (
                ("before", example["before"], example["reserve"]),
                ("after", example["city"], example["after"]),
            ):
                shown = {"city": city, "new": example["cell"]}
                svg = rule_pictures.city_picture(self._language, shown, self._speech.say(f"rules.say.{say}"))
                picture = self._image(f"{name}-{say}-{side}", svg, rule_pictures.city_words(self._language, city))
                kept = self._pieces(f"{name}-{say}-{side}-reserve", reserve) if reserve else "–"
                sides.append(f"<div>{picture}<p>{self._label('rules.reserve')} {kept}</p></div>")
            text = f"<p><b>{self._say(f'rules.sum.{say}')}</b> {self._say(f'rules.say.{say}')}</p>"
            panels.append(f'<div class="pair">{sides[0]}<span aria-hidden="true">→</span>{sides[1]}</div>{text}')
        return _panels(panels)

    def _exact(self, name: str) -> str:
        panels = []
        for step in EXAMPLES["exact"]:
            bought = self._pieces(f"{name}-{step['say']}-tile", [step["tile"]]) if "tile" in step else ""
            cards = self._pieces(f"{name}-{step['say']}", step["cards"])
            panels.append(f"{bought}{cards}<p>{self._say('rules.say.' + step['say'])}</p>")
        return _panels(panels)

    def _leftovers(self, name: str) -> str:
        example = EXAMPLES["leftovers"]
        panels = []
        for hand in example["hands"]:
            cards = self._pieces(f"{name}-{hand['name'].lower()}", hand["cards"])
            gets = f"<b>{self._say('rules.gets_it')}</b>" if hand["name"] == example["winner"] else ""
            panels.append(f"{cards}<p>{hand['name']} {gets}</p>")
        space = escape(self._speech.currency(LETTERS.index(example["space"])))
        return f"<div>{self._pieces(f'{name}-tile', [example['tile']])}<p>{space}</p></div>{_panels(panels)}"

    def _yard(self, name: str) -> str:
        tiles = "".join(
            f"<div>{self._pieces(f'{name}-{letter}', [one])}<p>{escape(self._speech.currency(space))}</p></div>"
            for space, (letter, one) in enumerate(zip(LETTERS, EXAMPLES["yard"]["tiles"], strict=True))
        )
        display = self._pieces(f"{name}-display", EXAMPLES["yard"]["display"])
        yard = f'<p>{self._label("rules.yard")}</p><div class="pair">{tiles}</div>'
        return f"{yard}<p>{self._label('rules.display')}</p>{display}"

    def _box(self, name: str) -> str:
        parts = []
        for kind, tiles in (("alhambra", standard().alhambra), ("granada", standard().granada)):
            types: dict[int, str] = {}
            for one in [face for piece in tiles for face in (piece, piece.back) if face is not None]:
                types.setdefault(one.type, one.name)
            shown = [types[type_] for type_ in sorted(types)]
            parts.append(f"<p>{self._say(f'edition.{kind}')}</p>{self._pieces(f'{name}-{kind}', shown)}")
        parts.append(f"<p>{self._say('rules.money')}</p>{self._pieces(f'{name}-money', ['y7', 'g4', 'b9', 'o2'])}")
        return "".join(parts)

    def _dirk(self, name: str) -> str:
        return self._pieces(name, _DIRK, self._speech.say("piece.dirk"))

    def _faces(self, name: str) -> str:
        back = tile(_FACE).back
        assert back is not None
        sides = [(_FACE, "rules.even"), (back.name, "rules.odd")]
        shown = [f"<div>{self._pieces(f'{name}-{key[6:]}', [one])}<p>{self._say(key)}</p></div>" for one, key in sides]
        cost = f"<div>{self._pieces(f'{name}-cost', ['o3'])}<p>{self._say('rules.turn_over')}</p></div>"
        return f'<div class="pair">{shown[0]}{cost}{shown[1]}</div>'

    def _bonus(self, name: str) -> str:
        svg = rule_pictures.row(self._language, [tile(_BONUS)], self._speech.say("module.bonus"), bonus=_BONUS)
        return self._image(name, svg, f"{self._speech.tile(tile(_BONUS))}, {self._speech.say('rules.revealed')}")

    def _vizier(self, name: str) -> str:
        parts = []
        for symbol, key in (("vizier-active", "rules.awake"), ("vizier-asleep", "rules.asleep")):
            title = self._speech.say(key)
            picture = self._image(f"{name}-{key[6:]}", rule_pictures.row(self._language, [symbol], title), title)
            parts.append(f"<div>{picture}<p>{self._say(key)}</p></div>")
        return f'<div class="pair">{"".join(parts)}</div>'

    def _turn(self, name: str) -> str:
        steps = [f"<li><b>{self._say(f'rules.sum.{step}')}</b> {self._say(f'rules.say.{step}')}</li>" for step in _TURN]
        return f"<ol>{''.join(steps)}</ol>"

    def _label(self, key: str) -> str:
        return escape(self._speech.with_colon(self._speech.say(key)), quote=False)


def _panels(panels: Sequence[str]) -> str:
    return f'<div class="panels">{"".join(f"<div>{panel}</div>" for panel in panels)}</div>'
