// A client in a few lines, to show that the types made from the document are enough to write one.
import type { components, paths } from "./api";

type Schemas = components["schemas"];
export type FromServer = Schemas["FromServer"];
export type Command = Schemas["Command"];
type Opened = paths["/api/tables"]["post"]["responses"][201]["content"]["application/json"];

/** Opens a table with a person and a bot; a refusal is thrown with its stable code. */
export async function openTable(name: string): Promise<Opened> {
  const wanted: Schemas["NewTable"] = { seats: [{ kind: "person", name }, { kind: "bot", level: "greedy" }] };
  const response = await fetch("/api/tables", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  if (!response.ok) {
    const problem = (await response.json()) as Schemas["ProblemDocument"];
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  return (await response.json()) as Opened;
}

/** What to answer to a message: the first action that is offered, or nothing. */
export function answerTo(message: FromServer): Command | null {
  switch (message.type) {
    case "table": {
      const action = message.own?.actions[0];
      return action === undefined ? null : { type: "act", id: crypto.randomUUID(), n: message.n, action };
    }
    case "problem":
      console.warn(message.code, message.rule ?? "", message.detail);
      return null;
    case "answer":
    case "reconnect":
      return null;
  }
}

/** Plays at a table over its socket. */
export function play(table: string): WebSocket {
  const socket = new WebSocket(`/api/tables/${table}/socket`);
  socket.onmessage = (event: MessageEvent<string>) => {
    const command = answerTo(JSON.parse(event.data) as FromServer);
    if (command !== null) socket.send(JSON.stringify(command));
  };
  return socket;
}
