import type { Queries } from "../db/database.ts";
import { findArea } from "../db/uploads/areas.ts";
import {
  completeFile,
  type FileRef,
  findFile,
  resetFile,
  type SegmentRow,
  segmentsOf,
  type UploadFileRow,
} from "../db/uploads/files.ts";
import { isPart } from "../db/uploads/part-paths.ts";
import { uncomparedFilesOf } from "../db/uploads/parts.ts";
import { Problem } from "../domain/problems.ts";
import type { FileHashers, FilePart } from "../source/reading/file-hashers.ts";
import { FileHashing } from "./file-hashing.ts";
import { damaged, offsetOf } from "./offset.ts";
import type { UploadFolder } from "./upload-folder.ts";

/** Dependencies of the comparisons. */
export interface ComparisonParts {
  db: Queries;
  folder: UploadFolder;
  hashers: FileHashers;
  /** Reports an error of work for which no request waits any more. */
  failed: (error: unknown) => void;
  /** How long a request waits for the comparison of a whole file with its digest, in milliseconds. */
  verifyWaitMs?: number;
}

/** Files of an area whose comparison one request begins. */
const COMPARED_AT_ONCE = 10;
/** Shorter than proxies wait. */
const VERIFY_WAIT_MS = 20_000;
/** After an error, a request that only asks for the state does not begin the comparison again for so long. */
const PAUSE_MS = 60_000;

type Verdict = "complete" | "damaged" | "gone";

interface Comparison {
  verdict: Promise<Verdict>;
  row: UploadFileRow;
}

/** Compares files that have all their bytes with their digests, each once at a time in this process. */
export class Comparisons {
  readonly #parts: ComparisonParts;
  readonly #running = new Map<string, Comparison>();
  /** Files whose comparison has failed, until it may begin again. */
  readonly #paused = new Map<string, { row: UploadFileRow; until: number }>();
  readonly #stopping = new AbortController();

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /** Begins the comparison of a file with its digest, or joins the one that is running. */
  begin(row: UploadFileRow, hashing?: FileHashing): Promise<Verdict> {
    const key = keyOf(row);
    const running = this.#running.get(key);
    if (running !== undefined) {
      hashing?.stop();
      return running.verdict;
    }
    const verdict = this.#judge(row, hashing).finally(() => {
      if (this.#running.get(key)?.verdict === verdict) this.#running.delete(key);
    });
    verdict.catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      this.#paused.set(key, { row, until: Date.now() + PAUSE_MS });
      this.#parts.failed(error);
    });
    this.#running.set(key, { verdict, row });
    return verdict;
  }

  /**
   * Begins to compare joined files of an area whose comparison has ended with its process, and does not wait for it.
   * @throws the error of the database
   */
  async beginIn(area: string): Promise<void> {
    for (const [key, { until }] of this.#paused) if (until < Date.now()) this.#paused.delete(key);
    const busy = [...this.#running.values(), ...this.#paused.values()].filter(({ row }) => row.area_id === area);
    const except = busy.map(({ row }) => row.no);
    for (const row of await uncomparedFilesOf(this.#parts.db, area, { except, limit: COMPARED_AT_ONCE })) {
      // It reports its errors.
      void this.begin(row);
    }
  }

  /**
   * Waits for the comparison of a file with its digest, for a while.
   * @returns the number of bytes that count @throws Problem `upload_digest_wrong`, `not_found`
   */
  async result(row: UploadFileRow): Promise<number> {
    const verdict = await withinTime(this.begin(row), this.#parts.verifyWaitMs ?? VERIFY_WAIT_MS);
    if (verdict === "damaged") throw damaged(row);
    if (verdict === "gone") {
      // It was removed, or another process has completed it or received other bytes.
      const now = await this.#current(row);
      if (now === undefined) throw new Problem("not_found");
      if (now.is_damaged) throw damaged(now);
      return offsetOf(now);
    }
    return verdict === "complete" ? row.bytes : row.bytes - 1;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when no comparison is running. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ verdict }) => verdict));
  }

  async #judge(row: UploadFileRow, begun?: FileHashing): Promise<Verdict> {
    const { db, hashers, folder } = this.#parts;
    if (isPart(row)) return (await completeFile(db, row, null)) ? "complete" : "gone";
    const { bytes, stated_sha512: stated } = row;
    const segments = await segmentsOf(db, refOf(row));
    const hashing = begun ?? new FileHashing(hashers, filePartsOf(folder, segments), { bytes, isFresh: false });
    try {
      const sha512 = await hashing.digest(this.#stopping.signal);
      if (stated === null || sha512 === stated) return (await completeFile(db, row, sha512)) ? "complete" : "gone";
    } catch (error) {
      // The segments of a file that was removed meanwhile cannot be read.
      if ((await this.#current(row))?.generation === row.generation) throw error;
      return "gone";
    } finally {
      hashing.stop();
    }
    if (!(await resetFile(db, row))) return "gone";
    // The file may be complete again before the old bytes are removed.
    this.#running.delete(keyOf(row));
    await folder.remove(
      row.area_id,
      segments.map(({ name }) => name),
    );
    return "damaged";
  }

  /** A file as it is; undefined if it or its area was removed. */
  async #current(row: UploadFileRow): Promise<UploadFileRow | undefined> {
    const area = await findArea(this.#parts.db, row.area_id);
    return area === undefined ? undefined : findFile(this.#parts.db, refOf(row));
  }
}

/** The segments of a file as a thread reads them. */
export function filePartsOf(folder: UploadFolder, segments: readonly SegmentRow[]): FilePart[] {
  return segments.map((one) => ({ path: folder.pathOf(one.area_id, one.name), from: one.start_at }));
}

const refOf = ({ area_id: area, no }: UploadFileRow): FileRef => ({ area, no });
const keyOf = ({ area_id: area, no }: UploadFileRow): string => `${area}/${no}`;

/** The result of some work, or undefined if it takes longer. */
async function withinTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
