import { expect, test } from "vitest";
import { readCode, readTyped } from "../src/you/code";
import codes from "./codes.json";

const HOST = "play.example";
const all: string[] = Object.values(codes);

test("codes of the server are read as they are typed", () => {
  for (const code of all)
    for (const typed of [code, code.toUpperCase(), code.replaceAll("-", ""), ` ${code.replaceAll("-", " ")}.`])
      expect(readCode(typed)).toBe(code);
  expect(readCode(all[0]!.replaceAll("0", "O").replaceAll("1", "l"))).toBe(all[0]);
});

test("a damaged code is recognised", () => {
  for (const code of all) {
    expect(readCode(code.slice(0, -1))).toBeNull();
    expect(readCode(`${code}7`)).toBeNull();
    for (let i = 0; i < code.length; i++)
      for (const wrong of "27KZ")
        if (wrong !== code[i] && code[i] !== "-")
          expect(readCode(code.slice(0, i) + wrong + code.slice(i + 1))).toBeNull();
  }
  for (const text of ["", "myrtle-court-41", "ü", "owl-UUUU-UUUU-owl-UUUU-UUUU"]) expect(readCode(text)).toBeNull();
});

test("a link tells its code and its server", () => {
  const [code] = all;
  expect(readTyped(` https://play.example/me#${code} `, HOST)).toEqual({ code, elsewhere: null });
  expect(readTyped(`https://club.example:8000/me#${code}`, HOST)).toEqual({ code, elsewhere: "club.example:8000" });
  expect(readTyped(code!, HOST)).toEqual({ code, elsewhere: null });
  expect(readTyped("https://play.example/t/abc", HOST)).toEqual({ code: null, elsewhere: null });
});
