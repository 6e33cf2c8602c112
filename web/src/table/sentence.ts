// The one sentence that says what is expected now; it changes with every step.

import type { SeatInfo } from "$lib/api";
import { facts } from "$lib/box";
import { letterOf, total, valueOf, without } from "$lib/notation";
import { verdictWords } from "$lib/rule_errors";
import { actionWords, amountWords, tileWords } from "$lib/descriptions";
import { list, named, number, t } from "$lib/i18n.svelte";
import { absenceOf } from "./absence";
import type { Game } from "./game.svelte";
import type { Questions } from "./questions.svelte";
import type { From, Turn } from "./turn.svelte";

export interface Sentence {
  /** Why the reader may act. */
  step: string;
  say: string;
  /** What is stressed: it happens after this step. */
  stress: string;
  tone: "exact" | "over" | "illegal" | "";
}

const plain = (say: string, step = ""): Sentence => ({ step, say, stress: "", tone: "" });

/** Where the rules speak of what is expected now: a chapter of the rules page. */
export function chapterOf(game: Game, turn: Turn): string {
  const step = game.view?.step ?? "";
  if (game.isOver) return "end";
  if (turn.cell !== null && turn.piece !== null) return "building";
  if (turn.taken.length > 0) return "money";
  if (step === "place") return turn.isTurned ? "granada" : "placing";
  if (step === "award") return "end";
  if (step === "vizier") return "vizier";
  if (step === "reveal") return "bonus";
  return turn.piece === null ? "turn" : CHAPTERS[turn.piece.from];
}

const CHAPTERS: Record<From, string> = {
  yard: "buy",
  tray: "placing",
  reserve: "rebuild",
  hut: "huts",
  bonus: "bonus",
};

export function sentenceOf(game: Game, turn: Turn, questions: Questions): Sentence {
  const { view, own } = game;
  if (game.line === "lost" || game.line === "restart")
    return { ...plain(t(game.line === "lost" ? "line.lost" : "line.restart")), tone: "illegal" };
  if (view === null) return plain(t("app.loading"));
  if (game.isOver) return plain(ending(game));
  if (game.taken !== null) return plain(t("seat.played", { name: game.taken.name }));
  if (own?.held)
    return asking(
      turn,
      t("turn.held", { action: actionWords(turn.isMoved ? turn.action! : own.held, game.city) }),
      game.solving !== null
        ? game.solving.line
        : turn.isLast
          ? t("turn.last")
          : game.isTurn
            ? t("turn.final")
            : stepWords(game),
    );
  if (!game.isYours) return plain(waiting(game, turn, questions), planning(turn, questions));
  const step = stepWords(game);
  const { piece, cell } = turn;
  if (turn.isAsking) return asking(turn, t("turn.held", { action: actionWords(turn.action!, game.city) }), step);
  if (cell !== null && questions.cells[cell]?.is_legal === false) return { ...refusal(game, questions, cell), step };
  if (turn.taken.length > 0) return { ...taking(turn), step };
  if (piece?.from === "yard") return { ...buying(turn, piece.tile, view.step ?? ""), step };
  if (piece?.from === "tray") return { ...placing(game, turn), step };
  if (piece?.from === "reserve") return plain(t("turn.rebuild", { tile: tileWords(piece.tile) }), step);
  if (view.step === "reveal" && piece === null) return plain(revealing(game, turn), step);
  if (turn.action !== null) return plain(`${actionWords(turn.action, game.city)}.`, step);
  if (turn.paid.length > 0) return plain(t("turn.money", { sum: sumWords(turn.paidCards) }), step);
  return plain(prompt(game, turn), step);
}

/** What has to be confirmed, and why. */
function asking({ doubt }: Turn, say: string, step: string): Sentence {
  return doubt === null ? plain(say, step) : { ...plain(say, step), stress: doubt.why, tone: "over" };
}

function ending({ view, names }: Game): string {
  const winners = view!.winners;
  if (winners.length === 0) return t("turn.over");
  return t("turn.won", {
    names: list(winners.map((seat) => names[seat - 1] ?? "")),
    points: view!.players[winners[0]! - 1]!.score,
  });
}

function waiting(game: Game, turn: Turn, questions: Questions): string {
  const { deciding } = game;
  const { cell } = turn;
  if (cell !== null && questions.cells[cell]?.is_legal === false) return refusal(game, questions, cell).say;
  const name = deciding?.name ?? "";
  return deciding === null ? "" : decidingWords(deciding, name);
}

/** Who has to decide; the time until a bot takes over runs beside it. */
function decidingWords(seat: SeatInfo, name: string): string {
  const absence = absenceOf(seat);
  if (absence === "bot") return t("seat.played", { name });
  if (seat.is_played_by_bot) return t("turn.thinking", { name });
  if (absence === null) return t("turn.other", { name });
  return [t("turn.away", { name }), seat.takeover_in === null ? "" : t("turn.away_bot")].filter(Boolean).join(" ");
}

