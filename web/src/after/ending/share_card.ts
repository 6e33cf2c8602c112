// The picture to share: 1200 × 630, always light, drawn from the same symbols as the page. It stands alone: it has no
// classes, and neither styles nor properties of the page.

import { colourOf, definitionsOf } from "$art/symbols";
import { facts, isStart } from "$lib/box";
import { edgesOf, extentOf, innerSides } from "$lib/city";
import { SIDES, readCell, type Side } from "$lib/notation";
import type { Ranked } from "./result";

export const WIDTH = 1200;
export const HEIGHT = 630;
const SERIF = "Iowan Old Style, Palatino Linotype, Palatino, Book Antiqua, URW Palladio L, P052, Georgia, serif";
const SANS = "system-ui, Segoe UI, Roboto, Noto Sans, Liberation Sans, Ubuntu, sans-serif";
/** The light colours of tokens.css; a picture looks the same on every device. */
const INK = "#1f2430";
const IVORY = "#fffdf7";
const QUIET = "#4b4a4c";
const PANEL = "#faf5ea";
const BOARD = "#e4d8c1";
const BRASS = "#7a5410";
const BRASS_FILL = "#d2a24a";
const NASRID = "#1b3f73";
const LINE = "#d8cab0";
const TRACE = "#c91f6b";
/** The players' colours, and those of their initials, by seat. */
const PLAYERS = ["", "#154694", "#c94731", "#4cb6a6", "#eec651", "#98397e", "#232933"];
const INITIALS = ["", IVORY, IVORY, INK, INK, IVORY, IVORY];
/** The panel at the left, its margins, and the room of the city. */
const LEFT = 44;
const RIGHT = 452;
/** How much smaller a text may become to fit. */
const SMALLEST = 0.7;
const CITY = { x: 556, y: 56, width: 596, height: 486 };

export interface Card {
  edition: string;
  editionName: string;
  title: string;
  hero: Ranked;
  ranking: readonly Ranked[];
  /** "points", as it stands beside the number. */
  points: string;
  /** Length, exact payments, best turn. */
  line: string;
  /** Where the replay is. */
  address: string;
  /** At the lower right: tiles and date. */
  note: string;
}

