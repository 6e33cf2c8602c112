// Open a table, and begin at once where nobody is waited for.

import { post, wordsOf, type Message } from "$lib/api";
import { complain } from "$lib/notices.svelte";
import { go } from "$lib/router.svelte";
import { rememberTable } from "$lib/tables";
import { isComplete, tableOf, type SetupForm } from "./setup/form";

/** Whether it worked; if not, a notice says why. */
export async function openTable(setup: SetupForm, suggested: readonly string[] = []): Promise<boolean> {
  try {
    const opened = await post<Message>("/tables", tableOf(setup, suggested));
    rememberTable(opened);
    if (isComplete(setup)) await post<Message>(`/tables/${opened.table.id}/start`);
    go(`/t/${opened.table.id}`);
    return true;
  } catch (error) {
    complain(wordsOf(error));
    return false;
  }
}
