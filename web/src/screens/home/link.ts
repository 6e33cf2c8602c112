// What somebody typed or pasted to come to a table.

export interface Link {
  id: string;
  isReplay: boolean;
  /** The other server that the link leads to; null for this one. */
  host: string | null;
}

const ID = /^[A-Za-z0-9_-]{16}$/;
const ADDRESS = /(?:^|\/)t\/([A-Za-z0-9_-]{16})(\/replay)?\/?(?:[?#].*)?$/;

/** The table of a link or a code, or null if it is neither; blanks and brackets of a chat around it do no harm. */
export function readLink(text: string): Link | null {
  const word = text
    .trim()
    .split(/\s+/)
    .find((one) => ADDRESS.test(clean(one)) || ID.test(clean(one)));
  if (word === undefined) return null;
  const found = clean(word);
  if (ID.test(found)) return { id: found, isReplay: false, host: null };
  const [, id = "", replay] = ADDRESS.exec(found) ?? [];
  return { id, isReplay: replay !== undefined, host: otherHost(found) };
}

function otherHost(address: string): string | null {
  try {
    const { host } = new URL(address);
    return host === location.host || host === "" ? null : host;
  } catch {
    return null; // only a path
  }
}

function clean(word: string): string {
  return word.replace(/^[<("'«„“]+|[>)"'»“”.,;!]+$/g, "");
}
