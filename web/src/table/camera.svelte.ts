// Where the reader looks at a city: nothing moves by itself as long as every tile can be seen.

import { extentOf, type Extent } from "$lib/city";
import { readCell } from "$lib/notation";

/** The smallest and the largest width of a cell, and the smallest for somebody who wants to see the whole city. */
const LEAST = 44;
const SMALLEST = 24;
const MOST = 140;
const STEP = 1.25;
/** A view that is made new has room to build on, so that the first tiles change nothing. */
const ROOM = { columns: 6, rows: 4.6 };
/** How much is left around a city in a view that is made new, and how much has to be seen later to build there. */
const RING = 1.1;
const EDGE = 0.6;
/** Room for the chips at the foot; less on a narrow board. */
const FOOT = 40;
const NARROW_FOOT = 28;
const NARROW = 500;
/** A window that grows or shrinks by less is the same: nothing may move under the pointer because a sentence got longer. */
const NUDGE = 60;

export class Camera {
  width = $state(0);
  height = $state(0);
  /** The middle of the view in cells, and the width of a cell. */
  x = $state(0.5);
  y = $state(0.5);
  cell = $state(80);
  /** Whether the reader has moved or zoomed the view: then only new tiles are brought into it. */
  #isOwn = false;
  #seen = { of: 0, width: 0, height: 0, cells: [] as readonly string[] };

  /** Show all of a city, as large as it fits. */
  showWhole(): void {
    this.#fit(SMALLEST);
  }

  /** Cells that nobody asked to be smaller stay as large as a finger. */
  #fit(least: number): void {
    const { left, top, columns, rows } = extentOf(this.#seen.cells);
    const [wide, high] = [Math.max(columns + 2 * RING, ROOM.columns), Math.max(rows + 2 * RING, ROOM.rows)];
    this.cell = Math.max(least, Math.min(MOST, Math.floor(Math.min(this.width / wide, this.#free / high))));
    this.x = left + columns / 2;
    this.y = top + rows / 2;
    this.#isOwn = false;
  }

  /** The height that nothing else takes. */
  get #free(): number {
    return this.height - (this.width < NARROW ? NARROW_FOOT : FOOT);
  }

  /** The city of a seat, or the window, has changed: change the view as little as every tile needs. */
  follow(seat: number, cells: readonly string[]): void {
    if (this.width === 0 || this.height === 0) return;
    const { of, width, height, cells: before } = this.#seen;
    this.#seen = { of: seat, width: this.width, height: this.height, cells };
    if (of !== seat || width !== this.width || Math.abs(height - this.height) > NUDGE) return this.#fit(LEAST);
    this.y += (this.height - height) / 2 / this.cell; // what is seen stays where it is
    const { left, top, columns, rows } = extentOf(cells);
    const needed = { left: left - EDGE, top: top - EDGE, columns: columns + 2 * EDGE, rows: rows + 2 * EDGE };
    if (!this.#isOwn && cells.length !== before.length) this.#makeRoom(needed);
    for (const cell of cells) if (!before.includes(cell)) this.show(cell);
  }

  /** Bring a rectangle into view: by moving if it fits, else by the least zoom about the starting tile. */
  #makeRoom({ left, top, columns, rows }: Extent): void {
    const widest = Math.max(LEAST, Math.floor(Math.min(this.width / columns, this.#free / rows)));
    if (widest < this.cell) {
      [this.x, this.y] = [(this.x * this.cell) / widest, (this.y * this.cell) / widest];
      this.cell = widest;
    }
    this.x = within(this.x, left, columns, this.width / this.cell);
    this.y = within(this.y, top, rows, this.#free / this.cell);
  }

  zoom(steps: number): void {
    this.cell = Math.max(LEAST, Math.min(MOST * 1.6, this.cell * STEP ** steps));
    this.#isOwn = true;
  }

  /** The width of a cell may not fall below the size of a finger: then the view is moved. */
  pan(dx: number, dy: number): void {
    this.x -= dx / this.cell;
    this.y -= dy / this.cell;
    this.#isOwn = true;
  }

  /** Bring a cell into view; one that is seen stays where it is. */
  show(cell: string): void {
    const { x, y } = readCell(cell);
    this.x = within(this.x, x, 1, this.width / this.cell);
    this.y = within(this.y, y, 1, this.#free / this.cell);
  }

  left(x: number): number {
    return this.width / 2 + (x - this.x) * this.cell;
  }

  top(y: number): number {
    return this.#free / 2 + (y - this.y) * this.cell;
  }
}

/** The middle nearest to the present one from which a stretch is seen, or nothing but a stretch that is too long. */
function within(middle: number, first: number, length: number, seen: number): number {
  const [one, other] = [first + length - seen / 2, first + seen / 2];
  return Math.min(Math.max(middle, Math.min(one, other)), Math.max(one, other));
}
