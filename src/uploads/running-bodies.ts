import type { Problem } from "../domain/problems.ts";
import { SentBody } from "./sent-body.ts";

/** The requests of this process that send files of which the last bytes count at the end, so that they can be ended. */
export class RunningBodies {
  readonly #running = new Map<SentBody, { area: string | undefined; work: Promise<unknown> }>();

  /**
   * Does the work with the body of a request.
   * @param area whose files the request sends, if that is known
   */
  async run<Result>(
    body: AsyncIterable<Uint8Array>,
    area: string | undefined,
    work: (body: SentBody) => Promise<Result>,
  ): Promise<Result> {
    const sent = new SentBody(body);
    const working = work(sent);
    this.#running.set(sent, { area, work: working });
    return working.finally(() => this.#running.delete(sent));
  }

  /** Ends the requests for an area. Resolves when what has arrived is stored or refused. */
  async interruptArea(area: string, problem: Problem): Promise<void> {
    await this.#interrupt(problem, (one) => one.area === area);
  }

  /** Ends all requests in the same way. */
  async close(problem: Problem): Promise<void> {
    await this.#interrupt(problem, () => true);
  }

  async #interrupt(problem: Problem, isMeant: (one: { area: string | undefined }) => boolean): Promise<void> {
    const meant = [...this.#running].filter(([, one]) => isMeant(one));
    for (const [body] of meant) body.interrupt(problem);
    await Promise.allSettled(meant.map(([, { work }]) => work));
  }
}
