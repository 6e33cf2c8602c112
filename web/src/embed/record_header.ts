// What a record says about its game without being replayed: the edition, the players and the result.

export interface RecordHeader {
  edition: string;
  players: string[];
  /** The points of the seats, in seat order; none if the game is not over. */
  points: number[];
  /** The seats that have won. */
  winners: number[];
}

/** Read the header lines and the last line; null if the text is no record. */
export function readHeader(text: string): RecordHeader | null {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (!/^granada-record \d+$/.test(lines[0]?.trim() ?? "")) return null;
  const header = new Map(
    lines
      .slice(1, Math.max(1, lines.indexOf("")))
      .map((line): [string, string] => [line.split(":", 1)[0]!, line.slice(line.indexOf(":") + 1).trim()]),
  );
  const players = header.get("players")?.split(/,\s*/).filter(Boolean) ?? [];
  const edition = header.get("edition");
  if (edition === undefined || players.length === 0) return null;
  const end = lines.filter((line) => line.startsWith("= end ")).at(-1) ?? "";
  const points = players.map((_, index) => Number(new RegExp(` ${index + 1}=(-?\\d+)`).exec(end)?.[1] ?? "NaN"));
  const winners = (/ winners=([\d+]+)/.exec(end)?.[1] ?? "").split("+").filter(Boolean).map(Number);
  return { edition, players, points: points.some(Number.isNaN) ? [] : points, winners };
}
