import { createHash, randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { throwUnwritable } from "../../archive/folder/durable-writes.ts";
import type { SpaceReservation } from "../../archive/store.ts";
import type { Queries } from "../../db/database.ts";
import { type Quota, type QuotaCheck, readQuota } from "../../db/submissions/quota.ts";
import { findArea } from "../../db/uploads/areas.ts";
import { addWholeFiles, type Outcome, reserveNumbers, type WholeFile } from "../../db/uploads/batch.ts";
import { fileWithPath } from "../../db/uploads/files.ts";
import { inMessage } from "../../domain/in-message.ts";
import { Problem } from "../../domain/problems.ts";
import { MOST_FILES, pathTaken, requireSha512, requireUploadPath, uploadSubmitted } from "../file-names.ts";
import { damaged } from "../offset.ts";
import type { SentBody } from "../sent-body.ts";
import type { UploadFolder } from "../upload-folder.ts";
import { type FormFile, readFormFiles } from "./form-files.ts";

/** Size of a file, and number of files, that one batch can have. */
export const BATCH_FILE_BYTES = 8 * 1024 * 1024;
export const BATCH_FILES = 10_000;

/** Files that are recorded in one transaction. */
const RECORDED_AT_ONCE = 500;
const NUMBERS_AT_ONCE = 250;
/** Characters of a path in the answer. A valid path is never longer. */
const LONGEST_ECHO = 2_100;
/** Bytes for which space is reserved at once. */
const HOLD_BYTES = 4 * 1024 * 1024;

export interface BatchParts {
  db: Queries;
  folder: UploadFolder;
  quota: Quota;
}

/** What became of a file: complete and durable, or the reason why not. */
export type FileAnswer = { path: string; bytes: number; sha512: string } | { path: string; problem: Problem };

export interface BatchRequest {
  area: string;
  /** Account name of the owner of the area. */
  owner: string;
  /** Address of the files of the area. */
  address: string;
  contentType: string;
  body: SentBody;
  /** Called once for each file. */
  answer: (file: FileAnswer) => void;
}

/**
 * Receives many small files in one request. Each is written to a separate segment while it arrives. All files that have arrived meanwhile
 * are made durable together, and then recorded in one transaction, which decides whether they are added. Only then are they acknowledged.
 */
export class Batch {
  readonly #parts: BatchParts;
  readonly #request: BatchRequest;
  /** Files that are written, and neither durable nor recorded. */
  readonly #written: WholeFile[] = [];
  #arrived = Promise.withResolvers<void>();
  #isRead = false;
  #failure: { error: unknown } | undefined;
  #numbers: { next: number; end: number } = { next: 0, end: 0 };
  #numbering: Promise<unknown> = Promise.resolve();
  /** The quota as it was read last, and what was added since. */
  #quota: { check: Promise<QuotaCheck>; added: { objects: number; bytes: number } } | undefined;
  #hold: SpaceReservation | undefined;
  #held = 0;
  #holding: Promise<unknown> = Promise.resolve();

  constructor(parts: BatchParts, request: BatchRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /**
   * Receives all files. One that is refused does not stop the others. After an error, those that had arrived are still recorded.
   * @throws Problem `malformed_multipart`, `body_too_large`, `request_timeout`; `bad_request` if the connection breaks; the error of the
   * database, after which some files may have been added that were not acknowledged
   */
  async run(): Promise<void> {
    const { body, contentType } = this.#request;
    const recording = this.#recordAll().catch((error: unknown) => this.#fail(error));
    const limits = { files: BATCH_FILES, fileBytes: BATCH_FILE_BYTES };
    let broken: { error: unknown } | undefined;
    try {
      await readFormFiles(body, contentType, limits, (file) => this.#receive(file));
    } catch (error) {
      broken = { error };
    } finally {
      this.#isRead = true;
      this.#arrived.resolve();
      await recording;
      this.#hold?.release();
    }
    const first = this.#failure ?? broken;
    if (first !== undefined) throw first.error;
  }

  /** Writes a file. Does not reject: an error of the database, or of the program, ends the batch. */
  async #receive({ path: stated, sha512, content, isBroken }: FormFile): Promise<void> {
    try {
      // The parser has replaced bytes that are not UTF-8.
      if (stated.includes("\ufffd")) throw new Problem("bad_request", `“${inMessage(stated)}” is not UTF-8`);
      const path = requireUploadPath(stated);
      const digest = sha512 === undefined ? undefined : requireSha512(sha512);
      this.#written.push(await this.#write(content, path, digest));
      this.#arrived.resolve();
    } catch (error) {
      content.resume();
      // If the request ended in the middle of the file, its client is told the reason of that.
      if (isBroken()) return;
      if (error instanceof Problem) this.#request.answer({ path: echoed(stated), problem: error });
      else this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#request.body.interrupt(new Problem("internal_error", undefined, { cause: error }));
  }

  async #write(content: FormFile["content"], path: string, stated: string | undefined): Promise<WholeFile> {
    const { area } = this.#request;
    const no = await this.#number();
    const name = `${no}-${randomUUID()}`;
    const hash = createHash("sha512");
    let bytes = 0;
    let handle: FileHandle | undefined;
    try {
      await this.#requireQuota(path, 0);
      for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        await this.#requireQuota(path, bytes + chunk.length);
        await this.#reserve(chunk.length);
        handle ??= await this.#parts.folder.create(area, name);
        hash.update(chunk);
        await handle.writeFile(chunk).catch(throwUnwritable);
        bytes += chunk.length;
      }
      if (content.truncated) throw new Problem("upload_needs_tus");
      const sha512 = hash.digest("hex");
      if (stated !== undefined && stated !== sha512) throw damaged({ path });
      return { no, name, path, bytes, sha512, isStated: stated !== undefined };
    } catch (error) {
      await this.#parts.folder.remove(area, [name]);
      throw error;
    } finally {
      await handle?.close();
    }
  }

  /** The number of the next file. One request after the other asks for more of them. */
  #number(): Promise<number> {
    const number = this.#numbering
      .catch(() => undefined)
      .then(async () => {
        if (this.#numbers.next === this.#numbers.end) {
          const first = await reserveNumbers(this.#parts.db, this.#request.area, NUMBERS_AT_ONCE);
          if (first === undefined) throw await this.#whyClosed();
          this.#numbers = { next: first, end: first + NUMBERS_AT_ONCE };
        }
        return this.#numbers.next++;
      });
    this.#numbering = number;
    return number;
  }

  /** Why no more files can be added. */
  async #whyClosed(): Promise<Problem> {
    const { submission_id: submission = null } = (await findArea(this.#parts.db, this.#request.area)) ?? {};
    return submission === null ? new Problem("not_found", "The upload was deleted") : uploadSubmitted(submission);
  }

  /**
   * Refuses a file for which there certainly is no quota, before its bytes are stored. Other files that arrive now do not count: they may
   * be refused, or be in the upload already. The recording decides.
   */
  async #requireQuota(path: string, size: number): Promise<void> {
    const { db, quota } = this.#parts;
    const { area, owner } = this.#request;
    this.#quota ??= { check: readQuota(db, quota, owner), added: { objects: 0, bytes: 0 } };
    const { check, added } = this.#quota;
    const wanted = { submissions: 0, objects: added.objects + 1, bytes: added.bytes + size };
    const problem = (await check)(wanted);
    // A file that the upload has already needs none.
    if (problem !== undefined && (await fileWithPath(db, area, path)) === undefined) throw problem;
  }

  /** Reserves space in steps. @throws Problem `no_space`, `archive_unwritable` */
  #reserve(bytes: number): Promise<void> {
    const reserved = this.#holding
      .catch(() => undefined)
      .then(async () => {
        if (this.#held < bytes) {
          this.#hold?.release();
          this.#held = 0;
          const step = Math.max(bytes, HOLD_BYTES);
          // A nearly full disk may have enough for a small file.
          const [hold, held] = await this.#holdStep(step).catch(() => this.#holdStep(bytes));
          this.#hold = hold;
          this.#held = held;
        }
        this.#hold?.use(bytes);
        this.#held -= bytes;
      });
    this.#holding = reserved;
    return reserved;
  }

  async #holdStep(bytes: number): Promise<[hold: SpaceReservation, bytes: number]> {
    return [await this.#parts.folder.hold(bytes), bytes];
  }

  /** Records files as they arrive, until all are recorded. While some are made durable, others arrive. */
  async #recordAll(): Promise<void> {
    for (;;) {
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
      if (this.#isRead) this.#arrived.resolve();
      while (this.#written.length > 0) {
        const files = this.#written.splice(0, RECORDED_AT_ONCE);
        await this.#record(files);
      }
      if (this.#isRead) return;
    }
  }

  async #record(files: readonly WholeFile[]): Promise<void> {
    const quota = this.#quota;
    const outcomes = await this.#outcomesOf(files);
    if (quota === this.#quota) this.#countAdded(files, outcomes);
    const unneeded = files.filter(({ bytes }, index) => bytes > 0 && outcomes[index] !== "added");
    await this.#parts.folder.remove(
      this.#request.area,
      unneeded.map(({ name }) => name),
    );
    for (const [index, file] of files.entries()) this.#request.answer(this.#answerTo(file, outcomes[index] ?? "added"));
  }

  /** Counts the files that were added. If others were added elsewhere, the quota is read again. */
  #countAdded(files: readonly WholeFile[], outcomes: readonly Outcome[]): void {
    const isUsedElsewhere = outcomes.some((one) => typeof one === "object" && "problem" in one);
    if (isUsedElsewhere || this.#quota === undefined) {
      this.#quota = undefined;
      return;
    }
    const { added } = this.#quota;
    for (const [index, { bytes }] of files.entries()) {
      if (outcomes[index] !== "added") continue;
      added.objects += 1;
      added.bytes += bytes;
    }
  }

  /** @throws the error of the database, after which it is not certain what was recorded */
  async #outcomesOf(files: readonly WholeFile[]): Promise<Outcome[]> {
    const { db, folder, quota } = this.#parts;
    const { area } = this.#request;
    try {
      await folder.sync(
        area,
        files.flatMap(({ bytes, name }) => (bytes > 0 ? [name] : [])),
      );
      await folder.proveSame();
      return await addWholeFiles(db, { id: area, refuse: uploadSubmitted }, files, { quota, mostFiles: MOST_FILES });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return files.map(() => ({ problem }));
    }
  }

  #answerTo({ path, bytes, sha512 }: WholeFile, outcome: Outcome): FileAnswer {
    if (outcome === "added" || outcome === "present") return { path, bytes, sha512 };
    if ("problem" in outcome) return { path, problem: outcome.problem };
    return { path, problem: pathTaken(path, { file: `${this.#request.address}/${outcome.taken}` }) };
  }
}

/** The path of a file in the answer: a client that has not read it yet must not fill the memory. */
function echoed(stated: string): string {
  return JSON.stringify(stated).length <= LONGEST_ECHO ? stated : inMessage(stated);
}
