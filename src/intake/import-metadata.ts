import { MAX_METADATA_FILE_BYTES } from "../../packages/rules/src/index.ts";
import { forEachConcurrently } from "../archive/for-each-concurrently.ts";
import { byPrecedence, type FileKind, metadataFileNames, sentFileKind } from "../describe/import/file-kinds.ts";
import { type FoundFile, FoundFiles } from "../describe/import/found-files.ts";
import { type Imported, type ImportRemark, mergeImported } from "../describe/import/imported.ts";
import type { Metadata } from "../describe/metadata/schema.ts";
import { size } from "../domain/numbers.ts";
import { Problem, type Remark } from "../domain/problems.ts";
import { pointerTo } from "../domain/remarks.ts";
import type { SourceAccess } from "../domain/source-access/access.ts";
import { compileSelection, type Selection } from "../domain/submission/selection.ts";
import { detectAddress } from "../source/s3/diagnosis/address-detection.ts";
import { pagesFrom } from "../source/s3/listing/pages.ts";
import { AdaptiveConcurrency } from "../source/s3/reading/adaptive-concurrency.ts";
import { readResumably } from "../source/s3/reading/resumable-read.ts";
import type { S3Bucket } from "../source/s3/s3-bucket.ts";
import type { ListedObject } from "../source/source.ts";
import { type IntakeContext, LISTING_TIME_LIMIT_MS } from "./context.ts";
import { invalid } from "./request.ts";
import { ownedAccess } from "./source/owned-access.ts";

/** Values that metadata files suggest for the metadata of a dataset. */
export interface Suggestions {
  values: Partial<Metadata>;
  /** The key of the file that each value comes from. */
  sources: Partial<Record<keyof Metadata, string>>;
  files: ReadFile[];
}

/** The outcome of one metadata file: remarks about unused values, or the problem because of which it cannot be read. */
export interface ReadFile {
  key: string;
  kind: FileKind;
  bytes: number;
  remarks: ImportRemark[];
  problem: Problem | null;
}

/** Time limit for reading one file of the bucket, and for reading and parsing all of them. */
const FILE_TIMEOUT_MS = 10_000;
const FILES_TIMEOUT_MS = 20_000;
const CONCURRENT_READS = 4;
/** Few tries, because the caller is waiting. */
const READ_TRIES = 2;

/**
 * Reads the metadata files at the top level of the selected data. As in a preview, no further page of the listing is
 * requested after 10 s. A file that cannot be read does not prevent the others.
 *
 * @throws Problem that states why the bucket cannot be listed
 */
export async function importFromBucket(
  { egress, importer, vault }: Pick<IntakeContext, "egress" | "importer" | "vault">,
  { access, selection, owner }: { access: SourceAccess; selection: Selection; owner: string },
  signal: AbortSignal,
): Promise<Suggestions> {
  const ready = importer.ready();
  const owned = ownedAccess({ vault }, owner, access);
  const { source, found } = await findFiles({ access: owned, selection, egress }, signal);
  await ready;
  const timeout = AbortSignal.timeout(FILES_TIMEOUT_MS);
  const pace = new AdaptiveConcurrency(CONCURRENT_READS);
  const outcomes = new Map<string, { imported: Imported } | { problem: Problem }>();
  await forEachConcurrently(found, CONCURRENT_READS, async ({ object, kind }) => {
    const limit = AbortSignal.any([timeout, AbortSignal.timeout(FILE_TIMEOUT_MS)]);
    const inTime = AbortSignal.any([signal, limit]);
    try {
      const bytes = await readBytes(source, object, pace, inTime);
      const file = { kind, bytes, owner };
      const imported = await importer.read(file, AbortSignal.any([signal, timeout])).catch((error: unknown) => {
        if (!timeout.aborted || error instanceof Problem) throw error;
        throw new Problem("import_busy", undefined, { cause: error });
      });
      outcomes.set(object.key, { imported });
    } catch (error) {
      signal.throwIfAborted();
      outcomes.set(object.key, { problem: problemOf(error, limit) });
    }
  });
  return suggest(
    found.map(({ object: { key, bytes }, kind }) => {
      const outcome = outcomes.get(key);
      if (outcome === undefined) throw new Error("A metadata file was not processed");
      return { key, kind, bytes, ...outcome };
    }),
  );
}

