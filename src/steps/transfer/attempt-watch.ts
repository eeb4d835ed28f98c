import { type ClockReading, readClocks } from "../../archive/lease.ts";
import { type SubmissionRow, stillActive } from "../../db/submissions/submissions.ts";
import type { FlowState } from "../../source/reading/flow.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import { recordSourceActivity } from "../source-silence.ts";

const CHECK_INTERVAL_MS = 1_000;

/** Whether the attempt still stores files, so that content may be placed for it. */
export function storesFiles(row: SubmissionRow | undefined): row is SubmissionRow {
  return row !== undefined && ["listing", "transferring"].includes(row.status);
}

/**
 * Checks once a second whether an attempt is still active. If the submission waits, is cancelled or is retried, its running
 * reads end, so that it holds no connections. Each check confirms the lease of the worker that writes, and records whether
 * the source sends data.
 */
export class AttemptWatch {
  readonly #context: StepContext;
  readonly #work: AttemptRef;
  readonly #over: () => void;
  readonly #timer: NodeJS.Timeout;
  #confirmed: (at: ClockReading) => void = () => undefined;
  #flow: FlowState | undefined;

  /** @param over called once the attempt is no longer active */
  constructor(context: StepContext, work: AttemptRef, over: () => void) {
    this.#context = context;
    this.#work = work;
    this.#over = over;
    this.#timer = setInterval(() => void this.#look(), CHECK_INTERVAL_MS);
  }

  /** Registers a callback for every check that finds the attempt active, with the time at which the check began. */
  whenConfirmed(confirmed: (at: ClockReading) => void): void {
    this.#confirmed = confirmed;
  }

  /** Reports whether the source sends data to this task. */
  flows(flow: FlowState): void {
    this.#flow = flow;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#confirmed = () => undefined;
  }

  async #look(): Promise<void> {
    const at = readClocks();
    const { db, log } = this.#context;
    const { id, attempt } = this.#work;
    try {
      const row = await stillActive(db, id, attempt);
      if (!storesFiles(row)) {
        this.#over();
        return;
      }
      this.#confirmed(at);
      if (this.#flow !== undefined) await recordSourceActivity(this.#context, this.#work, row, this.#flow);
    } catch (error) {
      log.warn({ err: error }, "cannot check whether a submission is still active");
    }
  }
}
