import { type Moment, thisMoment } from "../../archive/lease.ts";
import { type SubmissionRow, stillActive } from "../../db/submissions.ts";
import type { StepContext, Work } from "../context.ts";

const WATCH_MS = 1_000;

/** Whether content is still to be placed for an attempt of which this is known. */
export function isPlacing(row: SubmissionRow | undefined): row is SubmissionRow {
  return row !== undefined && ["listing", "transferring"].includes(row.status);
}

/**
 * Looks once a second whether an attempt is still at work. A submission that waits, is cancelled or retried holds no
 * connection: its reads under way end too. What is seen confirms the lease of whoever writes.
 */
export class Watch {
  readonly #context: StepContext;
  readonly #work: Work;
  readonly #over: () => void;
  readonly #timer: NodeJS.Timeout;
  #confirmed: (at: Moment) => void = () => undefined;

  /** @param over called once the attempt is no longer at work */
  constructor(context: StepContext, work: Work, over: () => void) {
    this.#context = context;
    this.#work = work;
    this.#over = over;
    this.#timer = setInterval(() => void this.#look(), WATCH_MS);
  }

  /** Tells somebody of every look that finds the attempt at work, and when it began. */
  whenConfirmed(confirmed: (at: Moment) => void): void {
    this.#confirmed = confirmed;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#confirmed = () => undefined;
  }

  async #look(): Promise<void> {
    const at = thisMoment();
    const { db, log } = this.#context;
    const { id, attempt } = this.#work;
    try {
      if (isPlacing(await stillActive(db, id, attempt))) this.#confirmed(at);
      else this.#over();
    } catch (error) {
      log.warn({ err: error }, "could not look whether a submission is still active");
    }
  }
}
