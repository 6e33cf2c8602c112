// Open a table, and begin at once where nobody is waited for.

import { post, wordsOf, type Message } from "$lib/api";
import { isSite } from "$lib/base";
import { complain } from "$lib/notices.svelte";
import { go } from "$lib/router.svelte";
import { rememberTable } from "$lib/tables";
import { whileOpening } from "../device/opening.svelte";
import { device } from "../device/status.svelte";
import { isComplete, tableOf, type SetupForm } from "./setup/form";

/** Whether it worked; if not, a notice says why. */
export function openTable(setup: SetupForm, suggested: readonly string[] = []): Promise<boolean> {
  return enterTable(async (signal) => {
    const opened = await post<Message>("/tables", tableOf(setup, suggested), signal);
    rememberTable(opened);
    if (isComplete(setup)) await post<Message>(`/tables/${opened.table.id}/start`);
    return opened;
  });
}

/** Ask for a table, and go there; whether it worked: if not, a notice says why. */
export async function enterTable(ask: (signal?: AbortSignal) => Promise<Message>): Promise<boolean> {
  if (isSite && device.phase !== "ready") return whileOpening((signal) => enter(ask, signal));
  return enter(ask);
}

async function enter(ask: (signal?: AbortSignal) => Promise<Message>, signal?: AbortSignal): Promise<boolean> {
  try {
    const opened = await ask(signal);
    rememberTable(opened);
    // Cancelled while it was opened: the table is in the list.
    if (!signal?.aborted) go(`/t/${opened.table.id}`);
    return true;
  } catch (error) {
    if (!signal?.aborted) complain(wordsOf(error));
    return false;
  }
}
