import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { device } from "./device/status.svelte";
import { isEmbedded } from "./embed/mode";
import { matchRoute } from "./routes";
import { href, isSite } from "$lib/base";
import { loadBox } from "$lib/box";
import { httpTransport } from "$lib/http_transport";
import { currentPath, followLinks } from "$lib/router.svelte";
import { apply } from "$lib/settings.svelte";
import { chooseTransport, Unreachable, type Transport } from "$lib/transport";
import { loadLanguage } from "$lib/i18n.svelte";

const root = document.getElementById("app")!;

apply();
followLinks();
// Another tab deletes everything (you/erase.ts).
addEventListener("storage", ({ key, newValue }) => {
  if (key === "granada.erased" && newValue !== null) location.assign(href("/"));
});
// Request everything that the first screen needs at once; the screen reports failures.
const firstScreen = Promise.all([matchRoute(currentPath())?.screen, loadBox()]);
firstScreen.catch(() => {});
const language = loadLanguage();
const tables = isSite && !isEmbedded ? useDevice() : null;
// The home page does not wait for the script of the tables: its requests do.
const mounted: Promise<void> = Promise.all([language, currentPath() === "/" ? null : tables?.catch(() => {})]).then(
  () => {
    mount(App, { target: root });
    root.querySelector(".unloaded")!.remove();
  },
);
// Then index.html says so, at once.
mounted.catch((error: unknown) => {
  root.classList.add("failed");
  throw error;
});

function useDevice(): Promise<Transport> {
  const started = import("./device/start").then(
    ({ startDevice }) => startDevice(mounted.then(() => firstScreen)),
    (error: unknown) => {
      device.failed("download", String(error));
      throw new Unreachable("device_download", String(error));
    },
  );
  started.catch(() => {});
  // Nobody opens a socket before a request is answered.
  chooseTransport({ ...httpTransport, request: async (...asked) => (await started).request(...asked) });
  return started;
}
