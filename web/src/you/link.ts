// The code in the address of the screen: read once, and taken out of the address, so that it stays in no history.

export function codeInLink(): string | null {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code === "") return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}
