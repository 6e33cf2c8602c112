// The points of a scoring fly from where they are earned to the score, which counts up when they land.

import { number } from "$lib/i18n.svelte";
import { count } from "./count";
import { boxOf, isShown, type Stage } from "./stage";

/** Many players follow each other more quickly. */
const MANY = 4;
/** How far a number rises before it sets off. */
const RISE = 14;

/** The points of one player on their way. */
export interface Flight {
  from: Element | null;
  /** The score; it already says `after`. */
  to: Element | null;
  before: number;
  after: number;
  /** What is not to be seen before they land. */
  hidden?: Element | null;
}

/** Let points fly, one player after the other; `wait` is in milliseconds. */
export function flyPoints(stage: Stage, flights: readonly Flight[], players: number, wait = 0): void {
  const { stagger } = stage.timing;
  const pause = stagger * (players < MANY ? 2.5 : 1.5);
  for (const [i, flight] of flights.entries()) {
    if (!isShown(flight.to)) continue;
    if (stage.isMoving) fly(stage, flight, flight.to, wait + i * pause);
    else stage.ring(flight.to);
  }
}

function fly(stage: Stage, { from, before, after, hidden }: Flight, to: Element, delay: number): void {
  const { steps, travel } = stage.timing;
  const duration = steps[4];
  const begin = middleOf(isShown(from) ? from : to);
  const end = middleOf(to);
  const points = document.createElement("div");
  points.className = "motion-points";
  points.textContent = `+${number(after - before)}`;
  const at = (x: number, y: number, scale: number) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const [dx, dy] = [begin.x - end.x, begin.y - end.y];
  const frames = [
    { transform: at(dx, dy, 0.9), opacity: 0 },
    { transform: at(dx, dy - RISE, 1.15), opacity: 1, offset: 0.25 },
    { transform: at(0, 0, 0.8), opacity: 1, offset: 0.95 },
    { transform: at(0, 0, 0.8), opacity: 0 },
  ];
  stage.add(points, end);
  const landing = stage
    .run(points, "points", frames, { duration, delay, easing: travel, fill: "both" })
    .then(() => points.remove());
  if (hidden) void stage.run(hidden, "hidden", [{ opacity: 0 }, { opacity: 0 }], { duration: duration + delay });
  count(stage, to, { before, after, wait: 0, duration: steps[1], write: number, landing });
}

/** The middle of an element, where it will be when everything around it has come to rest. */
function middleOf(element: Element): { x: number; y: number } {
  const { x, y, w, h } = boxOf(element);
  const middle = { x: x + w / 2, y: y + h / 2 };
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    if (at.getAnimations().length === 0) continue;
    const { transform } = getComputedStyle(at);
    if (transform === "none") continue;
    const { m41, m42 } = new DOMMatrix(transform);
    middle.x -= m41;
    middle.y -= m42;
  }
  return middle;
}
