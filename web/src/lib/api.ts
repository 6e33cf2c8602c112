// Requests to the server. An error has a stable code and a message in the language of the reader.

import { reasonWords, type Reason } from "./rule_errors";
import { hasMessage, named } from "./i18n.svelte";
import { isSite } from "./base";
import { noteCommand } from "./reloading.svelte";
import { transport, Unreachable, type Reply } from "./transport";
import type { components } from "../api";

type Schemas = components["schemas"];
export type Message = Schemas["Message"];
export type View = Schemas["TableView"];
export type Own = Schemas["Own"];
export type PlayerView = Schemas["PlayerView"];
export type TableInfo = Schemas["TableInfo"];
export type TableOptions = Schemas["TableOptions"];
export type SeatInfo = Schemas["SeatInfo"];
export type SeatRequest = Schemas["SeatRequest"];
export type NewTable = Schemas["NewTable"];
export type PointsRow = Schemas["PointsRow"];
export type Hint = Schemas["Hint"];
export type Idea = Schemas["Idea"];
export type Analysis = Schemas["Analysis"];
export type Decision = Schemas["Decision"];
export type LogLine = Schemas["LogLine"];
export type GameFacts = Schemas["GameFacts"];
export type Fact = GameFacts["deciding"][number][number];
export type Answer = Schemas["Answer"];
export type CellAnswer = Schemas["CellAnswer"];
export type Reacted = Schemas["Reacted"];
export type OwnTable = Schemas["OwnTable"];
export type Preview = Schemas["Preview"];
export type Components = Schemas["ComponentFacts"];
export type Combinations = Schemas["Combinations"];
export type StepFacts = Schemas["StepFacts"];
export type TileFacts = Schemas["TileFacts"];
export type PuzzleList = Schemas["PuzzleList"];
export type ListedPuzzle = Schemas["ListedPuzzle"];
export type PuzzleInfo = Schemas["PuzzleInfo"];
export type PuzzleRatings = Schemas["PuzzleRatings"];
export type PuzzleFact = Schemas["PuzzleFact"];
export type PuzzleVerdict = Schemas["PuzzleVerdict"];
export type FromServer = Schemas["FromServer"];
export type Command = Schemas["Command"];
export type ProblemMessage = Schemas["Problem"];

interface Refused {
  code: string;
  detail?: string;
  rule?: string | null;
  reason?: Reason | null;
}

/** Codes whose sentence from the server says more than our words: it names the place and the rule. */
const TELLING = ["illegal", "malformed", "bad_options", "bad_record"];

/** An error of the server, with a message in the language of the reader. */
export class Problem extends Error {
  readonly code: string;
  readonly detail: string;
  readonly rule: string | null;
  readonly reason: Reason | null;

  constructor({ code, detail = "", rule = null, reason = null }: Refused) {
    super(problemWords({ code, detail, rule, reason }));
    this.code = code;
    this.detail = detail;
    this.rule = rule;
    this.reason = reason;
  }
}

/** The text of an error in the reader's language, with the detail of the server where it adds something. */
export function problemWords({ code, detail = "", reason = null }: Refused, edition = "alhambra"): string {
  const words = reason === null ? "" : reasonWords(reason, edition);
  if (words) return code === "illegal" ? words : `${named("problem", code)} ${words}`;
  // Where there is no server, none is to blame.
  const key = isSite && hasMessage(`problem.device_${code}`) ? `device_${code}` : code;
  const isKnown = hasMessage(`problem.${key}`);
  const tells = detail !== "" && (!isKnown || TELLING.includes(code));
  return [isKnown ? named("problem", key) : "", tells ? `(${detail})` : ""].filter(Boolean).join(" ");
}

/** What went wrong, in the words of the reader. */
export function wordsOf(error: unknown): string {
  return error instanceof Problem ? error.message : problemWords({ code: "network" });
}

export const get = <T>(path: string) => ask<T>("GET", path);
/** With a signal the request can be called off: the server then stops what it does for it. */
export const post = <T>(path: string, body: unknown = {}, signal?: AbortSignal) =>
  ask<T>("POST", path, JSON.stringify(body), "application/json", signal);
export const put = <T>(path: string, body: unknown) => ask<T>("PUT", path, JSON.stringify(body));
export const remove = async (path: string) => void (await request("DELETE", `/api${path}`));
/** A text outside the API's JSON, such as a record; the path is complete. */
export const getText = (path: string) => request("GET", path);
export const postText = <T>(path: string, text: string) => ask<T>("POST", path, text, "text/plain");

/** What has happened at a table, as the reader may see it; nothing if there is no answer: the table is whole without its past. */
export async function loadLog(table: string): Promise<LogLine[]> {
  try {
    return (await get<Schemas["Log"]>(`/tables/${table}/log`)).lines;
  } catch {
    return [];
  }
}

/** A new id for each command; a command sent again keeps its id. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ask<T>(method: string, path: string, body?: string, type?: string, signal?: AbortSignal): Promise<T> {
  return JSON.parse(await request(method, `/api${path}`, body, type, signal)) as T;
}

/** The body of the answer to a request; a Problem if it was refused, or if there is no answer. */
async function request(
  method: string,
  path: string,
  body?: string,
  type?: string,
  signal?: AbortSignal,
): Promise<string> {
  let reply: Reply;
  const answered = method === "GET" ? null : noteCommand();
  try {
    reply = await transport().request(method, path, body, type, signal);
  } catch (error) {
    throw new Problem({ code: error instanceof Unreachable ? error.code : isSite ? "device_network" : "network" });
  } finally {
    answered?.();
  }
  if (reply.status >= 200 && reply.status < 300) return reply.body;
  throw new Problem({ code: "internal", ...refusal(reply.body) });
}

function refusal(body: string): Partial<Refused> {
  try {
    return JSON.parse(body) as Partial<Refused>;
  } catch {
    return {}; // not from our server
  }
}
