// Waits until the screen has been painted, for what may come after it.

/** Where nothing is painted (a tab in the background), the wait ends after this many milliseconds. */
const LONGEST_WAIT = 1000;

export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    // The first frame draws the screen; when the second one begins, it has been shown.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    setTimeout(resolve, LONGEST_WAIT);
  });
}