/** The drawing as text. The sheet of marks must be loaded. */
export function cardOf(card: Card): string {
  const used = new Set(["pattern-star", "pennant", `start-${card.edition === "granada" ? "granada" : "alhambra"}`]);
  const city = cityOf(card.hero, used);
  const { ranking, hero } = card;
  const isCrowded = ranking.length > 4;
  const row = isCrowded ? 34 : 46;
  const top = isCrowded ? 318 : 344;
  const base = isCrowded ? 262 : 278;
  const digits = isCrowded ? 132 : 150;
  const score = String(hero.score);
  const scoreWidth = widthOf(score, digits, SERIF, 700) - 4 * score.length;
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${BOARD}"/>`,
    `<rect x="500" width="700" height="${HEIGHT}" fill="url(#stars)" opacity=".55"/>`,
    `<rect width="500" height="${HEIGHT}" fill="${PANEL}"/><rect x="498" width="6" height="${HEIGHT}" fill="${BRASS_FILL}"/>`,
    `<use href="#start-${card.edition === "granada" ? "granada" : "alhambra"}" x="${LEFT}" y="40" width="44" height="44"/>`,
    words(card.editionName, { x: 102, y: 71, size: 27, family: SERIF, colour: INK, room: RIGHT - 102 }),
    ...titleOf(card.title),
    words(score, { x: 40, y: base, size: digits, family: SERIF, colour: BRASS, weight: 700, spacing: -4 }),
    words(card.points, { x: 60 + scoreWidth, y: base, size: 24, family: SANS, colour: QUIET, room: 160 }),
    ...ranking.map((player, i) => line(player, player === hero, top + i * row, isCrowded)),
    words(card.line, {
      x: LEFT,
      y: isCrowded ? 546 : 536,
      size: 19,
      family: SANS,
      colour: QUIET,
      room: RIGHT - LEFT,
    }),
    `<rect x="${LEFT}" y="564" width="${RIGHT - LEFT}" height="40" rx="8" fill="${NASRID}"/>`,
    `<path d="M${LEFT + 16} 576v16l13-8z" fill="${IVORY}"/>`,
    words(card.address, { x: LEFT + 40, y: 590, size: 18, family: SANS, colour: IVORY, room: RIGHT - LEFT - 56 }),
    city,
    hero.rank === 1 ? '<use href="#pennant" x="1096" y="10" width="86" height="86"/>' : "",
    words(card.note, { x: 1152, y: 596, size: 17, family: SANS, colour: QUIET, anchor: "end" }),
  ];
  const stars =
    '<pattern id="stars" width="96" height="96" patternUnits="userSpaceOnUse"><use href="#pattern-star" width="96" height="96"/></pattern>';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<defs>${definitionsOf(used)}${stars}</defs>${parts.join("")}</svg>`
  ).replaceAll("var(--trace,#ff3d81)", TRACE);
}

/** The title in one line, or smaller in two. */
function titleOf(title: string): string[] {
  const room = RIGHT - LEFT;
  const look = { x: LEFT, family: SERIF, colour: INK, room };
  if (widthOf(title, 38 * SMALLEST, SERIF, 400) <= room) return [words(title, { ...look, y: 138, size: 38 })];
  const parts = title.split(" ");
  // The first line is as long as it can be.
  let first = parts.length;
  while (first > 1 && widthOf(parts.slice(0, first).join(" "), 29, SERIF, 400) > room) first -= 1;
  return [
    words(parts.slice(0, first).join(" "), { ...look, y: 116, size: 29 }),
    words(parts.slice(first).join(" "), { ...look, y: 152, size: 29 }),
  ];
}

function line({ seat, name, score, rank }: Ranked, isHero: boolean, y: number, isCrowded: boolean): string {
  const initial = Array.from(name.trim())[0]?.toUpperCase() ?? String(seat);
  const size = isCrowded ? 20 : 24;
  return [
    shapeOf(seat, 58, y - 8, 13),
    words(initial, { x: 58, y: y - 2, size: 16, family: SANS, colour: INITIALS[seat]!, weight: 700, anchor: "middle" }),
    words(name, { x: 84, y, size, family: SANS, colour: INK, weight: isHero ? 700 : 400, room: RIGHT - 84 - 70 }),
    words(String(score), {
      x: RIGHT,
      y,
      size: isCrowded ? 22 : 28,
      family: SERIF,
      colour: rank === 1 ? BRASS : INK,
      weight: 700,
      anchor: "end",
    }),
    `<path d="M${LEFT} ${y + 11}H${RIGHT}" stroke="${LINE}"/>`,
  ].join("");
}

/** The shape of a seat, as its token in the page. */
function shapeOf(seat: number, x: number, y: number, r: number): string {
  const d = 2 * r;
  const shapes = [
    "",
    `M${x - r} ${y}a${r} ${r} 0 1 1 ${d} 0a${r} ${r} 0 1 1 ${-d} 0z`,
    `M${x - r} ${y - r}h${d}v${d}h${-d}z`,
    `M${x - r} ${y + r}V${y}a${r} ${r} 0 0 1 ${d} 0v${r}z`,
    `M${x - r} ${y - r}h${r}a${r} ${r} 0 0 1 ${r} ${r}v${r}h${-r}a${r} ${r} 0 0 1 ${-r} ${-r}z`,
    `M${x} ${y - r}h${r}v${r}a${r} ${r} 0 1 1 ${-r} ${-r}z`,
    `M${x - r} ${y - r}h${d}v${r}a${r} ${r} 0 0 1 ${-d} 0z`,
  ];
  return `<path d="${shapes[seat] ?? shapes[1]}" fill="${PLAYERS[seat] ?? INK}"/>`;
}

function cityOf({ player }: Ranked, used: Set<string>): string {
  const { city, traces } = player;
  const extent = extentOf(Object.keys(city), 3);
  const [width, height] = [extent.columns * 100 + 12, extent.rows * 100 + 12];
  const stretch = edgesOf([...(traces["wall"] ?? []), ...(traces["moat"] ?? [])]);
  const run = edgesOf(traces["run"] ?? []);
  const tiles = Object.entries(city).map(([cell, tile]) => {
    const { x, y } = readCell(cell);
    return `<g transform="translate(${x * 100} ${y * 100})">${faceOf(tile, innerSides(city, cell), stretch[cell] ?? [], run[cell] ?? [], used)}</g>`;
  });
  const box = `${extent.left * 100 - 6} ${extent.top * 100 - 6} ${width} ${height}`;
  return `<svg x="${CITY.x}" y="${CITY.y}" width="${CITY.width}" height="${CITY.height}" viewBox="${box}">${tiles.join("")}</svg>`;
}

/** A tile, as art/Face.svelte draws it. */
function faceOf(tile: string, dim: Side[], trace: Side[], run: Side[], used: Set<string>): string {
  const { kind, type, walls, is_hut } = facts(tile);
  const use = (name: string, side: Side | null = null, more = "") => {
    used.add(name);
    const turned = side === null ? "" : ` transform="rotate(${90 * SIDES.indexOf(side)} 50 50)"`;
    return `<use href="#${name}" width="100" height="100"${turned}${more}/>`;
  };
  const edge = kind === "granada" ? "moat-n" : "wall-n";
  const own = SIDES.filter((side) => walls.includes(side));
  return [
    use(isStart(tile) ? `start-${kind}` : is_hut ? `hut@${type}` : `tile-${type}`),
    is_hut ? hutMark(type, used) : "",
    ...own.map((side) => use(edge, side, dim.includes(side) ? ' opacity=".38"' : "")),
    ...trace.map((side) => use("trace-n", side)),
    ...run.map((side) => use("run-n", side)),
  ].join("");
}

function hutMark(type: string, used: Set<string>): string {
  used.add(`icon-${type}`);
  return (
    '<g transform="translate(66 8) scale(.26)">' +
    `<rect x="-8" y="-8" width="116" height="116" rx="14" fill="${colourOf("type", type)}" stroke="#000" stroke-opacity=".25" stroke-width="4"/>` +
    `<use href="#icon-${type}" width="100" height="100" color="${colourOf("on-type", type)}"/></g>`
  );
}

// Texts

interface Lettering {
  x: number;
  y: number;
  size: number;
  family: string;
  colour: string;
  weight?: number;
  anchor?: "start" | "middle" | "end";
  spacing?: number;
  /** The width that it must fit into: it becomes smaller, and then it is cut. */
  room?: number;
}

function words(
  text: string,
  { x, y, size, family, colour, weight = 400, anchor = "start", spacing = 0, room = Infinity }: Lettering,
): string {
  let shown = text;
  const scale = Math.max(SMALLEST, Math.min(1, room / widthOf(text, size, family, weight)));
  const letters = Array.from(text);
  while (letters.length > 1 && widthOf(shown, size * scale, family, weight) > room + 0.5) {
    letters.pop();
    shown = `${letters.join("").trimEnd()}…`;
  }
  const extra = spacing === 0 ? "" : ` letter-spacing="${spacing}"`;
  return `<text x="${x}" y="${y}" font-family="${family}" font-size="${(size * scale).toFixed(1)}" font-weight="${weight}" text-anchor="${anchor}" fill="${colour}"${extra}>${escaped(shown)}</text>`;
}

let ruler: CanvasRenderingContext2D | null = null;

function widthOf(text: string, size: number, family: string, weight: number): number {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (ruler === null) return 0;
  const names = family.split(", ").map((name) => (/^[\w-]+$/.test(name) ? name : `"${name}"`));
  ruler.font = `${weight} ${size}px ${names.join(", ")}`;
  return ruler.measureText(text).width;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!);
}
