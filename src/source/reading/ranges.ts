import type { ReplyHead } from "../transport/http-exchange.ts";
import { offAbort, onAbort, orAborted } from "../transport/http-exchange.ts";
import { type Reading, readResumably, type Span } from "./resumable-read.ts";

/** Ranges of one object that are read at the same time; also how many may lie behind the first byte that is missing. */
const PARALLEL = 16;

/** Takes bytes in any order, and hears up to where there is no gap. */
export interface PartsTaker {
  write(at: number, chunk: Uint8Array): void;
  reached(place: number): void;
  /** Waits until it can take the bytes below a place; undefined when it can. */
  room?(place: number): Promise<void> | undefined;
}

/**
 * Reads an object from a byte on in ranges, several side by side within a bounded window. The first range goes alone:
 * a server that answers it with the whole object knows no ranges, and its answer is then read to the end.
 *
 * @returns the headers of the first answer
 * @throws as {@link readResumably}; the first failure ends the others
 */
export async function readInRanges(
  reading: Reading,
  { from, partBytes }: { from: number; partBytes: number },
  taker: PartsTaker,
): Promise<Record<string, string>> {
  const { bytes } = reading.object;
  const failed = new AbortController();
  const inner = { ...reading, signal: AbortSignal.any([reading.signal, failed.signal]) };
  const frontier = new Frontier(from, (place) => taker.reached(place));
  let next = from;
  let headers: Record<string, string> = {};

  const readNext = async (begin: (head: ReplyHead, span: Span) => void) => {
    const span = { at: next, end: Math.min(next + partBytes, bytes) };
    next = span.end;
    frontier.add(span);
    await readResumably(inner, span, {
      begin: (head) => begin(head, span),
      take: (at, chunk) => {
        taker.write(at, chunk);
        frontier.moved();
      },
    });
  };
  const readOthers = async () => {
    while (next < bytes) {
      const full = taker.room?.(Math.min(next + partBytes, bytes));
      if (full !== undefined) await orAborted(full, inner.signal);
      else if (next - frontier.place >= PARALLEL * partBytes) await frontier.next(inner.signal);
      else await readNext(() => undefined);
    }
  };

  if (next < bytes) {
    await readNext((head, span) => {
      headers = head.headers;
      if (head.status === 206) return;
      span.end = bytes;
      next = bytes;
    });
  }
  let failure: { error: unknown } | undefined;
  const others = Array.from({ length: PARALLEL }, () =>
    readOthers().catch((error: unknown) => {
      failure ??= { error };
      failed.abort(error);
    }),
  );
  await Promise.all(others);
  if (failure !== undefined) throw failure.error;
  return headers;
}

/** The place up to which everything has come, while spans beyond it come in any order. */
class Frontier {
  #place: number;
  readonly #spans: Span[] = [];
  readonly #reached: (place: number) => void;
  #waiting: (() => void)[] = [];

  constructor(from: number, reached: (place: number) => void) {
    this.#place = from;
    this.#reached = reached;
  }

  get place(): number {
    return this.#place;
  }

  /** Spans are added in their order, without a gap between them. */
  add(span: Span): void {
    this.#spans.push(span);
  }

  /** To be called when a span's place has moved. */
  moved(): void {
    let place = this.#place;
    for (let span = this.#spans[0]; span !== undefined; span = this.#spans[0]) {
      place = span.at;
      if (span.at < span.end) break;
      this.#spans.shift();
    }
    if (place === this.#place) return;
    this.#place = place;
    this.#reached(place);
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Resolves when the place has moved on; rejects with the signal's reason. */
  async next(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      onAbort(signal, abort);
      this.#waiting.push(() => {
        offAbort(signal, abort);
        resolve();
      });
    });
  }
}
