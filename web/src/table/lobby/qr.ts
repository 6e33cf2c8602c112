// A QR code (ISO/IEC 18004) of a link, so that phones in the room find the table: bytes, level M, versions 1 to 6.

interface Version {
  /** Codewords of data in each block, and of correction. */
  blocks: number[];
  correction: number;
  alignment: number | null;
}

const VERSIONS: Version[] = [
  { blocks: [16], correction: 10, alignment: null },
  { blocks: [28], correction: 16, alignment: 18 },
  { blocks: [44], correction: 26, alignment: 22 },
  { blocks: [32, 32], correction: 18, alignment: 26 },
  { blocks: [43, 43], correction: 24, alignment: 30 },
  { blocks: [27, 27, 27, 27], correction: 16, alignment: 34 },
];

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

// Arithmetic in the field of 256 elements, with the generator 2 and the polynomial 0x11d.

const POWERS = new Uint8Array(512);
const LOGS = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  POWERS[i] = POWERS[i + 255] = x;
  LOGS[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}

function product(one: number, other: number): number {
  return one === 0 || other === 0 ? 0 : POWERS[LOGS[one]! + LOGS[other]!]!;
}

/** The codewords of correction (Reed-Solomon) of a block. */
export function correction(data: readonly number[], length: number): number[] {
  let generator = [1];
  for (let i = 0; i < length; i++)
    generator = [...generator, 0].map((value, at) => value ^ product(generator[at - 1] ?? 0, POWERS[i]!));
  const rest = [...data, ...new Array<number>(length).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!;
    if (factor !== 0) generator.forEach((value, at) => (rest[i + at]! ^= product(value, factor)));
  }
  return rest.slice(data.length);
}

/** The codewords of a text, block by block, in the order in which they are drawn. */
function codewords(bytes: Uint8Array, { blocks, correction: length }: Version): number[] {
  const room = sum(blocks);
  const bits = [
    "0100",
    bytes.length.toString(2).padStart(8, "0"),
    ...[...bytes].map((byte) => byte.toString(2).padStart(8, "0")),
    "0000",
  ]
    .join("")
    .slice(0, room * 8);
  const data = (bits.padEnd(Math.ceil(bits.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  for (let i = 0; data.length < room; i++) data.push(i % 2 === 0 ? 0xec : 0x11);
  let at = 0;
  const parts = blocks.map((size) => data.slice(at, (at += size)));
  const checks = parts.map((part) => correction(part, length));
  const woven = (rows: number[][]) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) => rows.map((row) => row[i])).flat();
  return [...woven(parts), ...woven(checks)].filter((word) => word !== undefined);
}

type Grid = (boolean | null)[][];

/** The marks that every code has; what is null is free for the text. */
function marks(size: number, alignment: number | null): Grid {
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null));
  const put = (x: number, y: number, isDark: boolean) => {
    if (grid[y]?.[x] !== undefined) grid[y][x] = isDark;
  };
  for (let i = 8; i < size - 8; i++) {
    put(i, 6, i % 2 === 0);
    put(6, i, i % 2 === 0);
  }
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const) {
    for (let y = -1; y <= 7; y++)
      for (let x = -1; x <= 7; x++) {
        const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
        put(left + x, top + y, ring !== 2 && ring !== 4);
      }
  }
  if (alignment !== null)
    for (let y = -2; y <= 2; y++)
      for (let x = -2; x <= 2; x++) put(alignment + x, alignment + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
  return grid;
}

/** The fifteen bits that say level M and the mask, at both their places. */
function format(grid: Grid, mask: number): void {
  const size = grid.length;
  let rest = mask << 10;
  for (let i = 14; i >= 10; i--) if (rest & (1 << i)) rest ^= 0x537 << (i - 10);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const isDark = ((bits >> i) & 1) === 1;
    const [x, y] = i < 6 ? [8, i] : i < 8 ? [8, i + 1] : i === 8 ? [7, 8] : [14 - i, 8];
    grid[y]![x] = isDark;
    if (i < 8) grid[8]![size - 1 - i] = isDark;
    else grid[size - 15 + i]![8] = isDark;
  }
  grid[size - 8]![8] = true;
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The whole code with one of the masks. */
function draw(words: readonly number[], { alignment }: Version, size: number, mask: number): Grid {
  const grid = marks(size, alignment);
  format(grid, mask);
  const isFree = grid.map((row) => row.map((cell) => cell === null));
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // the timing marks have this column
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - i : i;
        if (!isFree[y]![x]) continue;
        const isOne = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        grid[y]![x] = isOne !== MASKS[mask]!(x, y);
        bit++;
      }
  }
  return grid;
}

/** How hard a code is to read: long runs, blocks of one colour, and too much of one colour. */
function penalty(grid: Grid): number {
  const size = grid.length;
  let points = 0;
  let dark = 0;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const here = grid[y]![x];
      if (here) dark++;
      if (
        x + 1 < size &&
        y + 1 < size &&
        [grid[y]![x + 1], grid[y + 1]![x], grid[y + 1]![x + 1]].every((one) => one === here)
      )
        points += 3;
    }
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]!))];
  for (const line of lines) {
    const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    points += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  return points + 10 * Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5);
}

/** The code of a text as the path of a drawing; null if the text is too long. */
export function qrPath(text: string): { size: number; path: string } | null {
  const bytes = new TextEncoder().encode(text);
  const at = VERSIONS.findIndex(({ blocks }) => bytes.length + 2 <= sum(blocks));
  const version = VERSIONS[at];
  if (version === undefined) return null;
  const size = 21 + 4 * at;
  const words = codewords(bytes, version);
  const grids = MASKS.map((_, mask) => draw(words, version, size, mask));
  const best = grids.reduce((one, other) => (penalty(other) < penalty(one) ? other : one));
  const path = best.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { size, path };
}
