import jsQR from "jsqr";
import { expect, test } from "vitest";
import { qrPath } from "../src/table/lobby/qr";

/** Paint the code as a phone sees it, some pixels for each module and a quiet zone around it, and read it. */
function scan(text: string, scale = 4, quiet = 4): string | undefined {
  const { size, path } = qrPath(text);
  const width = (size + 2 * quiet) * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = 0; row < scale; row++)
      for (let column = 0; column < Number(length) * scale; column++) {
        const at = ((Number(y) + quiet) * scale + row) * width + (Number(x) + quiet) * scale + column;
        pixels.fill(0, at * 4, at * 4 + 3);
      }
  return jsQR(pixels, width, width)?.data;
}

test.each([
  "http://127.0.0.1:8642/t/ZjM1mRVe0v_mmHLP",
  "https://granada.example.org/t/0123456789abcdef",
  `https://${"subdomain.".repeat(12)}example.org/t/0123456789abcdef`,
])("the code of a link is read as the link: %s", (link) => {
  expect(scan(link)).toBe(link);
});
