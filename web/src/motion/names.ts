// Names of pieces on the screen: a tile keeps its name from the yard to the tray, the city and the reserve.

import { facts } from "$lib/box";

/** The name of a tile; both faces of a Granada tile have the same one. */
export function pieceName(tile: string): string {
  const { back } = facts(tile);
  return back !== null && back < tile ? back : tile;
}
