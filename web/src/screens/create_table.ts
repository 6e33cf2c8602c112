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
export async function openTable(setup: SetupForm, suggested: readonly string[] = []): Promise<boolean> {
  if (isSite && device.phase !== "ready") return whileOpening((signal) => open(setup, suggested, signal));
  return open(setup, suggested);
}

async function open(setup: SetupForm, suggested: readonly string[], signal?: AbortSignal): Promise<boolean> {
  try {
    const opened = await post<Message>("/tables", tableOf(setup, suggested), signal);
    rememberTable(opened);
    if (isComplete(setup)) await post<Message>(`/tables/${opened.table.id}/start`);
    // Cancelled while it was opened: the table is in the list.
    if (!signal?.aborted) go(`/t/${opened.table.id}`);
    return true;
  } catch (error) {
    if (!signal?.aborted) complain(wordsOf(error));
    return false;
  }
}
