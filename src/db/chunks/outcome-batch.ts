/**
 * Outcomes of objects of one chunk in the form in which they are recorded: as lines of the chunk's text. The thread that reads
 * the objects writes the lines, so that no object passes between threads, and usually no line is parsed to be recorded.
 */
import { joinLines, readObject, splitLines, writeObject } from "./chunk-text.ts";
import type { ObjectRecord } from "./objects.ts";

/** The outcome of reading an object. */
export type Outcome =
  | {
      seq: number;
      state: "stored";
      contentPath: string | null;
      sha512: string;
      verifiedBy: string;
      verifiedWith: string;
      stated: Record<string, string> | null;
      etagIsDigest: boolean;
      suspect: boolean;
      responseMetadata: object;
    }
  | { seq: number; state: "failed"; error: { code: string; message: string } };

/** Plain data, because it is sent between threads. */
export interface OutcomeBatch {
  /** Sequence numbers of the objects. */
  seqs: number[];
  /** Their lines, in this order, joined like those of a chunk. */
  text: string;
  /** Number and bytes of stored objects, without suspects. */
  stored: number;
  bytes: number;
  suspects: number;
  /** Whether an ETag proved to be the MD5 of its object. */
  md5Proven: boolean;
  failures: { seq: number; code: string; message: string }[];
  /** Content paths other than `data/` + key. */
  displaced: { seq: number; path: string }[];
}

/** Collects outcomes. */
export class OutcomeCollector {
  #batch = emptyBatch();
  #lines: string[] = [];

  get count(): number {
    return this.#lines.length;
  }

  /** @param object the object as it was listed */
  add(object: ObjectRecord, outcome: Outcome): void {
    const batch = this.#batch;
    batch.seqs.push(object.seq);
    this.#lines.push(writeObject({ ...object, ...outcome, attempts: object.attempts + 1 }));
    if (outcome.state === "failed") {
      batch.failures.push({ seq: object.seq, ...outcome.error });
      return;
    }
    if (outcome.suspect) batch.suspects++;
    else {
      batch.stored++;
      batch.bytes += object.bytes;
    }
    batch.md5Proven ||= isMd5(object, outcome);
    if (outcome.contentPath !== null) batch.displaced.push({ seq: object.seq, path: outcome.contentPath });
  }

  /** Returns the outcomes since the last call. */
  take(): OutcomeBatch {
    const batch = { ...this.#batch, text: joinLines(this.#lines) };
    this.#batch = emptyBatch();
    this.#lines = [];
    return batch;
  }
}

/** The outcomes of a batch as objects. */
export function outcomesOf(batch: OutcomeBatch): Outcome[] {
  return splitLines(batch.text).map((line, index): Outcome => {
    const { seq, state, error, ...object } = readObject(line, batch.seqs[index] ?? 0);
    if (state === "failed" && error !== null) return { seq, state, error };
    return {
      seq,
      state: "stored",
      contentPath: object.contentPath,
      sha512: object.sha512 ?? "",
      verifiedBy: object.verifiedBy ?? "",
      verifiedWith: object.verifiedWith ?? "",
      stated: object.stated,
      etagIsDigest: object.etagIsDigest,
      suspect: object.suspect,
      responseMetadata: object.responseMetadata ?? {},
    };
  });
}

/** Whether the ETag proved to be the MD5 of the object. If the submitter has stated a digest, that is the stronger evidence. */
function isMd5({ etag }: ObjectRecord, { verifiedBy, etagIsDigest }: Outcome & { state: "stored" }): boolean {
  return verifiedBy === "md5" || (verifiedBy === "submitter" && etagIsDigest && /^"?[0-9a-f]{32}"?$/i.test(etag ?? ""));
}

function emptyBatch(): OutcomeBatch {
  return { seqs: [], text: "", stored: 0, bytes: 0, suspects: 0, md5Proven: false, failures: [], displaced: [] };
}
