// The tables on this device as the transport of the page; Python is loaded once the first screen is painted.

import { nextPaint } from "$lib/next_paint";
import { chooseTransport } from "$lib/transport";
import { followChanges } from "./changed";
import { deviceTransport } from "./device_transport";
import { device } from "./status.svelte";

/** Use the tables on this device; `firstScreen` is fulfilled when there is something to paint. */
export function startDevice(firstScreen: Promise<unknown>): void {
  const tables = deviceTransport(device);
  const painted = firstScreen.catch(() => {}).then(nextPaint);
  chooseTransport({
    async request(...request) {
      await painted;
      return tables.request(...request);
    },
    socket: (path) => tables.socket(path),
  });
  void painted.then(() => tables.start());
  followChanges();
}
