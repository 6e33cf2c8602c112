// <granada-replay src="game.record" move="12">: a game in any page, shown by the site that
// this script comes from. What the element contains is shown until the site answers.

import { FRAME, readMessage, type FromHost } from "./messages";

const SCRIPT = (document.currentScript as HTMLScriptElement).src;
const SITE = new URL(SCRIPT).origin;
/** The height of the frame until it says its own, in pixels. */
const HEIGHT = 240;

class GranadaReplay extends HTMLElement {
  static readonly observedAttributes = ["src", "language", "theme", "move"];
  readonly #root = this.attachShadow({ mode: "open" });
  #frame: HTMLIFrameElement | null = null;
  /** The record as the host page has it; asked for once for every address. */
  #record: Promise<string | null> = Promise.resolve(null);

  connectedCallback(): void {
    addEventListener("message", this.#receive);
    this.#show();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#receive);
  }

  attributeChangedCallback(): void {
    if (this.#frame !== null) this.#show();
  }

  #show(): void {
    this.style.display = "block";
    this.#record = load(this.getAttribute("src"));
    const frame = document.createElement("iframe");
    frame.src = this.#address();
    frame.title = "Granada";
    frame.loading = "lazy";
    // Styles that are set by a script are allowed by every policy.
    Object.assign(frame.style, { display: "block", width: "100%", height: `${HEIGHT}px`, border: "0" });
    this.#frame = frame;
    this.#root.replaceChildren(document.createElement("slot"), frame);
  }

  #address(): string {
    const address = new URL(FRAME, SCRIPT);
    const wanted = { lang: "language", theme: "theme", n: "move" };
    for (const [key, name] of Object.entries(wanted)) {
      const value = this.getAttribute(name);
      if (value !== null) address.searchParams.set(key, value);
    }
    return address.href;
  }

  readonly #receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    const frame = this.#frame;
    if (source === null || source !== frame?.contentWindow || origin !== SITE) return;
    const message = readMessage(data);
    if (message?.granada === "height") frame.style.height = `${message.height}px`;
    if (message?.granada === "title") frame.title = message.title;
    if (message?.granada === "hello") void this.#send(frame);
  };

  async #send(frame: HTMLIFrameElement): Promise<void> {
    this.#root.querySelector("slot")?.remove();
    const message: FromHost = { granada: "record", text: await this.#record };
    frame.contentWindow?.postMessage(message, SITE);
  }
}

/** The text of a record, by its address in the host page; null if there is none. */
async function load(source: string | null): Promise<string | null> {
  try {
    const response = await fetch(new URL(source ?? "", document.baseURI));
    return source && response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

customElements.define("granada-replay", GranadaReplay);
