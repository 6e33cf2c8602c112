// Pieces and places as they are on the screen: elements with `data-piece` in elements with `data-place`.

import type { Place } from "./changes";
import { boxOf, isShown, type Box } from "./stage";

/** A place that is shown; Dirk's tiles rather than his name plate. */
export function placeOf(root: ParentNode, place: Place): Element | null {
  return [...root.querySelectorAll(`[data-place="${place}"]`)].filter(isShown).at(-1) ?? null;
}

/** The pieces of a place by their names, in their order. */
export function piecesIn(root: ParentNode, place: Place): Map<string, Element[]> {
  const found = new Map<string, Element[]>();
  for (const element of root.querySelectorAll(`[data-place="${place}"] [data-piece]`)) {
    const name = element.getAttribute("data-piece")!;
    found.set(name, [...(found.get(name) ?? []), element]);
  }
  return found;
}

/** Pieces in a row, and where they are in it. */
export interface Row {
  place: Place;
  /** By their names; an element can get another piece when the new state is drawn. */
  boxes: Map<string, Box[]>;
}

/** Where the pieces of a place are, seen from its corner, without some of them. */
export function rowOf(root: ParentNode, place: Place, without: ReadonlySet<Element>): Row {
  const boxes = new Map<string, Box[]>();
  const corner = cornerOf(root, place);
  if (corner !== null)
    for (const [name, elements] of piecesIn(root, place)) {
      const rest = elements.filter((element) => !without.has(element) && isShown(element));
      boxes.set(
        name,
        rest.map((element) => from(corner, boxOf(element, true))),
      );
    }
  return { place, boxes };
}

/** Pieces that have another place in their row, each with where it was: a row that has moved as a whole has not. */
export function movedIn(root: ParentNode, { place, boxes }: Row, without: ReadonlySet<Element>): [Element, Box][] {
  const corner = cornerOf(root, place);
  if (corner === null) return [];
  const away = { x: -corner.x, y: -corner.y };
  return [...piecesIn(root, place)].flatMap(([piece, elements]) =>
    elements
      .filter((element) => !without.has(element))
      .flatMap((element, i): [Element, Box][] => {
        const box = boxes.get(piece)?.[i];
        return box === undefined ? [] : [[element, from(away, box)]];
      }),
  );
}

function cornerOf(root: ParentNode, place: Place): Box | null {
  const row = placeOf(root, place);
  return row && boxOf(row);
}

function from({ x, y }: { x: number; y: number }, box: Box): Box {
  return { ...box, x: box.x - x, y: box.y - y };
}
