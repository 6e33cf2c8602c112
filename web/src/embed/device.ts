// The interpreter of the frame: loaded when the reader asks for the replay, with a store that ends with the page.

import { chooseTransport, type DeviceTransport } from "$lib/transport";
import { deviceTransport } from "../device/device_transport";
import { device } from "../device/status.svelte";

let opened: DeviceTransport | null = null;

/** Load Python, and again if that failed. */
export function openInMemory(): void {
  opened ??= deviceTransport(device, true);
  chooseTransport(opened);
  opened.start();
}
