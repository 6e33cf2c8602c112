// What a page without a server says and does where a page at a server would speak of it.

import { expect, test, vi } from "vitest";

// The setup has loaded modules of a page at a server.
vi.doMock("$lib/base", async (original) => ({ ...(await original<object>()), isSite: true }));
vi.resetModules();
const { chooseLanguage, loadAllMessages } = await import("$lib/i18n.svelte");
const { chooseTransport } = await import("$lib/transport");
const { Problem } = await import("$lib/api");
const { OwnTables } = await import("../src/screens/home/own_tables.svelte");
await chooseLanguage("en");
await loadAllMessages();

const store = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, text: string) => void store.set(key, text),
  removeItem: (key: string) => store.delete(key),
});

test("a refused action does not blame a server", () => {
  expect(new Problem({ code: "unavailable" }).message).toContain("storage of this device");
});

test("a table that cannot be opened stays in the list, with the reason", async () => {
  const tables = ["not_found", "damaged", "old_rules"].map((id) => ({ id, seats: [1] }));
  store.set("granada.tables", JSON.stringify(tables));
  chooseTransport({
    request: (_, path) =>
      Promise.resolve({
        status: 404,
        mediaType: "application/json",
        body: JSON.stringify({ code: path.split("/").at(-1) }),
      }),
    socket: () => {
      throw new Error("no sockets");
    },
  });
  const own = new OwnTables();
  const stop = own.follow();
  await vi.waitFor(() => expect(own.broken).toHaveLength(3));
  stop();
  expect(own.list).toEqual([]);
  expect(own.broken.map(({ id }) => id)).toEqual(["not_found", "damaged", "old_rules"]);
  expect(own.broken.map(({ words }) => words).join()).not.toMatch(/server|doesn’t exist/);
  expect(JSON.parse(store.get("granada.tables")!)).toEqual(tables);
  own.forget("damaged");
  expect(own.broken.map(({ id }) => id)).toEqual(["not_found", "old_rules"]);
});
