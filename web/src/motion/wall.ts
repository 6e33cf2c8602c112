// The longest wall lights up edge by edge, and its number counts.

import { number } from "$lib/i18n.svelte";
import type { Side } from "$lib/notation";
import { cornersOf } from "$lib/stretches";
import type { Growth } from "./changes";
import { count } from "./count";
import { placeOf } from "./pieces";
import { isShown, type Stage } from "./stage";

export function growWall(stage: Stage, root: ParentNode, { item, before, after, edges }: Growth, wait: number): void {
  const city = placeOf(root, "city");
  const chip = root.querySelector(`[data-length="${item}"]`);
  if (!stage.isMoving) {
    if (isShown(chip)) stage.ring(chip);
    return;
  }
  const { steps, stagger } = stage.timing;
  const pause = Math.min(stagger, steps[4] / Math.max(1, edges.length));
  const kind = item === "run" ? "run" : "edge";
  for (const [i, edge] of inOrder(edges).entries()) {
    const [cell = "", side = ""] = edge.split(" ");
    const trace = city?.querySelector(`[data-cell="${cell}"] [data-${kind}="${side}"]`);
    if (!trace) continue;
    const lit = { color: "var(--brass-fill)" };
    void stage.run(trace, "wall", [{ opacity: 0, ...lit }, { opacity: 1, ...lit, offset: 0.6 }, { opacity: 1 }], {
      duration: steps[1],
      delay: wait + i * pause,
      fill: "backwards",
    });
  }
  if (isShown(chip)) count(stage, chip, { before, after, wait, duration: pause * edges.length, write: number });
}

/** Edges one after the other along the stretch, beginning at an end if it has one. */
export function inOrder(edges: readonly string[]): string[] {
  const left = edges.map((edge) => ({ edge, corners: endsOf(edge) }));
  const uses = new Map<string, number>();
  for (const corner of left.flatMap(({ corners }) => corners)) uses.set(corner, (uses.get(corner) ?? 0) + 1);
  const found: string[] = [];
  let end: string | undefined;
  while (left.length > 0) {
    let next = left.findIndex(({ corners }) => end !== undefined && corners.includes(end));
    if (next < 0) next = left.findIndex(({ corners }) => corners.some((corner) => uses.get(corner) === 1));
    if (next < 0) next = 0;
    const [{ edge, corners }] = left.splice(next, 1) as [(typeof left)[number]];
    const entered = end !== undefined && corners.includes(end) ? end : corners.find((one) => uses.get(one) === 1);
    end = corners.find((corner) => corner !== entered);
    found.push(edge);
  }
  return found;
}

function endsOf(edge: string): [string, string] {
  const [cell = "", side = "N"] = edge.split(" ");
  return cornersOf(cell, side as Side);
}
