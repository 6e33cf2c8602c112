// What all tests need: the components of the game and the English texts, and the few things of a browser they touch.

import { vi } from "vitest";
import { loadBox } from "$lib/box";
import { chooseLanguage } from "$lib/i18n.svelte";
import components from "./messages/components.json";

vi.stubGlobal("document", {
  documentElement: {},
  querySelector: () => null,
  addEventListener: () => {},
  removeEventListener: () => {},
});
vi.stubGlobal("location", new URL("http://127.0.0.1/"));
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("removeEventListener", () => {});
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
vi.stubGlobal("fetch", (path: string) =>
  Promise.resolve(path === "/api/components" ? Response.json(components) : new Response("{}", { status: 404 })),
);

await loadBox();
await chooseLanguage("en");
