// Copies of pieces that travel over the table, and everything else that moves; only transform and opacity change.

/** A place on the screen. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Timing {
  /** Steps of duration in milliseconds: the tokens `--m-1` to `--m-5`, and the pause between several of a kind. */
  steps: readonly [number, number, number, number, number];
  stagger: number;
  travel: string;
  settle: string;
  leave: string;
  ease: string;
}

/** A motion shorter than this slides, a longer one is lifted. */
const NEAR = 90;
const LIFT = 26;
/** A piece that is nearer than this has not moved. */
const STILL = 3;
/** Under reduced motion, in milliseconds. */
const FADE = 120;
const RING = 1200;

export class Stage {
  readonly #layer: HTMLElement;
  readonly #running = new Set<Animation>();
  readonly #afterwards = new Set<() => void>();
  /** Whether pieces travel; under reduced motion they fade in. */
  isMoving = true;
  timing: Timing = timingOf(document.documentElement);

  constructor(layer: HTMLElement) {
    this.#layer = layer;
  }

  get isBusy(): boolean {
    return this.#running.size > 0 || this.#afterwards.size > 0;
  }

  /** Put everything where it belongs, at once. */
  finish(): void {
    const running = [...this.#running];
    this.#running.clear();
    for (const animation of running) animation.cancel();
    for (const restore of this.#afterwards) restore();
    this.#afterwards.clear();
    this.#layer.replaceChildren();
  }

  /** Animate an element; the promise tells whether the animation came to its end. */
  run(element: Element, id: string, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<boolean> {
    const animation = element.animate(frames, { id: `motion-${id}`, ...options });
    this.#running.add(animation);
    return animation.finished.then(
      () => this.#running.delete(animation),
      () => false,
    );
  }

  /** What is done when everything is finished, even if before its time; returns a function that does it now. */
  restoring(restore: () => void): () => void {
    this.#afterwards.add(restore);
    return () => {
      if (this.#afterwards.delete(restore)) restore();
    };
  }

  /** A piece travels from where it was to where it is; the real one is hidden until its copy lands. */
  async arrive(
    element: Element,
    id: string,
    from: Box,
    { duration = this.timing.steps[2], delay = 0, turned = null as Copy | null, isNew = false } = {},
  ): Promise<void> {
    const to = boxOf(element, true);
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    if (!this.isMoving) {
      this.fade(element, id);
      return;
    }
    if (distance < STILL && Math.abs(to.w - from.w) < STILL) {
      this.#settle(element, id);
      return;
    }
    const isNear = distance < NEAR;
    if (isNear) duration = Math.min(duration, this.timing.steps[1]);
    const copy = this.#put(new Copy(element), to);
    const lifted = between(to, {
      x: (from.x + to.x) / 2,
      y: (from.y + to.y) / 2 - (isNear ? 0 : LIFT),
      w: ((from.w + to.w) / 2) * 1.05,
      h: ((from.h + to.h) / 2) * 1.05,
    });
    if (turned !== null) this.#turnOver(copy, turned, delay);
    void this.run(element, "hidden", [{ opacity: 0 }, { opacity: 0 }], { duration: duration + delay });
    const frames = [
      // A new piece is not seen before it sets off.
      { transform: between(to, from), ...(isNew && { opacity: 0 }) },
      ...(isNew ? [{ opacity: 1, offset: 0.2 }] : []),
      ...(isNear ? [] : [{ transform: lifted, offset: 0.45 }]),
      { transform: "none" },
    ];
    const hasLanded = await this.run(copy, id, frames, {
      duration,
      delay,
      fill: "both",
      easing: this.timing.travel,
    });
    copy.remove();
    if (hasLanded && !isNear) this.#settle(element, id);
  }

  /** A piece that is not shown any more travels to a place, where it fades. */
  async depart(copied: Copy, id: string, target: Element, { duration = this.timing.steps[3], delay = 0 } = {}) {
    if (!this.isMoving) {
      this.ring(target);
      return;
    }
    const from = copied.box;
    const at = boxOf(target);
    const scale = Math.min(at.h / from.h, 0.5);
    const small = { w: from.w * scale, h: from.h * scale };
    const to = { x: at.x + at.w / 2 - small.w / 2, y: at.y + at.h / 2 - small.h / 2, ...small };
    const lifted = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - LIFT, w: from.w * 0.8, h: from.h * 0.8 };
    const copy = this.#put(copied, from);
    const frames = [
      { transform: "none", opacity: 1 },
      { transform: between(from, lifted), opacity: 1, offset: 0.5 },
      { transform: between(from, to), opacity: 0.9, offset: 0.92 },
      { transform: between(from, to), opacity: 0 },
    ];
    const options = { duration, delay, fill: "both", easing: this.timing.travel } as const;
    const hasArrived = await this.run(copy, id, frames, options);
    copy.remove();
    if (hasArrived) this.pulse(target);
  }

  /** Neighbours close up. */
  slide(element: Element, from: Box): void {
    const to = boxOf(element, true);
    const [dx, dy] = [from.x - to.x, from.y - to.y];
    if (!this.isMoving || Math.hypot(dx, dy) < STILL) return;
    void this.run(element, "slide", [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "translate(0, 0)" }], {
      duration: this.timing.steps[1],
      easing: this.timing.travel,
      composite: "add",
    });
  }

  fade(element: Element, id: string): void {
    void this.run(element, id, [{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
  }

  pulse(element: Element): void {
    if (this.isMoving)
      void this.run(
        element,
        "pulse",
        [{ transform: "none" }, { transform: "scale(1.1)", offset: 0.4 }, { transform: "none" }],
        { duration: this.timing.steps[1], easing: this.timing.settle },
      );
  }

  /** A ring says where something changed, without a motion. */
  ring(element: Element): void {
    const ring = { outline: "3px solid var(--brass-fill)", outlineOffset: "2px" };
    void this.run(element, "ring", [ring, ring], { duration: RING });
  }

  /** Put a thing of our own on the layer, in the middle of a place. */
  add(element: HTMLElement, { x, y }: { x: number; y: number }): HTMLElement {
    const { left, top } = this.#layer.getBoundingClientRect();
    element.style.left = `${x - left}px`;
    element.style.top = `${y - top}px`;
    this.#layer.append(element);
    return element;
  }

  #put(copy: Copy, at: Box): HTMLElement {
    copy.element.style.width = `${at.w}px`;
    copy.element.style.height = `${at.h}px`;
    return this.add(copy.element, at);
  }

  #settle(element: Element, id: string): void {
    // A part of a drawing has a transform of its own.
    if (!this.isMoving || element instanceof SVGGElement) return;
    void this.run(element, `${id}-settle`, [{ transform: "scale(1.05)" }, { transform: "none" }], {
      duration: this.timing.steps[1],
      easing: this.timing.settle,
    });
  }

  /** 4.2: the face changes when the tile stands upright. */
  #turnOver(copy: HTMLElement, back: Copy, delay: number): void {
    const front = copy.querySelector(".tile");
    const [first, second] = [this.timing.steps[2] / 2, this.timing.steps[1]];
    const reverse = back.element.querySelector(".tile");
    copy.append(...back.element.children);
    const turn = (from: number, to: number): Keyframe[] =>
      [from, to].map((angle) => ({ transform: `perspective(500px) rotateY(${angle}deg)` }));
    const leave = { duration: first, delay, easing: this.timing.leave, fill: "both" } as const;
    void this.run(reverse!, "flip", turn(0, 90), leave);
    const enter = { duration: second, delay: delay + first, easing: this.timing.settle, fill: "both" } as const;
    void this.run(front!, "flip", turn(-90, 0), enter);
  }
}

/** A picture of a piece as it looks now, in the same context as in place. */
export class Copy {
  readonly element: HTMLElement;
  readonly box: Box;

  constructor(of: Element) {
    this.box = boxOf(of);
    this.element = document.createElement("div");
    this.element.className = "motion-piece";
    const lender = document.createElement("div");
    // The styles of a card depend on its container, so the lender has the container's class; it has no box of its own.
    lender.className = `lend ${of.closest(".dcards") ? "dcards" : of.closest(".hand") ? "hand" : ""}`;
    lender.append(pictureOf(of));
    this.element.append(lender);
    const style = getComputedStyle(of);
    for (const name of ["--card-w", "--card-h"]) this.element.style.setProperty(name, style.getPropertyValue(name));
  }
}

/** A copy of an element that can't be focused or found. */
function pictureOf(element: Element): Element {
  const copy = element.cloneNode(true) as Element;
  copy.removeAttribute("transform");
  copy.classList.remove("picked", "dimmed", "fresh");
  for (const one of [copy, ...copy.querySelectorAll("*")])
    for (const name of one.getAttributeNames())
      if (/^(data-|aria-|id$|tabindex|title)/.test(name)) one.removeAttribute(name);
  for (const words of copy.querySelectorAll(".sr")) words.remove();
  if (!(element instanceof SVGGElement)) return copy;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "tile");
  svg.append(copy);
  return svg;
}

/** Where an element is, without the transform of a running motion. */
export function boxOf(element: Element, isAtRest = false): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  const box = { x, y, w: width, h: height };
  if (!isAtRest) return box;
  if (element instanceof HTMLElement) {
    const { transform } = getComputedStyle(element);
    if (transform !== "none") {
      const { m41, m42 } = new DOMMatrix(transform);
      return { ...box, x: x - m41, y: y - m42 };
    }
  }
  // The cells of a city glide when the view is moved.
  const cell = element.closest<HTMLElement>(".cell");
  if (cell === null) return box;
  const { left, top } = getComputedStyle(cell);
  return {
    ...box,
    x: x + parseFloat(cell.style.left) - parseFloat(left),
    y: y + parseFloat(cell.style.top) - parseFloat(top),
  };
}

