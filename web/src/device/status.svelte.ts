// What the reader sees of the game on this device: whether it is loaded, why it is not, and whether games are stored.

import { knownTables } from "$lib/tables";
import type { DeviceListener, StorageState } from "$lib/transport";

export type Phase = "waiting" | "loading" | "ready" | "failed";

class DeviceStatus implements DeviceListener {
  phase = $state<Phase>("waiting");
  /** Bytes of Python that have arrived, and of all of it; 0 as long as that is not known. */
  loaded = $state(0);
  total = $state(0);
  /** Why it failed. */
  code = $state("");
  detail = $state("");
  /** `new` only if the reader has played here before: then the browser has deleted the games. */
  stored = $state<StorageState>("ok");

  readonly progress = (loaded: number, total: number): void => {
    if (this.phase === "ready") return;
    this.phase = "loading";
    this.loaded = loaded;
    this.total = total;
  };

  readonly ready = (): void => {
    this.phase = "ready";
  };

  readonly failed = (code: string, detail: string): void => {
    this.phase = "failed";
    this.code = code;
    this.detail = detail;
  };

  readonly storage = (state: StorageState): void => {
    this.stored = state === "new" && knownTables().length === 0 ? "ok" : state;
  };
}

export const device = new DeviceStatus();
