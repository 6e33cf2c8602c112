// The sounds of the table, made on the spot. Off until they are switched on; never before the reader has touched the page.

import { settings } from "$lib/settings.svelte";

export type Sound = "card" | "tile" | "exact" | "turn" | "step" | "win";

interface Tone {
  type: OscillatorType;
  /** Hertz; where it glides to, if it does. */
  frequency: number;
  to?: number;
  /** Seconds until it begins, and its length. */
  at: number;
  length: number;
  loudness: number;
}

const tones = (frequencies: number[], pause: number, length: number, loudness: number): Tone[] =>
  frequencies.map((frequency, i) => ({ type: "sine", frequency, at: i * pause, length, loudness }));

const SOUNDS: Record<Sound, Tone[]> = {
  card: [{ type: "triangle", frequency: 520, to: 330, at: 0, length: 0.07, loudness: 0.14 }],
  tile: [
    { type: "sine", frequency: 190, to: 110, at: 0, length: 0.12, loudness: 0.3 },
    { type: "triangle", frequency: 880, at: 0, length: 0.03, loudness: 0.08 },
  ],
  exact: tones([783.99, 987.77, 1318.51], 0.07, 0.22, 0.14),
  turn: tones([523.25, 783.99], 0.13, 0.36, 0.2),
  step: tones([659.26], 0, 0.16, 0.12),
  win: tones([523.25, 659.26, 783.99, 1046.5], 0.14, 0.6, 0.18),
};
const SILENCE = 0.0001;

let context: AudioContext | null = null;

/** Make a sound, after some seconds. */
export function playSound(sound: Sound, after = 0): void {
  if (!settings.sound || settings.volume <= 0) return;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- missing in Firefox before 120
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const tone of SOUNDS[sound]) play(context, tone, context.currentTime + after);
  } catch {
    // Without sound everything is still on the screen.
  }
}

function play(context: AudioContext, { type, frequency, to, at, length, loudness }: Tone, begin: number): void {
  const start = begin + at;
  const oscillator = new OscillatorNode(context, { type, frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(SILENCE, start);
  gain.gain.exponentialRampToValueAtTime(Math.max(SILENCE, loudness * settings.volume), start + 0.01);
  gain.gain.exponentialRampToValueAtTime(SILENCE, start + length);
  if (to !== undefined) oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
