// Requests to the server; a refusal is an error with its stable code.

import { hasWords, t } from "./words.js";

export class Problem extends Error {
  constructor({ code, detail = "" }) {
    super(problemWords({ code, detail }));
    this.code = code;
  }
}

/** What a refusal says: in the words of the reader, and the sentence of the server where it tells more. */
export function problemWords({ code, detail = "" }) {
  const key = `problem.${code}`;
  const tells = ["illegal", "malformed", "bad_options", "bad_record"].includes(code) || !hasWords(key);
  return [hasWords(key) ? t(key) : "", tells && detail ? `(${detail})` : ""].filter(Boolean).join(" ");
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, JSON.stringify(body), "application/json");
export const put = (path, body) => ask("PUT", path, JSON.stringify(body), "application/json");
export const postText = (path, text) => ask("POST", path, text, "text/plain");

async function ask(method, path, body, type) {
  let response;
  try {
    response = await fetch(`/api${path}`, { method, body, headers: type ? { "content-type": type } : {} });
  } catch {
    throw new Problem({ code: "network" });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem({ code: "internal", ...answer });
  return answer;
}