/** Whether an element can be seen: not hidden, and not scrolled out of its frame. */
export function isShown(element: Element | null | undefined): element is Element {
  if (!element?.checkVisibility({ visibilityProperty: true })) return false;
  const { x, y, w, h } = boxOf(element, true);
  if (w === 0) return false;
  const frame = element.closest(".boardwrap, .hand-groups, .scoring")?.getBoundingClientRect();
  const [middle, centre] = [x + w / 2, y + h / 2];
  return (
    frame === undefined ||
    (middle >= frame.left && middle <= frame.right && centre >= frame.top - h && centre <= frame.bottom + h)
  );
}

function between(at: Box, other: Box): string {
  return `translate(${other.x - at.x}px, ${other.y - at.y}px) scale(${other.w / at.w}, ${other.h / at.h})`;
}

/** The tokens of motion. */
function timingOf(root: Element): Timing {
  const style = getComputedStyle(root);
  const text = (name: string) => style.getPropertyValue(name).trim();
  const time = (name: string) => parseFloat(text(name)) * (text(name).endsWith("ms") ? 1 : 1000);
  return {
    steps: [time("--m-1"), time("--m-2"), time("--m-3"), time("--m-4"), time("--m-5")],
    stagger: time("--stagger"),
    travel: text("--ease-travel"),
    settle: text("--ease-settle"),
    leave: text("--ease-leave"),
    ease: text("--ease"),
  };
}
