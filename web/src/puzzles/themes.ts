// The drawing for each theme of a puzzle.

import type { IconName } from "$art/icons";

const ICONS: Record<string, IconName> = {
  chain: "chain",
  dirk: "person",
  exchange: "exchange",
  flip: "flip",
  majority: "crown",
  money: "bag",
  rebuild: "restart",
  timing: "clock",
  vizier: "turban",
  wall: "wall",
};

export function themeIcon(theme: string): IconName {
  return ICONS[theme] ?? "puzzle";
}
