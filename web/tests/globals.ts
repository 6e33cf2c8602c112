// The few things of a browser that modules touch when they are loaded.

import { vi } from "vitest";

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
vi.stubGlobal("window", globalThis);
vi.stubGlobal("navigator", { languages: ["en"] });
