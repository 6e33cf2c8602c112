// The tables of the server that this page came from: fetch and WebSocket.

import type { Transport } from "./transport";

export const httpTransport: Transport = {
  async request(method, path, body, contentType = "application/json", signal) {
    const response = await fetch(path, {
      method,
      ...(signal && { signal }),
      ...(body === undefined ? {} : { body, headers: { "content-type": contentType } }),
    });
    const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
    return { status: response.status, mediaType, body: await response.text() };
  },

  socket(path) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}${path}`);
  },
};
