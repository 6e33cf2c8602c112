// Games that were loaded from a file or deleted: other tabs may have the earlier ones in memory.

/** Stored after each such change (backup.ts). */
export const CHANGED = "games_changed";

/** Load this page again when another tab has changed games. */
export function followChanges(): void {
  addEventListener("storage", ({ key, newValue }) => {
    // Without a new value everything is being deleted (you/erase.ts).
    if (key === `granada.${CHANGED}` && newValue !== null) location.reload();
  });
}
