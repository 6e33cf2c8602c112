// Zip files whose content is stored, not compressed: the host compresses what it sends.

/** What is used of Emscripten's file system. */
export interface FileSystem {
  mkdirTree: (path: string) => void;
  writeFile: (path: string, content: Uint8Array, options: { canOwn: boolean }) => void;
}

const FILE_HEADER = 0x04034b50;

/** The files of a stored zip, as parts of its bytes; build_site.py writes sizes into the header of each file. */
export function* storedFiles(zip: Uint8Array): Generator<[name: string, content: Uint8Array]> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const text = new TextDecoder();
  let at = 0;
  while (at + 30 <= zip.length && view.getUint32(at, true) === FILE_HEADER) {
    const [method, size] = [view.getUint16(at + 8, true), view.getUint32(at + 18, true)];
    const [name, extra] = [view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const begin = at + 30 + name + extra;
    if (method !== 0 || begin + size > zip.length) throw new Error("the zip file is damaged");
    yield [text.decode(zip.subarray(at + 30, at + 30 + name)), zip.subarray(begin, begin + size)];
    at = begin + size;
  }
}

/** Write a zip file into Python's file system, or unpack it there if `to` names no zip file. */
export function place(files: FileSystem, zip: Uint8Array, to: string): void {
  if (to.endsWith(".zip")) {
    files.writeFile(to, zip, { canOwn: true });
    return;
  }
  const folders = new Set<string>();
  for (const [name, content] of storedFiles(zip)) {
    const path = `${to}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) files.mkdirTree(folder);
    folders.add(folder);
    files.writeFile(path, content, { canOwn: true });
  }
}
