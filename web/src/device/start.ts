// The tables on this device as the transport of the page; Python is loaded once the first screen is painted.

import { nextPaint } from "$lib/next_paint";
import { chooseTransport, type Transport } from "$lib/transport";
import { followChanges } from "./changed";
import { deviceTransport } from "./device_transport";
import { device } from "./status.svelte";

/** Use the tables on this device; `shown` is fulfilled when there is something to paint. */
export function startDevice(shown: Promise<unknown>): Transport {
  const tables = deviceTransport(device, takeUnsaved());
  const painted = shown.catch(() => {}).then(nextPaint);
  const transport: Transport = {
    async request(...request) {
      await painted;
      return tables.request(...request);
    },
    socket: (path) => tables.socket(path),
  };
  chooseTransport(transport);
  void painted.then(() => tables.start());
  followChanges();
  return transport;
}

/** Whether the reader wants to play without saving, asked for just before the page was loaded (Failure.svelte). */
function takeUnsaved(): boolean {
  const key = "granada.unsaved";
  try {
    const isAsked = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return isAsked;
  } catch {
    return false; // this window stores nothing anyway
  }
}
