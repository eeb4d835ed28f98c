import type { ObjectPlace } from "../../archive/store.ts";
import type { Audited } from "../../db/datasets/audits.ts";
import { orAborted } from "../../platform/threads/abort-callbacks.ts";
import { siblingModule, WorkerThread } from "../../platform/threads/worker-thread.ts";

interface AuditRequest {
  place: ObjectPlace;
  from: number;
  bytes: number;
  /** The receipts that were issued for the dataset: see KnownReceipts. */
  issued: ReadonlyMap<string, string>;
}

export interface AuditMessages {
  request: AuditRequest;
  result: Audited;
  toCall: never;
  fromCall: never;
  toThread: never;
  fromThread: never;
}

const YOUNG_GENERATION_MIB = 8;

/** Re-reads datasets in a thread of low priority. Must be closed; may be used again afterwards. */
export class Auditor {
  readonly #thread = new WorkerThread<AuditMessages>(siblingModule(import.meta.url, "audit-thread"), {
    name: "audit",
    youngGenerationMiB: YOUNG_GENERATION_MIB,
    lowPriority: true,
  });

  /**
   * Reads a part of a dataset and reports its faults.
   *
   * @throws the signal's reason; Error if the part cannot be read or the thread ends
   */
  async audit(request: AuditRequest, signal: AbortSignal): Promise<Audited> {
    signal.throwIfAborted();
    try {
      return await orAborted(this.#thread.call(request).result, signal);
    } catch (error) {
      // The thread may still be reading, so the next call starts a new one.
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
