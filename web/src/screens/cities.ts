// A small city of each edition for the pictures of the screens: real tiles, in an order in which they could be built.

import type { TableOptions } from "$lib/api";

export type Edition = NonNullable<TableOptions["edition"]>;

export const CITIES: Record<Edition, Record<string, string>> = {
  alhambra: {
    "0,0": "start-alhambra",
    "0,-1": "garden-11",
    "-1,0": "pavilion-8",
    "1,0": "arcades-9",
    "0,1": "chambers-9-S",
    "-1,-1": "chambers-8-NW",
    "1,-1": "tower-9-NE",
    "-1,1": "seraglio-8-S",
    "1,1": "seraglio-6-ES",
    "-2,0": "garden-8-NW",
    "2,0": "tower-8-NES",
    "0,-2": "pavilion-2-NEW",
    "-2,1": "arcades-6-SW",
  },
  granada: {
    "0,0": "start-granada",
    "0,-1": "park-13",
    "-1,0": "school-12",
    "1,0": "hostel-10",
    "0,1": "district-8",
    "-1,-1": "bath_house-5",
    "1,-1": "library-5",
    "-1,1": "hospital-10",
    "1,1": "market-7",
    "-2,0": "arena-7",
    "2,0": "school-4",
    "0,-2": "market-2",
    "-2,1": "hostel-3",
  },
  combined: {
    "0,0": "start-alhambra",
    "1,0": "pavilion-7-E",
    "0,-1": "tower-11-N",
    "-1,0": "garden-10-W",
    "0,1": "seraglio-8-S",
    "1,-1": "arcades-6-NE",
    "1,1": "chambers-6-ES",
    "-1,1": "arcades-6-SW",
    "2,0": "arena-9",
    "2,-1": "bath_house-5",
    "2,1": "hostel-3",
    "3,0": "market-9",
    "3,-1": "library-5",
    "3,1": "park-5",
    "-1,-1": "chambers-8-NW",
  },
};
