// Saving a file that was made in the page.

/** How long the browser may take to read the file, in milliseconds. */
const READING = 60_000;

export function saveFile(name: string, mediaType: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READING);
}
