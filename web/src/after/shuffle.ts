// The proof of the shuffle (docs/shuffle.md), as far as a browser can check it.

import type { TableInfo } from "$lib/api";
import { loadStored, saveStored } from "$lib/storage";

/** How many tables a browser notes the commitments of. */
const NOTED = 50;

/** The commitment that a seed has; null where the browser cannot compute it: it does so on safe connections only. */
export async function commitmentOf(seed: string): Promise<string | null> {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- missing on connections without https
  if (!crypto.subtle) return null;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`granada-shuffle-1:commitment:${seed}`));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Note what a table promised before its end; a promise that was noted is never replaced. */
export function noteCommitment({ id, commitment, phase }: TableInfo): void {
  if (commitment === null || phase === "over") return;
  const noted = loadStored<Record<string, string>>("commitments", {});
  if (id in noted) return;
  saveStored("commitments", Object.fromEntries([...Object.entries(noted), [id, commitment]].slice(-NOTED)));
}

/** What this browser noted while the game was played. */
export function notedCommitment(id: string): string | null {
  return loadStored<Record<string, string>>("commitments", {})[id] ?? null;
}
