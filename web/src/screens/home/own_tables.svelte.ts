// The tables that this browser was at, as they are now: asked for at once, when the page is looked at again, and now and then.

import { Problem, get, type Message } from "$lib/api";
import { forgetTable, hasLostSeat, knownTables, ownSeats } from "$lib/tables";

export interface OwnTable {
  message: Message;
  isMyTurn: boolean;
  isLost: boolean;
}

const EVERY = 15_000;
/** How many tables are asked for at once; on the device there may be hundreds. */
const PAGE = 12;

export class OwnTables {
  list = $state.raw<OwnTable[]>([]);
  /** Whether all were asked for once, so that nothing jumps while they are. */
  isKnown = $state(knownTables().length === 0);

  #shown = $state(PAGE);
  #known = $state(knownTables().length);

  get hasMore(): boolean {
    return this.#known > this.#shown;
  }

  showMore(): void {
    this.#shown += PAGE;
    void this.refresh();
  }

  /** Keep the list as it is now until the function that is returned is called. */
  follow(): () => void {
    void this.refresh();
    const timer = setInterval(() => this.look(), EVERY);
    const look = () => this.look();
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", look);
    };
  }

  forget(id: string): void {
    forgetTable(id);
    this.list = this.list.filter(({ message }) => message.table.id !== id);
  }

  private look(): void {
    if (document.visibilityState === "visible" && knownTables().length > 0) void this.refresh();
  }

  private async refresh(): Promise<void> {
    const found = await Promise.all(
      knownTables()
        .slice(0, this.#shown)
        .map(({ id }) => ask(id)),
    );
    this.#known = knownTables().length;
    this.list = found.filter((one) => one !== null).sort((one, other) => rank(one) - rank(other));
    this.isKnown = true;
  }
}

/** A table as it is now; one that is gone, or closed to this browser, is forgotten. */
async function ask(id: string): Promise<OwnTable | null> {
  try {
    const message = await get<Message>(`/tables/${id}`);
    const seats = ownSeats(message);
    const isMyTurn =
      message.table.phase === "playing" && message.view?.deciding != null && seats.includes(message.view.deciding);
    return { message, isMyTurn, isLost: hasLostSeat(message) };
  } catch (error) {
    if (error instanceof Problem && ["not_found", "spectators_off"].includes(error.code)) forgetTable(id);
    return null;
  }
}

/** The own turn first, then what is played, what waits, what is over. */
function rank({ message, isMyTurn }: OwnTable): number {
  return isMyTurn ? 0 : { playing: 1, lobby: 2, over: 3 }[message.table.phase];
}
