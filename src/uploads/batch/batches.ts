import type { Problem } from "../../domain/problems.ts";
import { RunningBodies } from "../running-bodies.ts";
import { Batch, type BatchParts, type BatchRequest } from "./batch.ts";

/** Receives batches of small files. One exists in each process that answers requests. */
export class Batches {
  readonly #parts: BatchParts;
  readonly #running = new RunningBodies();

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /**
   * Receives the files of a form. Those that are acknowledged are durable and complete, also if the connection breaks later.
   * @throws Problem for what ends the whole batch, see {@link Batch.run}
   */
  async receive({ body, ...request }: Omit<BatchRequest, "body"> & { body: AsyncIterable<Uint8Array> }): Promise<void> {
    await this.#running.run(body, request.area, (sent) => new Batch(this.#parts, { ...request, body: sent }).run());
  }

  /** Ends the batches of an area in this process, when what has arrived is stored or refused. */
  async interruptArea(area: string, problem: Problem): Promise<void> {
    await this.#running.interruptArea(area, problem);
  }

  /** Ends all batches, when what has arrived is stored. */
  async close(problem: Problem): Promise<void> {
    await this.#running.close(problem);
  }
}
