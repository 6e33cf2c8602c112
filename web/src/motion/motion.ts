// The motions of the table: the new state is drawn at once, then what has changed travels from where it was.

import { mayMove } from "$lib/settings.svelte";
import { playSound } from "../table/sound";
import type { Changes, Place, Travel } from "./changes";
import { exactSparks } from "./exact";
import { movedIn, piecesIn, placeOf, rowOf, type Row } from "./pieces";
import { Copy, isShown, boxOf, type Box, type Stage } from "./stage";
import { turnMark } from "./turn_mark";
import { growWall } from "./wall";

/** Places whose pieces close up when one of them leaves. */
const ROWS: Place[] = ["hand", "display", "tray", "reserve"];
/** From above, where there is no bag or deck to come from. */
const ABOVE = 40;

/** A piece before the new state is drawn. */
interface Departure {
  travel: Travel;
  element: Element | null;
  /** Where it was seen; null if it was not. */
  box: Box | null;
  copy: Copy | null;
}

/** A tile that the reader has dragged, and where it was dropped. */
export interface Dropped {
  piece: string;
  box: Box;
}

export class Motion {
  readonly #root: ParentNode;
  readonly #stage: Stage;

  constructor(root: ParentNode, stage: Stage) {
    this.#root = root;
    this.#stage = stage;
  }

  /** Look where everything is before the new state is drawn; call the result when it is. */
  prepare(changes: Changes, dropped: Dropped | null = null): () => void {
    const used = new Set<Element>();
    const departures = changes.travels.map((travel) => {
      const departure = this.#departure(travel, used);
      return dropped !== null && dropped.piece === travel.piece ? { ...departure, box: dropped.box } : departure;
    });
    const rows = ROWS.map((place) => rowOf(this.#root, place, used));
    const turn = changes.turn === null ? null : placeOf(this.#root, `seat-${changes.turn.from}`);
    const turnBox = isShown(turn) ? boxOf(turn) : null;
    return () => this.#play(changes, departures, rows, turnBox);
  }

  #departure(travel: Travel, used: Set<Element>): Departure {
    const element = findPiece(this.#root, travel.from, travel.piece, used) ?? null;
    if (element !== null) used.add(element);
    const shown = isShown(element) ? element : null;
    const mayVanish = shown !== null && (/^(space|seat)-/.test(travel.to) || travel.isTurned);
    return { travel, element: shown, box: shown && boxOf(shown), copy: mayVanish ? new Copy(shown) : null };
  }

  #play(changes: Changes, departures: Departure[], rows: Row[], turnBox: Box | null): void {
    const stage = this.#stage;
    stage.isMoving = mayMove();
    const used = new Set<Element>();
    const { steps, stagger } = stage.timing;
    const isLeaving = departures.some(({ travel, box }) => travel.kind !== "refill" && box !== null);
    let [gone, refilled] = [0, 0];
    for (const departure of departures) {
      const { travel, copy, box } = departure;
      const target = findPiece(this.#root, travel.to, travel.piece, used, true);
      if (target !== undefined) used.add(target);
      if (isShown(target)) {
        const from = box ?? this.#origin(travel, target);
        const delay =
          travel.kind === "refill" && stage.isMoving
            ? (isLeaving ? steps[1] : 0) + refilled++ * stagger * 1.5
            : travel.kind === "undo" || travel.kind === "take"
              ? gone++ * stagger
              : 0;
        const turned = travel.isTurned && copy !== null ? copy : null;
        void stage.arrive(target, travel.kind, from, { delay, turned, isNew: box === null });
      } else if (copy !== null) {
        const place = placeOf(this.#root, travel.to);
        if (isShown(place)) void stage.depart(copy, travel.kind, place, { delay: stagger * gone++ });
      }
    }
    this.#sound(changes);
    for (const row of rows) for (const [element, from] of movedIn(this.#root, row, used)) stage.slide(element, from);
    if (changes.exact !== null) exactSparks(stage, this.#root, changes.exact);
    for (const growth of changes.growths) growWall(stage, this.#root, growth, isLeaving ? steps[2] : 0);
    if (changes.turn !== null) turnMark(stage, this.#root, turnBox, placeOf(this.#root, `seat-${changes.turn.to}`));
  }

  /** Also without motion; a tile is heard when it lands. */
  #sound({ travels, exact }: Changes): void {
    const { isMoving, timing } = this.#stage;
    const isTile = ({ kind }: Travel) => ["buy", "place", "reserve", "give"].includes(kind);
    if (travels.some(({ kind }) => kind === "take" || kind === "pay")) playSound("card");
    if (travels.some(isTile)) playSound("tile", isMoving ? timing.steps[2] / 1000 : 0);
    if (exact !== null) playSound("exact");
  }

  /** Where a newly revealed piece comes from. */
  #origin({ from, kind }: Travel, target: Element): Box {
    const to = boxOf(target, true);
    const place = placeOf(this.#root, from);
    if (!isShown(place)) return kind === "refill" ? { ...to, y: to.y - ABOVE } : to;
    const at = boxOf(place);
    const scale = Math.min(1, at.h / to.h);
    const [w, h] = [to.w * scale, to.h * scale];
    return { x: at.x + (at.w - w) / 2, y: at.y + (at.h - h) / 2, w, h };
  }
}

/** A piece in a place: one that is picked rather than another; a tile that waits in the city for its confirmation is there. */
function findPiece(
  root: ParentNode,
  place: Place,
  piece: string,
  used: Set<Element>,
  isNew = false,
): Element | undefined {
  const free = (at: Place) => (piecesIn(root, at).get(piece) ?? []).filter((element) => !used.has(element));
  const found = free(place);
  if (isNew) return found.at(-1);
  const picked = found.find((element) => element.closest("[aria-pressed=true]") !== null);
  return picked ?? found[0] ?? (place === "tray" || place === "reserve" ? free("city")[0] : undefined);
}
