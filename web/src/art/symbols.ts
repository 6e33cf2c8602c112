// Drawings of the page as text, for pictures that stand alone.

/** The definitions of drawings, with all that they refer to; `NAME@TYPE` is a drawing in the colour of a type. */
export function definitionsOf(names: Iterable<string>): string {
  const found = new Map<string, string>();
  const add = (name: string) => {
    const [base = "", type] = name.split("@");
    const symbol = document.getElementById(base);
    if (symbol === null || found.has(name)) return;
    const text = new XMLSerializer().serializeToString(symbol).replace(`id="${base}"`, `id="${name}"`);
    const colour = type === undefined ? "$&" : colourOf("type", type);
    found.set(name, text.replace(/var\(--type-colour,[^()]*\)/g, colour));
    for (const [, other] of text.matchAll(/href="#([\w-]+)"/g)) add(other!);
  };
  for (const name of names) add(name);
  return [...found.values()].join("");
}

/** The colour of a type (`type`), or the one that stands on it (`on-type`); they are the same in both themes. */
export function colourOf(family: "type" | "on-type", type: string): string {
  const name = `--${family}-${type.replaceAll("_", "-")}`;
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
