import { beforeEach, expect, test, vi } from "vitest";
import { playSound } from "../src/table/sound";
import { MESSAGES, tableAfter } from "./game";

vi.mock("../src/table/sound", () => ({ playSound: vi.fn() }));
beforeEach(() => vi.mocked(playSound).mockClear());

test.each([
  ["a win", [1], 1],
  ["a shared win", [1, 2], 1],
  ["a defeat", [2], 0],
])("%s is heard once, when the game ends", async (_, winners, times) => {
  const { game } = tableAfter("act");
  const message = structuredClone(MESSAGES.act);
  message.version += 1;
  message.n += 1;
  message.events = ["1 take g5"];
  message.table.phase = "over";
  message.view = { ...message.view!, winners, deciding: null };
  message.own = { ...message.own!, actions: [] };
  (WebSocket as unknown as { last: EventTarget }).last.dispatchEvent(
    new MessageEvent("message", { data: JSON.stringify(message) }),
  );
  await vi.waitFor(() => expect(game.isOver).toBe(true));
  expect(vi.mocked(playSound).mock.calls.filter(([sound]) => sound === "win")).toHaveLength(times);
});
