// A QR code of a link, so that phones in the room find the table.

import { encode } from "uqr";

/** The dark modules as an SVG path, and how many modules a side has. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  let path = "";
  data.forEach((row, y) => {
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      const length = x - start + 1;
      path += `M${start} ${y}h${length}v1h-${length}z`;
    }
  });
  return { size, path };
}
