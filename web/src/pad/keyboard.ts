// Arrow keys and Enter go from number to number.

import { tick } from "svelte";
import { inputId } from "./labels";

/** Where a key leads: to another row, or to another column. */
const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface Columns {
  seats: readonly number[];
  /** Let a column be seen. */
  show: (seat: number) => void;
}

/** Follow a key that was pressed in a number of the table. */
export async function follow(event: KeyboardEvent, table: HTMLElement, { seats, show }: Columns): Promise<void> {
  const step = STEPS[event.key];
  const from = event.target as HTMLElement;
  const { seat: own, field } = from.dataset;
  if (
    step === undefined ||
    own === undefined ||
    field === undefined ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey
  )
    return;
  event.preventDefault();
  const [rows, columns] = step;
  const at = seats.indexOf(Number(own));
  if (rows !== 0) {
    const column = inputsOf(table, Number(own));
    const next = column[column.indexOf(from as HTMLInputElement) + rows];
    if (next) focus(next);
    if (next || event.key !== "Enter") return;
    const seat = seats[at + 1];
    if (seat === undefined) return;
    show(seat);
    await tick();
    focus(inputsOf(table, seat)[0]);
    return;
  }
  const seat = seats[at + columns];
  if (seat === undefined) return;
  show(seat);
  await tick();
  const counts = field.replace("highest.", "counts.");
  focus(
    document.getElementById(inputId(field, seat)) ??
      document.getElementById(inputId(counts, seat)) ??
      inputsOf(table, seat)[0],
  );
}

function inputsOf(table: HTMLElement, seat: number): HTMLInputElement[] {
  return [...table.querySelectorAll<HTMLInputElement>(`input[data-seat="${seat}"]`)];
}

function focus(input: HTMLElement | null | undefined): void {
  input?.focus();
  input?.scrollIntoView({ block: "nearest" });
}
