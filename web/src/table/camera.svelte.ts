// Where the reader looks at a city: nothing moves by itself as long as the whole city can be seen.

import type { Extent } from "$lib/city";

/** The smallest and the largest width of a cell, and the smallest for somebody who wants to see the whole city. */
const LEAST = 44;
export const SMALLEST = 24;
const MOST = 140;
const STEP = 1.25;
/** So much of a cell is left free around the city. */
const MARGIN = 0.1;
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
  #seen = { width: 0, height: 0 };

  /** Show all of a city, as large as it fits; cells that nobody asked to be smaller stay as large as a finger. */
  fit(extent: Extent, least = LEAST): void {
    if (this.width === 0 || this.height === 0) return;
    const [columns, rows] = [Math.max(extent.columns, 4) + 2 * MARGIN, Math.max(extent.rows, 3) + 2 * MARGIN];
    this.cell = Math.max(least, Math.min(MOST, Math.floor(Math.min(this.width / columns, this.#free / rows))));
    this.x = extent.left + extent.columns / 2;
    this.y = extent.top + extent.rows / 2;
  }

  /** The height that nothing else takes. */
  get #free(): number {
    return this.height - (this.width < NARROW ? NARROW_FOOT : FOOT);
  }

  /** The city or the window has changed: look anew only if something could no longer be seen. */
  follow(extent: Extent): void {
    const { width, height } = this.#seen;
    const isOther = width !== this.width || Math.abs(height - this.height) > NUDGE;
    if (!isOther && this.#holds(extent)) return;
    this.fit(extent);
    this.#seen = { width: this.width, height: this.height };
  }

  #holds({ left, top, columns, rows }: Extent): boolean {
    const [across, down] = [this.width / this.cell / 2, this.#free / this.cell / 2];
    return left >= this.x - across && left + columns <= this.x + across && top >= this.y - down && top + rows <= this.y + down;
  }

  zoom(steps: number): void {
    this.cell = Math.max(LEAST, Math.min(MOST * 1.6, this.cell * STEP ** steps));
  }

  /** The width of a cell may not fall below the size of a finger: then the view is moved. */
  pan(dx: number, dy: number): void {
    this.x -= dx / this.cell;
    this.y -= dy / this.cell;
  }

  /** Bring a cell into view; one that is seen stays where it is. */
  show(x: number, y: number): void {
    const [across, down] = [this.width / this.cell / 2 - 0.5, this.#free / this.cell / 2 - 0.5];
    this.x = Math.min(Math.max(this.x, x + 0.5 - across), x + 0.5 + across);
    this.y = Math.min(Math.max(this.y, y + 0.5 - down), y + 0.5 + down);
  }

  left(x: number): number {
    return this.width / 2 + (x - this.x) * this.cell;
  }

  top(y: number): number {
    return this.#free / 2 + (y - this.y) * this.cell;
  }
}
