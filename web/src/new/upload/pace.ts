/** How long before now the rate is measured. */
const WINDOW_MS = 15_000;
const SAMPLE_MS = 500;

/** Measures how fast bytes are sent. */
export class Pace {
  #sent = 0;
  readonly #samples: { at: number; sent: number }[] = [];

  add(bytes: number): void {
    this.#sent += bytes;
  }

  /** Forgets what was measured, after a pause. */
  reset(): void {
    this.#samples.length = 0;
  }

  /** Bytes a second; undefined until something was sent. @param now in milliseconds */
  rate(now: number): number | undefined {
    const samples = this.#samples;
    const last = samples.at(-1);
    if (last === undefined || now - last.at >= SAMPLE_MS) samples.push({ at: now, sent: this.#sent });
    while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) samples.shift();
    const first = samples[0];
    if (first === undefined || now <= first.at) return undefined;
    const rate = ((this.#sent - first.sent) / (now - first.at)) * 1_000;
    return rate > 0 ? rate : undefined;
  }
}
