// The current path under the base of the page; every screen has its own.

import { href, pathIn } from "./base";

let path = $state(here());

export function currentPath(): string {
  return path;
}

/** Go to another screen; what was asked for (`?…`) is kept only if it is said. */
export function go(to: string): void {
  history.pushState(null, "", href(to));
  arrive();
}

/** Go on to another screen to which the present one only leads: the way back passes it by. */
export function goOn(to: string): void {
  history.replaceState(null, "", href(to));
  arrive();
}

function arrive(): void {
  path = here();
  scrollTo(0, 0);
}

function here(): string {
  return pathIn(location.pathname) ?? location.pathname;
}

/** Links to our screens change the screen without reloading the page. */
export function followLinks(): void {
  addEventListener("popstate", arrive);
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element | null)?.closest("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    const to = pathIn(link.pathname);
    if (to === null || to.startsWith("/api") || link.hash !== "") return;
    event.preventDefault();
    go(to + link.search);
  });
}
