// The worker of the bots: runs one job at a time in Python. The worker of the tables ends it if a job takes too long.

import { installNetwork } from "./network";
import type { FromBots, ToBots } from "./protocol";
import { loadPython } from "./python";

/** The module granada.browser.bot_worker. */
interface BotModule {
  answer(job: string, report: (progress: string) => void): string;
}

const scope = self as unknown as {
  postMessage(message: FromBots): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToBots>) => void): void;
};
let bots: BotModule | null = null;

async function start(runtime: string): Promise<void> {
  const python = await loadPython(runtime);
  installNetwork(python);
  bots = python.pyimport("granada.browser.bot_worker") as BotModule;
  scope.postMessage({ type: "ready" });
}

function fail(error: unknown): void {
  scope.postMessage({ type: "failed", detail: String(error) });
}

scope.addEventListener("message", ({ data }) => {
  if (data.type === "start") {
    start(data.runtime).catch(fail);
    return;
  }
  try {
    const text = bots!.answer(data.text, (progress) => scope.postMessage({ type: "answer", text: progress }));
    scope.postMessage({ type: "answer", text });
  } catch (error) {
    fail(error); // not a bot's exception, which is an answer: the interpreter itself is broken
  }
});
