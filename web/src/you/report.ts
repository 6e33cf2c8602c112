// Adds a finished game to the profile on the first screen that shows its end.

import { get, type Message } from "$lib/api";
import type { Facts } from "./games";
import { finishedGame } from "./profile.svelte";

const reported = new Set<string>();

/** Keep a finished game of this browser; idempotent, and again later if there is no answer. */
export async function reportEnd(message: Message): Promise<void> {
  const { id, seats } = message.table;
  if (reported.has(id) || !seats.some(({ is_yours }) => is_yours)) return;
  reported.add(id);
  try {
    finishedGame(message, await get<Facts>(`/tables/${id}/facts`));
  } catch {
    reported.delete(id);
  }
}
