import { beforeEach, describe, expect, test, vi } from "vitest";
import { combinations, components } from "$lib/box";
import { allModules, editions, fitting, hasSimplified, recallWishes, type SetupForm } from "../src/screens/setup/form";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});
const recall = (setup: Partial<SetupForm>): SetupForm => {
  stored.set("granada.setup", JSON.stringify(setup));
  return recallWishes();
};

beforeEach(() => stored.clear());

describe("the set-up keeps only what the server says can be combined", () => {
  for (const edition of ["alhambra", "granada", "combined"] as const)
    test(edition, () => {
      const { modules, scorings } = combinations(edition);
      const setup = fitting({ ...recallWishes(), edition, modules: allModules(), isSimplified: true });
      expect(setup.modules).toEqual(modules);
      expect(setup.isSimplified).toBe(scorings.includes("simplified"));
      expect(hasSimplified(edition)).toBe(scorings.includes("simplified"));
    });

  test("a change on the server changes the form", () => {
    const { granada } = components().combinations;
    const before = [...granada!.modules];
    granada!.modules.push("huts");
    expect(fitting({ ...recallWishes(), edition: "granada", modules: ["huts"] }).modules).toEqual(["huts"]);
    granada!.modules = before;
    expect(fitting({ ...recallWishes(), edition: "granada", modules: ["huts"] }).modules).toEqual([]);
  });

  test("the editions are those of the server", () => {
    expect(editions()).toEqual(components().editions);
  });
});

describe("what this browser has stored", () => {
  test("an unknown edition becomes the usual one", () => {
    expect(recall({ edition: "bazaar" as "alhambra" }).edition).toBe("alhambra");
  });

  test("too many and too few seats are corrected", () => {
    const seat = { kind: "bot", name: "", level: "greedy", age: null } as const;
    expect(recall({ seats: Array.from({ length: 9 }, () => seat) }).seats).toHaveLength(6);
    expect(recall({ seats: [seat] }).seats).toHaveLength(3);
  });
});
