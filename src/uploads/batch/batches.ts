import type { Problem } from "../../domain/problems.ts";
import { SentBody } from "../sent-body.ts";
import { Batch, type BatchParts, type BatchRequest } from "./batch.ts";

/** Receives batches of small files. One exists in each process that answers requests. */
export class Batches {
  readonly #parts: BatchParts;
  readonly #running = new Map<SentBody, { area: string; work: Promise<void> }>();

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /**
   * Receives the files of a form. Those that are acknowledged are durable and complete, also if the connection breaks later.
   * @throws Problem for what ends the whole batch, see {@link Batch.run}
   */
  async receive({ body, ...request }: Omit<BatchRequest, "body"> & { body: AsyncIterable<Uint8Array> }): Promise<void> {
    const sent = new SentBody(body);
    const work = new Batch(this.#parts, { ...request, body: sent }).run();
    this.#running.set(sent, { area: request.area, work });
    await work.finally(() => this.#running.delete(sent));
  }

  /** Ends the batches of an area in this process, when what has arrived is stored or refused. */
  async interruptArea(area: string, problem: Problem): Promise<void> {
    await this.#interrupt(problem, (one) => one.area === area);
  }

  /** Ends all batches, when what has arrived is stored. */
  async close(problem: Problem): Promise<void> {
    await this.#interrupt(problem, () => true);
  }

  async #interrupt(problem: Problem, isMeant: (one: { area: string }) => boolean): Promise<void> {
    const meant = [...this.#running].filter(([, one]) => isMeant(one));
    for (const [body] of meant) body.interrupt(problem);
    await Promise.allSettled(meant.map(([, { work }]) => work));
  }
}
