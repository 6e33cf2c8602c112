// Which of the notes about storage the reader has closed; they come back with another state, and after a reload.

import type { StorageState } from "$lib/transport";

let dismissed = $state<StorageState>("ok");

export function isDismissed(state: StorageState): boolean {
  return dismissed === state;
}

export function dismissNote(state: StorageState): void {
  dismissed = state;
}
