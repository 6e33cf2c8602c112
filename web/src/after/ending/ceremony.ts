// The ceremony of the end: cities rise from the last to the winner's, its wall lights up, and the pennant is planted.

const RISE = 450;
const APART = 250;
const EDGE = 40;
/** The longest time in which a whole wall lights up. */
const WALL = 450;

/** Show it; any input ends it, and so does the returned function. Everything is already where it ends. */
export function celebrate(root: HTMLElement): () => void {
  const style = getComputedStyle(root);
  const easing = (name: string) => style.getPropertyValue(name).trim() || "ease";
  const running: Animation[] = [];
  const play = (element: Element | null, from: Keyframe, options: KeyframeAnimationOptions) => {
    if (element !== null) running.push(element.animate([from, {}], { fill: "backwards", ...options }));
  };
  const cities = [...root.querySelectorAll("[data-place]")].reverse();
  cities.forEach((city, i) =>
    play(
      city,
      { opacity: 0, transform: "translateY(24px)" },
      { duration: RISE, delay: APART * i, easing: easing("--ease") },
    ),
  );
  const won = APART * cities.length + RISE / 2;
  const edges = root.querySelectorAll("[data-place='1'] .trace");
  edges.forEach((edge, i) => {
    const delay = won + Math.min(EDGE, WALL / edges.length) * i;
    play(edge, { opacity: 0 }, { duration: 200, delay });
  });
  const pennant = { opacity: 0, transform: "translateY(-60px) rotate(-8deg)" };
  play(root.querySelector("[data-pennant]"), pennant, { duration: RISE, delay: won, easing: easing("--ease-settle") });
  play(root.querySelector("h1"), { opacity: 0 }, { duration: 280, delay: won });

  function finish(): void {
    for (const animation of running) animation.finish();
    for (const input of INPUTS) removeEventListener(input, finish, true);
    document.removeEventListener("visibilitychange", finish);
  }
  for (const input of INPUTS) addEventListener(input, finish, true);
  document.addEventListener("visibilitychange", finish);
  void Promise.allSettled(running.map(({ finished }) => finished)).then(finish);
  return finish;
}

const INPUTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;
