import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { isEmbedded } from "./embed/mode";
import { matchRoute } from "./routes";
import { href, isSite } from "$lib/base";
import { loadBox } from "$lib/box";
import { currentPath, followLinks } from "$lib/router.svelte";
import { apply } from "$lib/settings.svelte";
import { loadLanguage } from "$lib/i18n.svelte";

apply();
followLinks();
// Another tab deletes everything (you/erase.ts).
addEventListener("storage", ({ key, newValue }) => {
  if (key === "granada.erased" && newValue !== null) location.assign(href("/"));
});
// Request everything that the first screen needs at once; the screen reports failures.
const firstScreen = Promise.all([matchRoute(currentPath())?.screen, loadBox()]);
firstScreen.catch(() => {});
const device =
  isSite && !isEmbedded ? import("./device/start").then(({ startDevice }) => startDevice(firstScreen)) : null;
await Promise.all([loadLanguage(), device]);
mount(App, { target: document.getElementById("app")! });
