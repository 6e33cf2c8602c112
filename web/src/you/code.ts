// The code that takes an identity to another browser, as granada.server.identity.codes writes it. It is read before it is
// sent, so that a damaged one is refused at once.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const WORDS = (
  "almond amber arch basil cedar court dove fig fox garden heron horse ivory jasmine lamp lemon " +
  "lion lynx mint moon myrtle olive owl palm pearl river rose saffron star swan tile tower"
).split(" ");
const FORM = new RegExp(`^(${WORDS.join("|")})([a-z0-9]{8})(${WORDS.join("|")})([a-z0-9]{8})$`);
const MODULUS = 1021;

export interface Typed {
  /** The code as it is written; null if it is damaged. */
  code: string | null;
  /** The server in a link, if it is another one than this. */
  elsewhere: string | null;
}

/** A code or a link with one, as it was typed or scanned. */
export function readTyped(text: string, host: string): Typed {
  const link = /^\s*https?:\/\/([^/\s]+)\/\S*#(\S+)\s*$/.exec(text);
  return { code: readCode(link?.[2] ?? text), elsewhere: link === null || link[1] === host ? null : link[1]! };
}

/** A code in any case and with any separators; null if it is damaged. */
export function readCode(text: string): string | null {
  const found = FORM.exec(text.toLowerCase().replace(/[^a-z0-9]/g, ""));
  if (found === null) return null;
  const part = (found[2]! + found[4]!).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  const words = checkOf(part);
  if (words === null || words[0] !== found[1] || words[1] !== found[3]) return null;
  return [words[0], part.slice(0, 4), part.slice(4, 8), words[1], part.slice(8, 12), part.slice(12)].join("-");
}

function checkOf(part: string): [string, string] | null {
  let total = 0;
  for (const character of part) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    total = (total * 37 + digit + 1) % MODULUS;
  }
  return [WORDS[Math.floor(total / 32)]!, WORDS[total % 32]!];
}
