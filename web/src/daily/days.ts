// Days of the daily deal: dates as in 2026-11-18, all UTC; days in a row; months.

const DAY = 24 * 3600 * 1000;
/** How many past deals can be played (granada.tables.daily_deals.PAST_DAYS). */
export const PAST_DAYS = 30;

export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function today(): string {
  return dateOf(Date.now());
}

/** The day that many days later, or earlier. */
export function daysAfter(date: string, days: number): string {
  return dateOf(Date.parse(`${date}T00:00:00Z`) + days * DAY);
}

/** Whether the deal of a day can be played, for the list or for practice. */
export function isOpenDay(date: string, now: string): boolean {
  return date <= now && date >= daysAfter(now, -PAST_DAYS);
}

export interface Streak {
  /** Days in a row up to today, or up to yesterday as long as today may still be played. */
  days: number;
  longest: number;
  /** Whether today is one of them. */
  hasToday: boolean;
}

export function streakOf(dates: Iterable<string>, now: string): Streak {
  const played = new Set(dates);
  let longest = 0;
  let days = 0;
  let last = "";
  for (const date of [...played].sort()) {
    days = date === daysAfter(last || date, 1) ? days + 1 : 1;
    last = date;
    longest = Math.max(longest, days);
  }
  const isGoingOn = last >= daysAfter(now, -1);
  return { days: isGoingOn ? days : 0, longest, hasToday: played.has(now) };
}

/** The month of a day: "2026-11". */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

export function monthsAfter(month: string, months: number): string {
  const [year = 0, index = 1] = month.split("-").map(Number);
  return dateOf(Date.UTC(year, index - 1 + months, 1)).slice(0, 7);
}

/** The weeks of a month, from Monday; null for days of other months. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const days: (string | null)[] = Array<null>(before).fill(null);
  for (let date = first; monthOf(date) === month; date = daysAfter(date, 1)) days.push(date);
  while (days.length % 7 > 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7));
}
