"""The colours of `design/tokens.css`, light theme: each ground with an ink of sufficient contrast.

Colour never stands alone: beside it there is always an icon, a letter or a word.
"""

from __future__ import annotations

from typing import Final

INK: Final = "#1F2430"
QUIET: Final = "#4B4A4C"
IVORY: Final = "#FFFDF7"
GROUND: Final = "#EDE4D3"
PANEL: Final = "#FAF5EA"
WELL: Final = "#E7DCC8"
BOARD: Final = "#E4D8C1"
LINE: Final = "#D8CAB0"
STRONG_LINE: Final = "#857356"
BRASS: Final = "#7A5410"
BRASS_FILL: Final = "#D2A24A"
TRACE: Final = "#C91F6B"
LEGAL: Final = "#1D6B52"
LEGAL_GROUND: Final = "#CBE6D5"

SERIF: Final = "'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L',P052,Georgia,serif"
SANS: Final = "system-ui,'Segoe UI',Roboto,'Noto Sans','Liberation Sans','DejaVu Sans',sans-serif"

#: Ground and ink of each type.
TYPE_COLOURS: Final = (
    ("#2C6FAE", IVORY),  # pavilion
    ("#9E2320", IVORY),  # seraglio
    ("#DCA976", INK),  # arcades
    ("#EAE4D6", INK),  # chambers
    ("#54A058", INK),  # garden
    ("#481E6C", IVORY),  # tower
    ("#E4AD3C", INK),  # arena
    ("#29A0A6", INK),  # bath house
    ("#4A0620", IVORY),  # library
    ("#EC7B38", INK),  # hostel
    ("#FDDAE1", INK),  # hospital
    ("#9E246B", IVORY),  # market
    ("#CCE167", INK),  # park
    ("#2C2F84", IVORY),  # school
    ("#667380", IVORY),  # district
)
#: Ground and ink of each currency, in yard order.
CURRENCY_COLOURS: Final = (("#F6D653", INK), ("#227F53", IVORY), ("#14488F", IVORY), ("#F18336", INK))
#: Ground and ink of each seat.
SEAT_COLOURS: Final = (
    ("#154694", IVORY),
    ("#C94731", IVORY),
    ("#4CB6A6", INK),
    ("#EEC651", INK),
    ("#98397E", IVORY),
    ("#232933", IVORY),
)
DIRK_COLOURS: Final = ("#7B7F86", INK)
