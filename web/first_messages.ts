// The texts that the home page needs, which is what most readers load first; those of all other screens are a second file.

/** What stands before the dot. */
const FAMILIES = new Set([
  "alerts",
  "app",
  "bot_kind",
  "device",
  "edition",
  "home",
  "kept",
  "level",
  "level_say",
  "module",
  "problem",
  "update",
]);
const KEYS = new Set([
  "about.title",
  "curtain.clock",
  "curtain.clock_soon",
  "daily.place",
  "daily.score_lost",
  "daily.score_tied",
  "daily.score_won",
  "daily.streak",
  "daily.title",
  "days.left",
  "days.none_left",
  "lobby.cancel",
  "lobby.rename",
  "lost.spectators_off_say",
  "phase.playing",
  "puzzle.find",
  "settings.title",
  "setup.bad_name",
  "setup.level_other",
  "setup.rating",
  "setup.with",
  "show.back",
  "storage.broken",
  "storage.deleted",
  "storage.export",
  "storage.exported",
  "storage.full",
  "storage.import",
  "storage.lost",
  "storage.memory",
  "storage.none",
  "storage.unreadable",
  "watch.turn",
  "you.open",
]);

export function isFirst(key: string): boolean {
  return KEYS.has(key) || FAMILIES.has(key.split(".", 1)[0]!);
}
