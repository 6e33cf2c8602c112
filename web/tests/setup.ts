// What all tests need: the components of the game and the English texts.

import { vi } from "vitest";
import { loadBox } from "$lib/box";
import { chooseLanguage, loadAllMessages } from "$lib/i18n.svelte";
import components from "./messages/components.json";

vi.stubGlobal("fetch", (path: string) =>
  Promise.resolve(path === "/api/components" ? Response.json(components) : new Response("{}", { status: 404 })),
);

await loadBox();
await chooseLanguage("en");
await loadAllMessages();
