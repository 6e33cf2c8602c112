// Copying a text: by the browser's clipboard, or, without https, by the way there was before it.

/** Whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "sr";
    // Inside a dialog only what belongs to it can be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without https
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}
