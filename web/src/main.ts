import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { screenAt } from "./addresses";
import { loadBox } from "$lib/box";
import { followLinks } from "$lib/route.svelte";
import { apply } from "$lib/settings.svelte";
import { loadLanguage } from "$lib/i18n.svelte";

apply();
followLinks();
// Everything that the first screen needs is asked for at once; what fails is told by the screen.
loadBox().catch(() => {});
screenAt(location.pathname)?.screen.catch(() => {});
await loadLanguage();
mount(App, { target: document.getElementById("app")! });
