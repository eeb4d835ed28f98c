/** How long before now the speed is measured. */
const WINDOW_MS = 15_000;
const SAMPLE_MS = 500;

interface Sample {
  at: number;
  sent: number;
  /** Bytes that were read or sent. */
  worked: number;
}

/** Measures how fast files are read and sent. */
export class Pace {
  #sent = 0;
  #worked = 0;
  readonly #samples: Sample[] = [];

  read(bytes: number): void {
    this.#worked += bytes;
  }

  send(bytes: number): void {
    this.#sent += bytes;
    this.#worked += bytes;
  }

  /** Forgets what was measured, after a pause. */
  reset(): void {
    this.#samples.length = 0;
  }

  /**
   * Bytes that are sent in a second, and how long the rest takes. Undefined while nothing is sent: reading alone is much faster.
   * @param now in milliseconds
   * @param left bytes to read and bytes to send
   */
  speed(now: number, left: number): { rate?: number; secondsLeft?: number } {
    const samples = this.#samples;
    const last = samples.at(-1);
    if (last === undefined || now - last.at >= SAMPLE_MS) {
      samples.push({ at: now, sent: this.#sent, worked: this.#worked });
    }
    while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) samples.shift();
    const first = samples[0];
    if (first === undefined || now <= first.at) return {};
    const perSecond = (bytes: number) => (bytes * 1_000) / (now - first.at);
    const rate = perSecond(this.#sent - first.sent);
    return rate > 0 ? { rate, secondsLeft: left / perSecond(this.#worked - first.worked) } : {};
  }
}
