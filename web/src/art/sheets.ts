// Sheets of drawings that not every screen needs: each is loaded when one of its drawings is first shown.

const SHEETS = {
  /** Characters: face-LEVEL. */
  faces: () => import("./faces.svg?raw"),
  /** Reactions, lanterns, marks of the end: react-…, lantern-…, pennant and others. */
  marks: () => import("./marks.svg?raw"),
};
export type SheetName = keyof typeof SHEETS;
const asked = new Map<SheetName, Promise<void>>();

/** Put the sheet into the page, once, so that `<use>` finds its drawings. Without a network the drawing stays empty until the next try. */
export function loadSheet(name: SheetName): Promise<void> {
  const found =
    asked.get(name) ??
    SHEETS[name]()
      .then(({ default: text }) => insert(text))
      .catch(() => void asked.delete(name));
  asked.set(name, found);
  return found;
}

/** The file is our own, so its markup is trusted. */
function insert(text: string): void {
  const holder = document.createElement("div");
  holder.className = "sr";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = text;
  document.body.append(holder);
}
