import { offAbort, onAbort, orAborted } from "../../../platform/threads/abort-callbacks.ts";
import type { Destination } from "../../source.ts";
import type { ReplyHead } from "../transport/response-parser.ts";
import { type ByteRange, type Reading, readResumably } from "./resumable-read.ts";

/** Number of ranges of one object that are read concurrently, and that may be ahead of the first missing byte. */
const PARALLEL = 16;

/** Receives bytes in any order, and the position up to which all bytes have arrived. */
type RangesDestination = Pick<Destination, "write" | "reached" | "waitForCapacity">;

/**
 * Reads an object from a position in ranges, several concurrently within a limited window. The first range is requested
 * alone: a server that answers with the whole object does not support ranges, and its response is read to the end.
 *
 * @returns the headers of the first response
 * @throws as {@link readResumably}; the first failure ends the others
 */
export async function readInRanges(
  reading: Reading,
  { from, partBytes }: { from: number; partBytes: number },
  destination: RangesDestination,
): Promise<Record<string, string>> {
  const { bytes } = reading.object;
  const failed = new AbortController();
  const inner = { ...reading, signal: AbortSignal.any([reading.signal, failed.signal]) };
  const frontier = new Frontier(from, (place) => destination.reached(place));
  let next = from;
  let headers: Record<string, string> = {};

  const readNext = async (onHead: (head: ReplyHead, range: ByteRange) => void) => {
    const range = { at: next, end: Math.min(next + partBytes, bytes) };
    next = range.end;
    frontier.add(range);
    await readResumably(inner, range, {
      onHead: (head) => onHead(head, range),
      onData: (at, chunk) => {
        destination.write(at, chunk);
        frontier.moved();
      },
    });
  };
  const readOthers = async () => {
    while (next < bytes) {
      const full = destination.waitForCapacity?.(Math.min(next + partBytes, bytes));
      if (full !== undefined) await orAborted(full, inner.signal);
      else if (next - frontier.place >= PARALLEL * partBytes) await frontier.next(inner.signal);
      else await readNext(() => undefined);
    }
  };

  if (next < bytes) {
    await readNext((head, range) => {
      headers = head.headers;
      if (head.status === 206) return;
      range.end = bytes;
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

/** The position up to which no byte is missing, while later ranges arrive in any order. */
class Frontier {
  #place: number;
  readonly #ranges: ByteRange[] = [];
  readonly #reached: (place: number) => void;
  #waiting: (() => void)[] = [];

  constructor(from: number, reached: (place: number) => void) {
    this.#place = from;
    this.#reached = reached;
  }

  get place(): number {
    return this.#place;
  }

  /** Adds a range. Ranges are added in order, without gaps. */
  add(range: ByteRange): void {
    this.#ranges.push(range);
  }

  /** To be called after a range's position has changed. */
  moved(): void {
    let place = this.#place;
    for (let range = this.#ranges[0]; range !== undefined; range = this.#ranges[0]) {
      place = range.at;
      if (range.at < range.end) break;
      this.#ranges.shift();
    }
    if (place === this.#place) return;
    this.#place = place;
    this.#reached(place);
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Resolves when the position has changed; rejects with the signal's reason. */
  async next(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      const callback = onAbort(signal, abort);
      this.#waiting.push(() => {
        offAbort(signal, callback);
        resolve();
      });
    });
  }
}
