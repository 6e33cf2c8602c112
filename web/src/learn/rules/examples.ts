// The examples in the pictures of the rules; tests hold them against the rules.
import type { Letter, Side } from "$lib/notation";
import examples from "./examples.json";

export type City = Record<string, string>;

export interface CityExample {
  /** Which words go with it. */
  say: string;
  city: City;
  /** Whether the new tile may be built; unsaid if the example is not about building. */
  is_allowed?: boolean;
  /** The rule that forbids it. */
  rule?: string;
  new?: string;
  /** An edge where what touches does not fit. */
  clash?: string;
  hole?: string;
  /** A tile that was rotated. */
  turned?: string;
  /** The longest stretch, edge by edge, and its points. */
  stretch?: "wall" | "run";
  edges?: string[];
  points?: number;
  hut?: string;
  worth?: number;
}

export interface MoneyExample {
  display?: string[];
  tile?: string;
  space?: Letter;
  panels: { say: string; is_allowed: boolean; cards: string[] }[];
}

export interface MajorityExample {
  type: string;
  scoring: string;
  rows: { name: string; tiles: string[]; place: number; points: number }[];
}

export const CITIES = examples.cities as Record<string, CityExample[]>;
export const MONEY = examples.money as Record<string, MoneyExample>;
export const MAJORITIES = examples.majorities as Record<string, MajorityExample>;
export const REBUILD = examples.rebuild as {
  say: string;
  cell: string;
  reserve: string[];
  after: string[];
  before: City;
  city: City;
}[];
export const EXACT = examples.exact as { say: string; space?: Letter; tile?: string; cards: string[] }[];
export const LEFTOVERS = examples.leftovers as {
  space: Letter;
  tile: string;
  hands: { name: string; cards: string[] }[];
  winner: string;
};
export const YARD = examples.yard;

/** An edge, "1,0 N", in its parts. */
export function readEdge(edge: string): { cell: string; side: Side } {
  const [cell = "", side = "N"] = edge.split(" ");
  return { cell, side: side as Side };
}
