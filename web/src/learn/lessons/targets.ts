// What a step points at, found on the table; pieces carry their notation as attributes.

/** Parts of the table that have no notation; the last ones stand in where the first are out of sight. */
const PARTS: Record<string, string[]> = {
  hand: [".hand"],
  yard: [".yard"],
  display: [".display"],
  tray: [".tray"],
  reserve: [".reserve"],
  wall: [".wallchip"],
  next: [".next"],
  points: [".seats"],
  majority: ["#sheet-majority", '[data-tab="majority"]'],
  marker: [".marker", '[data-tab="supply"]', ".yard"],
};

/** The elements of the first stage that is not done; buttons only when they can be pressed. */
export function targets(root: HTMLElement, stages: readonly string[]): HTMLElement[] {
  if (isHeld(root)) return found(root, "act:main");
  for (const stage of stages) {
    const open = stage
      .split(" ")
      .flatMap((name) => found(root, name))
      .filter((element) => !isPicked(element));
    if (open.length > 0) return open;
  }
  return [];
}

/** The element that a name means, if it can be seen. */
function found(root: HTMLElement, name: string): HTMLElement[] {
  const [kind = "", value] = name.split(":");
  for (const selector of selectors(kind, value)) {
    const element = root.querySelector<HTMLElement>(selector);
    if (element !== null && isSeen(element)) return [element];
  }
  return [];
}

function selectors(kind: string, value: string | undefined): string[] {
  if (value === undefined) return PARTS[kind] ?? [];
  if (kind === "majority") return [`#sheet-majority tr:has(.ty-${value})`, '[data-tab="majority"]'];
  return [`[data-${kind}="${value}"]:not(:disabled)`];
}

function isHeld(root: HTMLElement): boolean {
  return (root.querySelector<HTMLElement>("[data-table]")?.dataset["held"] ?? "") !== "";
}

/** Whether a piece has been chosen, so that the next stage comes; where a click builds at once, a cell never is. */
function isPicked(element: HTMLElement): boolean {
  if (element.ariaPressed === "true" || element.querySelector('[data-display][aria-pressed="true"]') !== null)
    return true;
  if (element.dataset["cell"] === undefined || element.ariaSelected !== "true") return false;
  return element.dataset["state"] === "chosen" || matchMedia("(pointer: coarse)").matches;
}

/** Whether an element is on the screen, and nothing lies over it. */
function isSeen(element: HTMLElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0 || !element.checkVisibility({ visibilityProperty: true })) return false;
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  // Outside of the window there is nothing to ask: the reader may have to scroll.
  return above === null || element.contains(above) || above.contains(element) || above.closest(".rings") !== null;
}
