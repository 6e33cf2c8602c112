import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { followLinks } from "$lib/route.svelte";
import { apply } from "$lib/settings.svelte";
import { loadWords } from "$lib/words.svelte";

apply();
followLinks();
await loadWords();
mount(App, { target: document.getElementById("app")! });