/** What the reader tries while others decide. */
function planning(turn: Turn, questions: Questions): string {
  if (turn.piece === null) return "";
  const n = Object.values(questions.cells).filter(({ is_legal }) => is_legal).length;
  return t("turn.planning", { tile: tileWords(turn.face!), n });
}

function stepWords(game: Game): string {
  if (game.solving !== null) return game.solving.line;
  const view = game.view!;
  const name = game.ownSeats.length > 1 ? `${game.nameOf(view.deciding!)} · ` : "";
  if (view.step === "act" && view.tray.length > 0)
    return name + t("turn.because", { tile: tileWords(view.tray.at(-1)!), n: view.tray.length + 1 });
  return name + named("step", view.step ?? "act", { n: view.tray.length });
}

function prompt(game: Game, turn: Turn): string {
  const { step, tray } = game.view!;
  if (game.solving?.task && game.message!.n === game.message!.table.opening) return game.solving.task;
  if (turn.only("pass")) return t("turn.pass");
  if (step === "act" && tray.length > 0) return t("turn.again");
  return named("turn", step ?? "act", { n: tray.length });
}

/** 13.2: a player without a card to reveal is asked, too, so that being asked gives nothing away; and again after each reveal. */
function revealing(game: Game, turn: Turn): string {
  const before = lastReveal(game);
  const mayReveal = turn.of("reveal").length > 0;
  if (before !== null) return t(mayReveal ? "turn.reveal_after" : "turn.no_reveal_after", before);
  return t(mayReveal ? "turn.reveal" : "turn.no_reveal", { scoring: game.view!.announced[0] ?? "" });
}

/** What another player has revealed since the reader was last asked before this scoring. */
function lastReveal({ log, seat, names }: Game): { name: string; tile: string } | null {
  for (let i = log.length - 1; i >= 0; i--) {
    const [mark = "", verb = "", tile = ""] = log[i]!.line.split(" ");
    if (Number(mark) === seat || (verb !== "reveal" && verb !== "keep")) return null;
    if (verb === "reveal") return { name: names[Number(mark) - 1] ?? "", tile: tileWords(tile) };
  }
  return null;
}

/** "8 florins", "5 + 3 = 8 florins"; money of several currencies is only added up. */
function sumWords(cards: readonly string[]): string {
  const money = cards.filter((card) => valueOf(card) > 0);
  const letters = new Set(money.map(letterOf));
  const [letter] = letters;
  const sum = letter !== undefined && letters.size === 1 ? amountWords(letter, total(cards)) : number(total(cards));
  return money.length > 1 ? `${money.map((card) => number(valueOf(card))).join(" + ")} = ${sum}` : sum;
}

function taking(turn: Turn): Sentence {
  const cards = turn.takenCards;
  const mayTakeMore = turn
    .of("take")
    .some((one) => one.cards.length > cards.length && without(one.cards, cards) !== null);
  const isSeveral = cards.length > 1 || mayTakeMore;
  return plain(
    isSeveral ? t("turn.several", { sum: sumWords(cards) }) : `${actionWords(`take ${cards.join(" ")}`, {})}.`,
  );
}

function buying(turn: Turn, tile: string, step: string): Sentence {
  const { price } = facts(tile);
  const cards = turn.paidCards;
  const name = tileWords(tile);
  if (turn.payments.length === 0) return plain(t("turn.short", { tile: name }));
  if (cards.length === 0) return plain(t("turn.pay", { tile: name, price }));
  const over = total(cards) - price;
  const say = t("turn.paying", { sum: sumWords(cards), tile: name });
  if (over < 0) return { ...plain(say), stress: t("fit.short", { n: -over }), tone: "over" };
  if (over > 0) return { ...plain(say), stress: t("turn.over_by", { n: over }), tone: "over" };
  return { ...plain(say), stress: step === "act" ? t("fit.again") : t("fit.exact"), tone: "exact" };
}

function placing(game: Game, turn: Turn): Sentence {
  const tile = tileWords(turn.face!);
  if (turn.action !== null) return plain(`${actionWords(turn.action, game.city)}.`);
  const hasCells = turn.of("place").some((one) => one.tile === turn.piece!.tile);
  if (!hasCells) return plain(t("turn.nowhere", { tile }));
  return plain(named("turn", game.view!.step === "award" ? "award_tile" : "place_tile", { tile }));
}

/** Why a cell is not legal, in words and with the number of the rule. */
function refusal(game: Game, questions: Questions, cell: string): Sentence {
  const { code = "", rule = "" } = questions.cells[cell]!;
  return {
    ...plain(t("city.illegal", { reason: verdictWords(code ?? "", game.edition), rule: rule ?? "" })),
    tone: "illegal",
  };
}
