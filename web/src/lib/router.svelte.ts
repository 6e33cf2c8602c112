// The current path; every screen has its own.

let path = $state(location.pathname);

export function currentPath(): string {
  return path;
}

/** Go to another screen; what was asked for (`?…`) is kept only if it is said. */
export function go(to: string): void {
  history.pushState(null, "", to);
  arrive();
}

function arrive(): void {
  path = location.pathname;
  scrollTo(0, 0);
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
    if (link.pathname.startsWith("/api") || link.hash !== "") return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
