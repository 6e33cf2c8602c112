// "Your turn" while the page is in the background: a notification of the browser, a mark on its icon, a number on the app.
// Nobody is asked at the start: only after a first game that is over, or in the settings.

import { href } from "./base";
import { list, t } from "./i18n.svelte";
import { loadStored, saveStored } from "./storage";

const KEY = "alerts";

interface Alerts {
  isOn: boolean;
  /** Whether the reader has answered the question after a game. */
  isAnswered: boolean;
}

/** Some browsers on phones have none. */
export const hasAlerts = "Notification" in window;
let alerts = $state.raw<Alerts>({ isOn: false, isAnswered: false, ...loadStored<Partial<Alerts>>(KEY, {}) });
let permission = $state(hasAlerts ? Notification.permission : "denied");

/** Whether the reader wants notifications, and the browser shows them. */
export function areAlertsOn(): boolean {
  return alerts.isOn && permission === "granted";
}

/** Whether the browser refuses them. */
export function areAlertsBlocked(): boolean {
  return permission === "denied";
}

/** Whether the question may be put, after a game. */
export function mayAskForAlerts(): boolean {
  return hasAlerts && !alerts.isAnswered && !alerts.isOn && permission !== "denied";
}

/** Switch them on or off; the browser asks for its permission when they are first switched on. */
export async function chooseAlerts(isOn: boolean): Promise<void> {
  if (isOn && permission === "default") permission = await Notification.requestPermission();
  alerts = { isOn: isOn && permission === "granted", isAnswered: true };
  saveStored(KEY, alerts);
}

/** Tell a reader who looks elsewhere that it is their turn; a table has one notification at a time. */
export async function alertTurn(table: string, names: string[]): Promise<void> {
  if (!areAlertsOn() || document.visibilityState === "visible") return;
  const body = names.length > 0 ? t("alerts.turn_with", { names: list(names) }) : "";
  const options = { body, tag: `granada ${table}`, icon: href("/assets/icon-192.png"), data: href(`/t/${table}`) };
  try {
    const notification = new Notification(t("alerts.turn"), options);
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Android shows only those of a service worker.
    const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
    await registration?.showNotification(t("alerts.turn"), options);
  }
}

// The icon

const MARK = '<circle cx="74" cy="26" r="24" fill="#c2244d" stroke="#fff" stroke-width="6"/>';
let original: string | null = null;

/** Mark the icon of the page, and number that of an installed app, while tables wait for the reader. */
export function markTurns(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) {
    original ??= link.href;
    const marked = `data:image/svg+xml,${encodeURIComponent(icon())}`;
    const wanted = count > 0 ? marked : original;
    if (link.href !== wanted) link.href = wanted;
  }
  if (!("setAppBadge" in navigator)) return;
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

/** A small palace with the mark. */
function icon(): string {
  const palace =
    '<path fill="#e0b35a" d="M14 84V44h10v-8h8v8h10V30l8-12 8 12v14h10v-8h8v8h10v40H58V66a8 8 0 0 0-16 0v18z"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" rx="20" fill="#1d3f72"/>${palace}${MARK}</svg>`;
}
