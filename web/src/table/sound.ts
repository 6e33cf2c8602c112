// A short sound when it is your turn: two soft tones, made on the spot.

let context: AudioContext | null = null;
const TONES = [523.25, 783.99];
const LENGTH = 0.18;

export function chime(): void {
  // Before the reader has touched the page no sound may be made.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- missing in Firefox before 120
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const { currentTime, destination } = context;
    TONES.forEach((frequency, i) => {
      const start = currentTime + i * LENGTH * 0.7;
      const oscillator = new OscillatorNode(context!, { type: "sine", frequency });
      const gain = new GainNode(context!, { gain: 0 });
      gain.gain.setValueAtTime(0.0001, start);
      gain.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
      gain.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH * 2);
      oscillator.connect(gain).connect(destination);
      oscillator.start(start);
      oscillator.stop(start + LENGTH * 2);
    });
  } catch {
    // Without sound, the title of the page still shows it.
  }
}
