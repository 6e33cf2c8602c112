// Modules are compiled for the browser, so that their state is reactive as it is there; nothing of a browser is needed.

import type { Environment } from "vitest/runtime";

export default {
  name: "client",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => {} }),
} satisfies Environment;
