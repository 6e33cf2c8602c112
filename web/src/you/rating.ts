// Ratings with their uncertainty: Glicko-2 (Glickman 2022), where one game against several opponents is one rating period
// with a result against each of them. The scale is that of the bots (granada.bots ratings.json).

/** What is known of somebody's strength: the true value lies within two deviations in 95 of 100 cases. */
export interface Strength {
  value: number;
  deviation: number;
}

/** A rating that changes with results; the volatility says how much the strength varies. */
export interface Rating extends Strength {
  volatility: number;
}

/** A result against one opponent: 1 won, ½ equal, 0 lost. */
export interface Result {
  opponent: Strength;
  score: 0 | 0.5 | 1;
}

/** The rating before any result. */
export const UNKNOWN: Rating = { value: 1500, deviation: 350, volatility: 0.06 };
/** Bots were measured in thousands of games. */
export const BOT_DEVIATION = 30;
/** A rating is never more certain than this, so that it keeps following its player. */
const LEAST_DEVIATION = 45;
const LOWEST = 100;
const HIGHEST = 4000;
/** The rating at the centre of the internal scale, and the size of its unit. */
const CENTRE = 1500;
const UNIT = 173.7178;
/** How much a volatility may change in one period. */
const TAU = 0.5;
const PRECISION = 1e-6;
/** After this time without a result the uncertainty grows as in one rating period. */
const PERIOD_DAYS = 7;

/** The rating after the results of one game, or of one puzzle. */
export function rated(own: Rating, results: readonly Result[]): Rating {
  return limited(unlimited(own, results));
}

/** The same without limits, as published. */
export function unlimited(own: Rating, results: readonly Result[]): Rating {
  if (results.length === 0) return own;
  const mu = (own.value - CENTRE) / UNIT;
  const phi = own.deviation / UNIT;
  let information = 0;
  let surprise = 0;
  for (const { opponent, score } of results) {
    const weight = weightOf(opponent.deviation / UNIT);
    const chance = chanceOf(mu, (opponent.value - CENTRE) / UNIT, weight);
    information += weight * weight * chance * (1 - chance);
    surprise += weight * (score - chance);
  }
  const variance = 1 / information;
  const volatility = volatilityAfter(phi, own.volatility, variance, variance * surprise);
  const before = Math.hypot(phi, volatility);
  const after = 1 / Math.sqrt(1 / (before * before) + information);
  return {
    value: CENTRE + UNIT * (mu + after * after * surprise),
    deviation: UNIT * after,
    volatility,
  };
}

/** The rating after days without a result: it gets less certain. */
export function aged(own: Rating, days: number): Rating {
  const periods = Math.max(0, days) / PERIOD_DAYS;
  const deviation = UNIT * Math.hypot(own.deviation / UNIT, own.volatility * Math.sqrt(periods));
  return { ...own, deviation: Math.min(UNKNOWN.deviation, deviation) };
}

/** The part of the games that somebody is expected to win against somebody else, from 0 to 1. */
export function expected(own: Strength, other: Strength): number {
  const weight = weightOf(Math.hypot(own.deviation, other.deviation) / UNIT);
  return chanceOf((own.value - CENTRE) / UNIT, (other.value - CENTRE) / UNIT, weight);
}

/** Whether a value from a file or a store is a rating. */
export function isRating(value: unknown): value is Rating {
  if (typeof value !== "object" || value === null) return false;
  const { value: strength, deviation, volatility } = value as Partial<Record<keyof Rating, unknown>>;
  return isPositive(strength) && isPositive(deviation) && isPositive(volatility);
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function limited({ value, deviation, volatility }: Rating): Rating {
  return {
    value: Math.min(HIGHEST, Math.max(LOWEST, value)),
    deviation: Math.min(UNKNOWN.deviation, Math.max(LEAST_DEVIATION, deviation)),
    volatility,
  };
}

/** g: a result against somebody whose strength is uncertain counts less. */
function weightOf(phi: number): number {
  return 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));
}

/** E: the chance of winning. */
function chanceOf(mu: number, other: number, weight: number): number {
  return 1 / (1 + Math.exp(-weight * (mu - other)));
}

/** The new volatility: the root of f, by the Illinois algorithm (step 5). */
function volatilityAfter(phi: number, sigma: number, variance: number, delta: number): number {
  const start = Math.log(sigma * sigma);
  const f = (x: number): number => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - start) / (TAU * TAU);
  };
  let a = start;
  let b: number;
  if (delta * delta > phi * phi + variance) b = Math.log(delta * delta - phi * phi - variance);
  else {
    let k = 1;
    while (f(start - k * TAU) < 0) k++;
    b = start - k * TAU;
  }
  let fa = f(a);
  let fb = f(b);
  while (Math.abs(b - a) > PRECISION) {
    const c = a + ((a - b) * fa) / (fb - fa);
    const fc = f(c);
    if (fc * fb <= 0) {
      a = b;
      fa = fb;
    } else fa /= 2;
    b = c;
    fb = fc;
  }
  return Math.exp(a / 2);
}
