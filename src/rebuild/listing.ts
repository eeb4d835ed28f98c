import type { ArchivedPackage, ManifestLine } from "../archive/archived-package.ts";
import { ArchiveCorrupt } from "../archive/read-archived.ts";
import type { LoggedRead } from "../archive/receipts/logs.ts";
import { insertChunks } from "../db/chunks/chunks.ts";
import type { ObjectRecord } from "../db/chunks/objects.ts";
import { listedObject, recordedPath } from "../db/chunks/objects.ts";
import { recordUnordered } from "../db/chunks/unordered-keys.ts";
import { setListed } from "../db/rebuild-rows.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { compareKeys, markerRun } from "../domain/keys-and-paths/path.ts";
import { type Code, catalogue } from "../domain/problems.ts";

const CHUNK_OBJECTS = 1_000;

/**
 * Writes the frozen listing of a package to the database in chunks, and its totals.
 * @throws ArchiveCorrupt if the manifest or the logs are not the original ones, or contradict the receipt
 */
export async function restoreListing(trx: Trx, found: ArchivedPackage, whenWritten: (objects: number) => void) {
  const { receipt, submission, ocflVersion } = found;
  await using reads = new Reads(found.reads());
  const listing = new Listing(trx, submission.id, submission.attempt);
  let chunk: ObjectRecord[] = [];
  let seq = 0;
  for await (const lines of found.listing()) {
    for (const line of lines) {
      chunk.push(recordOf(line, seq++, await reads.of(line.key), ocflVersion));
      if (chunk.length < CHUNK_OBJECTS) continue;
      await listing.add(chunk);
      chunk = [];
      whenWritten(seq);
    }
  }
  if (chunk.length > 0) await listing.add(chunk);
  await reads.end();
  const { sum } = listing;
  const { counts, bytes } = receipt;
  const same = seq === counts.listed && sum.excluded === counts.excluded && sum.bytes - sum.bytesExcluded === bytes;
  if (!same) throw new ArchiveCorrupt("The totals of the source manifest differ from those of the receipt");
  await setListed(trx, submission.id, {
    bytes_listed: sum.bytes,
    bytes_excluded: sum.bytesExcluded,
    objects_unchanged: sum.unchanged,
    bytes_unchanged: sum.bytesUnchanged,
    marker_run: sum.markerRun,
  });
}

/** The chunks of a listing and its totals. */
class Listing {
  readonly #trx: Trx;
  readonly #id: string;
  readonly #attempt: number;
  #no = 0;
  #lastKey = "";
  #isOrdered = true;
  readonly sum = { bytes: 0, excluded: 0, bytesExcluded: 0, unchanged: 0, bytesUnchanged: 0, markerRun: -1 };

  constructor(trx: Trx, id: string, attempt: number) {
    this.#trx = trx;
    this.#id = id;
    this.#attempt = attempt;
  }

  async add(objects: ObjectRecord[]): Promise<void> {
    for (const object of objects) this.#count(object);
    const chunks = [{ no: this.#no++, objects }];
    await insertChunks(this.#trx, this.#id, this.#attempt, chunks);
    if (this.#isOrdered) return;
    const isNew = await recordUnordered(this.#trx, this.#id, this.#attempt, chunks);
    if (!isNew) throw new ArchiveCorrupt("The source manifest names a key twice");
  }

  #count({ key, bytes, state, verifiedIn }: ObjectRecord): void {
    if (this.#lastKey !== "" && compareKeys(this.#lastKey, key) >= 0) this.#isOrdered = false;
    this.#lastKey = key;
    const { sum } = this;
    sum.bytes += bytes;
    if (state === "excluded") {
      sum.excluded++;
      sum.bytesExcluded += bytes;
    }
    if (verifiedIn !== null) {
      sum.unchanged++;
      sum.bytesUnchanged += bytes;
    }
    sum.markerRun = Math.max(sum.markerRun, markerRun(key) ?? -1);
  }
}

/** The log of reads. It names few of the listing's objects, in the order of the listing. */
class Reads {
  readonly #pages: AsyncIterator<LoggedRead[]> | undefined;
  #page: LoggedRead[] = [];
  #at = 0;

  constructor(pages: AsyncIterable<LoggedRead[]> | undefined) {
    this.#pages = pages?.[Symbol.asyncIterator]();
  }

  /** The entry about the next object of the listing. */
  async of(key: string): Promise<LoggedRead | undefined> {
    const next = this.#page[this.#at] ?? (await this.#nextPage());
    if (next?.key !== key) return undefined;
    this.#at++;
    return next;
  }

  async end(): Promise<void> {
    const next = this.#page[this.#at] ?? (await this.#nextPage());
    if (next !== undefined)
      throw new ArchiveCorrupt(`The log of reads names ${JSON.stringify(next.key)} in an unexpected position`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pages?.return?.();
  }

  async #nextPage(): Promise<LoggedRead | undefined> {
    const turned = await this.#pages?.next();
    this.#page = turned?.done === false ? turned.value : [];
    this.#at = 0;
    return this.#page[0];
  }
}

/**
 * The database record of an object of the listing. `read` is its entry in the log of reads, which exists for objects
 * that were not read exactly once; `version` is the version that lists it.
 */
function recordOf(line: ManifestLine, seq: number, read: LoggedRead | undefined, version: number): ObjectRecord {
  const natural = `data/${line.key}`;
  const odd = line.path !== natural;
  const etag = line.etag === null ? null : `"${line.etag}"`;
  const listed = {
    ...listedObject(seq, { ...line, etag }, odd),
    path: odd ? line.path : null,
    attempts: read?.attempts ?? (line.verifiedIn === undefined ? 1 : 0),
  };
  if (line.excluded !== undefined) {
    const { reason, code } = line.excluded;
    return { ...listed, state: "excluded", exclusion: reason, error: read?.error ?? errorOf(code) };
  }
  const verifiedIn = line.verifiedIn ?? null;
  const { contentPath } = line;
  const { versionId, contentType, contentEncoding, userMetadata, userMetadataBytes, checksums } = line;
  return {
    ...listed,
    state: "stored",
    contentPath: contentPath === undefined ? null : recordedPath(contentPath, { key: line.key, verifiedIn }, version),
    sha512: line.sha512 ?? null,
    verifiedBy: line.verifiedBy ?? null,
    verifiedWith: line.verifiedWith ?? null,
    stated: line.stated ?? null,
    etagIsDigest: line.etagIsDigest === true,
    verifiedIn,
    error: read?.error ?? null,
    responseMetadata: {
      ...(versionId !== undefined && { versionId }),
      ...(contentType !== undefined && { contentType }),
      ...(contentEncoding !== undefined && { contentEncoding }),
      ...(userMetadata !== undefined && { userMetadata }),
      ...(userMetadataBytes !== undefined && { userMetadataBytes }),
      ...(checksums !== undefined && { checksums }),
    },
  };
}

/** The error of an object whose message was not kept. */
function errorOf(code: string | null): ObjectRecord["error"] {
  if (code === null) return null;
  return { code, message: Object.hasOwn(catalogue, code) ? catalogue[code as Code].title : code };
}
