import { expect, test } from "vitest";
import { readServer } from "$lib/server_address";

test.each([
  ["https://granada.example.org", "https://granada.example.org"],
  ["  http://granada.example.org:8642/ ", "http://granada.example.org:8642"],
  ["granada.example.org", "https://granada.example.org"],
  ["localhost:8642", "http://localhost:8642"],
  ["192.168.1.20:8642", "http://192.168.1.20:8642"],
  ["raspberry.local", "http://raspberry.local"],
  ["https://granada.example.org/t/AAAAAAAAAAAAAAAA", "https://granada.example.org"],
])("%s is the address of a server", (typed, origin) => {
  expect(readServer(typed)?.origin).toBe(origin);
});

test.each([
  "",
  "granada",
  "javascript:alert(1)",
  "ftp://example.org",
  "https://me:secret@example.org",
  "two words",
  "AAAAAAAAAAAAAAAA",
])("“%s” is none", (typed) => {
  expect(readServer(typed)).toBeNull();
});
