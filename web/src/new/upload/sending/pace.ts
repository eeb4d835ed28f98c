/** How long before now the speed is measured. */
const WINDOW_MS = 15_000;
const SAMPLE_MS = 500;

interface Sample {
  at: number;
  sent: number;
  read: number;
}

/** Measures how fast files are read and sent. */
export class Pace {
  #sent = 0;
  #read = 0;
  readonly #samples: Sample[] = [];

  read(bytes: number): void {
    this.#read += bytes;
  }

  send(bytes: number): void {
    this.#sent += bytes;
  }

  /** Forgets what was measured, after a pause. */
  reset(): void {
    this.#samples.length = 0;
  }

  /**
   * Bytes that are sent in a second, and how long the rest takes. Undefined while nothing is sent: reading alone is much faster. Files
   * are read while others are sent, so that the slower of both determines the time.
   * @param now in milliseconds
   * @param left bytes to send and bytes to read
   */
  speed(now: number, left: { unsent: number; unread: number }): { rate?: number; secondsLeft?: number } {
    const samples = this.#samples;
    const last = samples.at(-1);
    if (last === undefined || now - last.at >= SAMPLE_MS) {
      samples.push({ at: now, sent: this.#sent, read: this.#read });
    }
    while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) samples.shift();
    const first = samples[0];
    if (first === undefined || now <= first.at) return {};
    const perSecond = (bytes: number) => (bytes * 1_000) / (now - first.at);
    const rate = perSecond(this.#sent - first.sent);
    if (rate === 0) return {};
    const readRate = perSecond(this.#read - first.read);
    return { rate, secondsLeft: Math.max(left.unsent / rate, readRate === 0 ? 0 : left.unread / readRate) };
  }
}
