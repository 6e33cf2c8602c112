// A table that was asked for before the game was loaded: its frame is shown meanwhile.

let asked = $state.raw<AbortController | null>(null);

export function isOpening(): boolean {
  return asked !== null;
}

/** Show the frame until the work is done; the work ends early if the reader cancels it. */
export async function whileOpening<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  asked = own;
  try {
    return await work(own.signal);
  } finally {
    if (asked === own) asked = null;
  }
}

export function cancelOpening(): void {
  asked?.abort();
  asked = null;
}
