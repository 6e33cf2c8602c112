// The tables that this browser was at, as they are now: asked for at once, when the page is looked at again, and now and then.

import { Problem, get, type Message, type OwnTable as Summary } from "$lib/api";
import { alertTurn, areAlertsOn } from "$lib/alerts.svelte";
import { isSite } from "$lib/base";
import {
  expectGame,
  expectsGame,
  forgetTable,
  hasLostSeat,
  hiddenTables,
  hideTable,
  knownTables,
  ownSeats,
} from "$lib/tables";
import { device } from "../../device/status.svelte";

export interface OwnTable {
  message: Message;
  isMyTurn: boolean;
  isLost: boolean;
}

/** A table that is known here, but cannot be opened. */
export interface BrokenTable {
  id: string;
  /** Why, for the reader. */
  words: string;
}

/** A table that waits for the reader, and the names of the other players. */
interface Turn {
  id: string;
  names: string[];
}

const EVERY = 15_000;
/** While the page is hidden; browsers then run timers about once a minute anyway. */
const EVERY_HIDDEN = 45_000;
/** How many tables are read completely at once; there may be hundreds. */
const PAGE = 12;

export class OwnTables {
  list = $state.raw<OwnTable[]>([]);
  broken = $state.raw<BrokenTable[]>([]);
  /** Whether all were asked for once, so that nothing jumps while they are. */
  isKnown = $state(knownTables().length === 0);
  /** Whether there is probably one that is not over. */
  readonly isExpected = expectsGame();

  /** How many tables wait for the reader, also those that are not shown. */
  turns = $state(0);
  #shown = $state(PAGE);
  #known = $state(knownTables().length);
  #asked = 0;
  /** The tables that waited for the reader when they were last asked for. */
  #waiting: ReadonlySet<string> | null = this.isKnown ? new Set() : null;

  /** The table that comes first: one that waits for the reader, else one that is not over. */
  get first(): OwnTable | null {
    const [one] = this.list;
    return one === undefined || one.message.table.phase === "over" ? null : one;
  }

  get rest(): OwnTable[] {
    return this.list.slice(this.first === null ? 0 : 1);
  }

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
    hideTable(id);
    this.list = this.list.filter(({ message }) => message.table.id !== id);
    this.broken = this.broken.filter((one) => one.id !== id);
  }

  private look(): void {
    const isTooEarly = document.visibilityState !== "visible" && Date.now() - this.#asked < EVERY_HIDDEN;
    if (!isTooEarly && (this.#known > 0 || knownTables().length > 0 || areAlertsOn())) void this.refresh();
  }

  private async refresh(): Promise<void> {
    this.#asked = Date.now();
    const { ids, waiting } = await overview();
    if (waiting !== null) this.notice(waiting);
    // Asking for a table is a visit, for which bots play on and the server keeps it in memory: only while it is looked at.
    if (!isSite && this.isKnown && document.visibilityState !== "visible") {
      this.turns = waiting?.length ?? this.turns;
      return;
    }
    const found = await Promise.all(ids.slice(0, this.#shown).map(ask));
    this.#known = ids.length;
    this.list = found.filter((one) => one !== null && "message" in one).sort((one, other) => rank(one) - rank(other));
    this.broken = found.filter((one) => one !== null && "words" in one);
    const turns = waiting ?? this.list.filter(({ isMyTurn }) => isMyTurn).map(turnOf);
    if (isSite) this.notice(turns);
    this.turns = turns.length;
    this.isKnown = true;
    expectGame(this.first !== null);
  }

  /** Notify a reader who looks elsewhere of tables that were not waiting for them before. */
  private notice(now: readonly Turn[]): void {
    const before = this.#waiting;
    this.#waiting = new Set(now.map(({ id }) => id));
    if (before === null) return;
    for (const { id, names } of now) if (!before.has(id)) void alertTurn(id, names);
  }
}

/**
 * The reader's tables, those that wait for the reader first. A server says in one answer which these are, also those
 * that were joined in another browser; those that wait are null if they are not known.
 */
async function overview(): Promise<{ ids: string[]; waiting: Turn[] | null }> {
  const known = knownTables().map(({ id }) => id);
  if (isSite) return { ids: known, waiting: null };
  const all = await get<{ tables: Summary[] }>("/mine").then(
    ({ tables }) => tables,
    () => null,
  );
  if (all === null) return { ids: known, waiting: null };
  const hidden = hiddenTables();
  const mine = all.filter((one) => known.includes(one.id) || (isShared(one) && !hidden.includes(one.id)));
  const turns = mine.filter((one) => one.is_your_turn).sort((one, other) => time(one) - time(other));
  const ids = new Set([...turns.map(({ id }) => id), ...known, ...mine.map(({ id }) => id)]);
  const waiting = turns.map(({ id, names, seats }) => ({
    id,
    names: names.filter((name, i) => name !== "" && !seats.includes(i + 1)),
  }));
  return { ids: [...ids], waiting };
}

/** Whether others play at a table: lessons and games alone are listed only in the browser in which they were begun. */
function isShared({ phase, kinds, seats }: Summary): boolean {
  return phase !== "over" && seats.length > 0 && kinds.filter((kind) => kind !== "bot").length > seats.length;
}

/** The time left, for the order: without a clock there is no hurry. */
const time = ({ left }: Summary) => left ?? Infinity;

/**
 * A table as it is now. One that a server has removed, or that is closed to this browser, is forgotten; on the device
 * nothing is removed, so a table that is gone was lost.
 */
async function ask(id: string): Promise<OwnTable | BrokenTable | null> {
  try {
    const message = await get<Message>(`/tables/${id}`);
    const seats = ownSeats(message);
    const isMyTurn =
      message.table.phase === "playing" && message.view?.deciding != null && seats.includes(message.view.deciding);
    return { message, isMyTurn, isLost: hasLostSeat(message) };
  } catch (error) {
    if (!(error instanceof Problem)) return null;
    const { code, message: words } = error;
    const isGone = code === "not_found";
    // Without its storage, the device does not know whether the table is there.
    if (isGone && isSite) return device.stored === "memory" ? null : { id, words };
    if (code === "damaged" || code === "old_rules") return { id, words };
    if (isGone || code === "spectators_off") forgetTable(id);
    return null;
  }
}

function turnOf({ message }: OwnTable): Turn {
  const { id, seats } = message.table;
  return {
    id,
    names: seats.filter(({ is_yours, name }) => !is_yours && name !== "").map(({ name }) => name),
  };
}

/** The own turn first, then what is played, what waits, what is over. */
function rank({ message, isMyTurn }: OwnTable): number {
  return isMyTurn ? 0 : { playing: 1, lobby: 2, over: 3 }[message.table.phase];
}