/**
 * Reads metadata files that the caller sends. A file that cannot be read does not prevent the others.
 * @throws Problem `invalid_request` if a name is not that of a metadata file
 */
export async function importFiles(
  { importer }: Pick<IntakeContext, "importer">,
  { files, owner }: { files: { name: string; content: Uint8Array }[]; owner: string },
  signal: AbortSignal,
): Promise<Suggestions> {
  const named = files.map(({ name, content }) => ({ name, content, kind: sentFileKind(name, content) }));
  const unknown = named.flatMap(({ kind }, index): Remark[] => {
    if (kind !== undefined) return [];
    const detail = `The file is not recognised as a metadata file by its name or content. The service reads ${metadataFileNames}.`;
    return [{ pointer: pointerTo("", "files", index, "name"), code: "metadata_file_unknown", detail }];
  });
  if (unknown.length > 0) throw invalid(unknown, []);
  const outcomes: Outcome[] = [];
  for (const { name, content, kind } of named) {
    if (kind === undefined) continue;
    const file = { key: name, kind, bytes: content.length };
    try {
      outcomes.push({ ...file, imported: await importer.read({ kind, bytes: content, owner }, signal) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      outcomes.push({ ...file, problem: error });
    }
  }
  return suggest(outcomes);
}

async function findFiles(
  { access, selection, egress }: { access: SourceAccess; selection: Selection } & Pick<IntakeContext, "egress">,
  signal: AbortSignal,
): Promise<{ source: S3Bucket; found: readonly FoundFile<ListedObject>[] }> {
  const { prefix } = selection;
  const look = AbortSignal.timeout(LISTING_TIME_LIMIT_MS);
  const selects = compileSelection(selection);
  const found = new FoundFiles<ListedObject>(prefix);
  const { source, page } = await detectAddress(access, egress, { prefix, signal });
  try {
    for await (const { objects } of pagesFrom(source, { prefix, page }, AbortSignal.any([signal, look]))) {
      for (const object of objects) if (selects(object.key)) found.take(object);
      if (look.aborted) break;
    }
  } catch (error) {
    if (!look.aborted) throw error;
  }
  signal.throwIfAborted();
  return { source, found: found.files };
}

/** Reads an object as it was listed. A file that is too large according to the listing is not requested. */
async function readBytes(
  source: S3Bucket,
  object: ListedObject,
  pace: AdaptiveConcurrency,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (object.bytes > MAX_METADATA_FILE_BYTES) {
    const detail = `The file has ${size(object.bytes)}. Metadata files can have at most ${size(MAX_METADATA_FILE_BYTES)}.`;
    throw new Problem("metadata_file_invalid", detail);
  }
  const content = new Uint8Array(object.bytes);
  await readResumably(
    { source, object, signal, pace, owner: "import" },
    { at: 0, end: object.bytes },
    {
      // After an interruption of an object without ETag, bytes are received again.
      onHead: () => undefined,
      onData: (at, chunk) => content.set(chunk, at),
    },
    READ_TRIES,
  );
  return content;
}

function problemOf(error: unknown, limit: AbortSignal): Problem {
  if (error instanceof Problem) return error;
  if (!limit.aborted) throw error;
  return new Problem("source_timeout", "The file could not be read in time", { cause: error });
}

type Outcome = Omit<ReadFile, "remarks" | "problem"> & ({ imported: Imported } | { problem: Problem });

function suggest(outcomes: Outcome[]): Suggestions {
  const read = outcomes.flatMap((one) => ("imported" in one ? [one] : []));
  const files = outcomes.toSorted(byPrecedence).map(({ key, kind, bytes, ...outcome }) => ({
    ...{ key, kind, bytes },
    remarks: "imported" in outcome ? outcome.imported.remarks : [],
    problem: "problem" in outcome ? outcome.problem : null,
  }));
  return { ...mergeImported(read), files };
}
