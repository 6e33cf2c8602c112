// Puts a compressed copy beside every text of the built page, so that the server only has to choose one.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const PAGE = process.env["GRANADA_PAGE"] ?? fileURLToPath(new URL("../src/granada/page", import.meta.url));
const TEXTS = /\.(?:js|css|html|svg|json|webmanifest)$/;
/** Shorter texts fit into one packet anyway. */
const SHORTEST = 500;

for (const entry of await readdir(PAGE, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const content = await readFile(path);
  if (content.length < SHORTEST) continue;
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  };
  await writeFile(`${path}.br`, brotliCompressSync(content, options));
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
}
