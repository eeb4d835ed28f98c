import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ObjectPlace } from "../../archive/store.ts";
import type { Audited } from "../../db/datasets/audits.ts";
import { lowerThreadPriority } from "../thread-priority.ts";

export interface Asked {
  place: ObjectPlace;
  from: number;
  bytes: number;
  /** The receipts that were issued for the dataset: see KnownReceipts. */
  issued: ReadonlyMap<string, string>;
}

export type Looked = Audited;

/** What the thread answers: what it saw, or why it could not look, in words. */
export type Answer = Looked | { failed: string };

const YOUNG_MIB = 8;

/** Re-reads datasets in a thread of its own that steps back for everything else. To be closed; it may look again then. */
export class Auditor {
  #worker: Worker | undefined;

  /**
   * Reads a slice of a dataset and says what is wrong with it.
   *
   * @throws the signal's reason; Error when the thread dies
   */
  async look(asked: Asked, signal: AbortSignal): Promise<Looked> {
    signal.throwIfAborted();
    this.#worker ??= start();
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<Looked>();
    const onAbort = () => reject(signal.reason);
    const onExit = () => reject(new Error("The thread of the audit has ended"));
    signal.addEventListener("abort", onAbort, { once: true });
    const onAnswer = (answer: Answer) => ("failed" in answer ? reject(new Error(answer.failed)) : resolve(answer));
    worker.once("message", onAnswer).once("error", reject).once("exit", onExit);
    worker.postMessage(asked);
    try {
      return await promise;
    } catch (error) {
      // What it still reads is of no use: the next look has a fresh one.
      await this.close();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onAnswer).off("error", reject).off("exit", onExit);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function start(): Worker {
  const module = fileURLToPath(new URL(`./thread${extname(import.meta.url)}`, import.meta.url));
  const worker = new Worker(module, { name: "audit", resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } });
  worker.once("online", () => lowerThreadPriority(["audit"]));
  // Whoever waits for it is told; when nobody does, the next look starts another one.
  worker.on("error", () => undefined);
  return worker;
}
