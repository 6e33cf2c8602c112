// Dragging a piece onto a cell, into the reserve or to Dirk; a tap or click stays what it is.

import type { Controls } from "./controls.svelte";
import type { Piece, Turn } from "./turn.svelte";

interface Dragging {
  piece: Piece;
  x: number;
  y: number;
}

/** So far a pointer moves before it drags. */
const SLACK = 8;
let current = $state.raw<Dragging | null>(null);
/** What was dropped last, and where: from there it travels on. */
let dropped: Dragging | null = null;

export function dragged(): Dragging | null {
  return current;
}

export function takeDropped(): Dragging | null {
  const last = dropped;
  dropped = null;
  return last;
}

export function draggable(controls: Controls, turn: Turn, piece: Piece): (element: HTMLElement) => () => void {
  return (element) => {
    let from: { x: number; y: number } | null = null;
    let hasMoved = false;

    const down = (event: PointerEvent): void => {
      if (event.button !== 0 || element.matches(":disabled")) return;
      from = { x: event.clientX, y: event.clientY };
      hasMoved = false;
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", stop);
    };
    const move = (event: PointerEvent): void => {
      if (from === null || (!hasMoved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < SLACK)) return;
      if (!hasMoved && !turn.isPicked(piece)) turn.pick(piece);
      hasMoved = true;
      event.preventDefault();
      current = { piece, x: event.clientX, y: event.clientY };
      turn.cell = below(event)?.dataset["cell"] ?? null;
    };
    const up = (event: PointerEvent): void => {
      const target = hasMoved ? below(event) : null;
      if (hasMoved) element.addEventListener("click", swallow, { capture: true, once: true });
      stop();
      if (target === null) return;
      const place = target.dataset["drop"];
      const action =
        place === "reserve" || place === "give"
          ? turn.elsewhere(place)
          : target.dataset["cell"] && piece.from !== "yard" && piece.from !== "hut"
            ? turn.action
            : null;
      if (action === null) return;
      dropped = { piece, x: event.clientX, y: event.clientY };
      controls.play(action);
    };
    const stop = (): void => {
      from = null;
      current = null;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", stop);
      setTimeout(() => element.removeEventListener("click", swallow, { capture: true }));
    };
    // The click that ends a drag is none.
    const swallow = (event: Event): void => {
      event.stopPropagation();
      event.preventDefault();
    };

    element.addEventListener("pointerdown", down);
    element.classList.add("draggable");
    return () => {
      stop();
      element.removeEventListener("pointerdown", down);
    };
  };
}

/** The cell or place under the pointer. */
function below(event: PointerEvent): HTMLElement | null {
  return (
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-cell], [data-drop]") ?? null
  );
}
