import { SOURCE_SILENT_MS } from "../../domain/source-access/source-time-limits.ts";

const REPORT_INTERVAL_MS = 1_000;

/** Milliseconds since 1970, so that processes can compare them; undefined if unknown. */
export interface FlowState {
  /** When the source last sent anything. */
  heardAt: number | undefined;
  /** Since when it sends nothing, although it is asked. */
  silentSince: number | undefined;
}

/** Whether a source sends what it is asked for, over all requests of one task. */
export class Flow {
  #open = 0;
  #askedAt = 0;
  #heardAt: number | undefined;

  /** Something is asked for, and will be tried until {@link answered}. */
  asked(): void {
    if (this.#open++ === 0) this.#askedAt = Date.now();
  }

  answered(): void {
    this.#open--;
  }

  /** The source has sent something, be it a refusal. */
  heard(): void {
    this.#heardAt = Date.now();
  }

  get state(): FlowState {
    const silentSince = this.#open === 0 ? undefined : Math.max(this.#askedAt, this.#heardAt ?? 0);
    return { heardAt: this.#heardAt, silentSince };
  }

  /**
   * Reports the state once a second, and once when the silence has lasted too long. Returns a function that ends that.
   */
  watch(tell: (state: FlowState) => void, tooLong: () => void): () => void {
    const timer = setInterval(() => {
      const { state } = this;
      tell(state);
      if (state.silentSince === undefined || Date.now() - state.silentSince < SOURCE_SILENT_MS) return;
      clearInterval(timer);
      tooLong();
    }, REPORT_INTERVAL_MS);
    return () => clearInterval(timer);
  }
}
