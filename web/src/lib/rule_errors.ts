// Why the rules, or a record, are not kept: the server's stable words as sentences of the reader.

import type { components } from "../api";
import { hasMessage, named } from "./i18n.svelte";

export type Reason = components["schemas"]["Reason"];

/** What the rules forbid, within a sentence; edges have a moat in Granada. */
export function verdictWords(code: string, edition = "alhambra"): string {
  if (code === "edge" && edition !== "alhambra") return named("edge", edition);
  const isOfCell = hasMessage(`cell.${code}`);
  return isOfCell ? named("cell", code) : named("against", code);
}

/** A whole sentence; empty for a word that this page does not know. */
export function reasonWords({ code, expected = "" }: Reason, edition = "alhambra"): string {
  if (!hasMessage(`fault.${code}`)) return "";
  return named("fault", code, { expected, reason: code === "illegal" ? verdictWords(expected, edition) : "" });
}
