// The tables on this device as the transport of the page; Python is loaded once the first screen is painted.

import { chooseTransport } from "$lib/transport";
import { deviceTransport } from "./device_transport";
import { device } from "./status.svelte";

/** Where nothing is painted (a tab in the background), Python is loaded after this many milliseconds. */
const LONGEST_WAIT = 1000;

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
}

function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    // The first frame draws the screen; when the second one begins, it has been shown.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    setTimeout(resolve, LONGEST_WAIT);
  });
}
