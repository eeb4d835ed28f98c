import { compareWithVersion, type Held } from "../db/chunks/unchanged.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import type { FileKind } from "../describe/import/file-kinds.ts";
import { FoundFiles } from "../describe/import/found-files.ts";
import { isPlainKey, markerFor, markerRun, OpenFolders, pathOf } from "../domain/keys-and-paths/path.ts";
import { UnpackedNames, type Unpacking } from "../domain/keys-and-paths/unpacking.ts";
import type { SourceAccess } from "../domain/source-access/access.ts";
import { compileSelection, type Selection } from "../domain/submission/selection.ts";
import { detectAddress } from "../source/s3/diagnosis/address-detection.ts";
import { pagesFrom } from "../source/s3/listing/pages.ts";
import { AdaptiveConcurrency } from "../source/s3/reading/adaptive-concurrency.ts";
import { S3Source } from "../source/s3/s3-source.ts";
import type { ListedObject } from "../source/source.ts";
import { type IntakeContext, LISTING_TIME_LIMIT_MS } from "./context.ts";
import type { SentDigests } from "./digests/digest-lists.ts";
import { DigestPreview, type PreviewDigests } from "./digests/preview-digests.ts";
import { previousVersion } from "./next-version.ts";
import { type Amount, ChangeCounts, type PreviewChanges } from "./preview-changes.ts";
import { type FileType, type Folder, Shape } from "./preview-shape.ts";
import { ownedAccess } from "./source/owned-access.ts";

export interface Preview {
  /** False if the time limit was reached before the end of the listing; the counts then cover the objects listed so far. */
  complete: boolean;
  objects: number;
  bytes: number;
  /** Listed objects that are not selected. */
  leftOut: Amount;
  largest: { key: string; bytes: number }[];
  /** The upper folders, in the order of their paths. */
  folders: Folder[];
  /** Whether all folders at the top of the bucket are among `folders`. */
  foldersComplete: boolean;
  /** The file types by extension, the largest first. */
  types: FileType[];
  /** Metadata files at the top level, in the order of precedence. */
  metadataFiles: { key: string; kind: FileKind; bytes: number }[];
  /** Storage classes from which objects cannot be read directly, with their number of objects. */
  unreadableStorageClasses: { storageClass: string; objects: number }[];
  /** Keys whose path is not `data/` + key; at most 100 are named. */
  renamed: RenamedKey[];
  renamedTotal: number;
  /** The names that are unpacked differently on some systems. */
  unpacking: Unpacking;
  fits: boolean;
  /** Free space of the archive in bytes; null for an object store, which does not report it. */
  room: number | null;
  /** A rough estimate from the duration of this listing; null if no objects were listed. */
  estimatedSeconds: number | null;
  /** Differences from the previous version, if the request names a dataset. */
  changes?: PreviewChanges;
  /** Digest lists; absent without lists. */
  digests?: PreviewDigests;
  notes: string[];
}

/** Why the path of a key is not `data/` + key. Clients translate `reason` by these codes. */
export const RENAME_CODES = ["empty_segment", "dot_segment", "null_character", "folder"] as const;
type RenameCode = (typeof RENAME_CODES)[number];

export interface RenamedKey {
  key: string;
  path: string;
  reason: string;
  code: RenameCode;
}

const REASONS: Record<RenameCode, string> = {
  empty_segment: "the key starts or ends with a slash, or contains two slashes in a row",
  dot_segment: "a part of the key is “.” or “..”",
  null_character: "the key contains a null character",
  folder: "the key is also the name of a folder",
};

/** The bucket, the selection, and the dataset that would receive a new version. */
export interface PreviewRequest {
  access: SourceAccess;
  selection: Selection;
  dataset?: { id: string } | undefined;
  digests?: SentDigests | undefined;
}

const LARGEST = 10;
const RENAMED = 100;
/** Disk space that the inventory, the manifest and the database need per object. */
const OVERHEAD_BYTES = 2_048;
/** Parallel transfers, and bytes per second of one machine. Used only for the estimate. */
const PARALLEL = 36;
/** A server that prepares the first page for longer does not answer other requests as slowly. */
const FIRST_PAGE_MS = 1_000;
const BYTES_PER_SECOND = 150 * 1024 * 1024;
/** That of almost all datasets. The right one is known only at the end of the listing. */
const USUAL_MARKER = markerFor([]);
const UNREADABLE = new Set(["GLACIER", "DEEP_ARCHIVE"]);

/**
 * Counts the objects that a submission would archive, and reports obstacles. The first page may take as long as a check;
 * after 10 s more no further page is requested. Digest lists are read before, for at most 10 s.
 *
 * @throws Problem that states why the bucket cannot be listed; `not_found` or `dataset_withdrawn` for the dataset
 */
export async function preview(
  context: IntakeContext,
  request: PreviewRequest & { owner: string },
  signal: AbortSignal,
): Promise<Preview> {
  const { prefix } = request.selection;
  const before = request.dataset && (await previousVersion(context.db, request.owner, request.dataset.id));
  const started = performance.now();
  const seen = new Seen(request.selection, before && changesSince(before, request));
  let comparingMs = 0;
  const { source, page } = await detectAddress(ownedAccess(context, request.owner, request.access), context.egress, {
    prefix,
    signal,
  });
  const from = { source: new S3Source(source, new AdaptiveConcurrency(context.egress.connectionsPerEndpoint)) };
  const reading = { ...from, scratch: context.scratch, owner: request.owner, signal };
  const digests = await DigestPreview.open({ selection: request.selection, digests: request.digests }, reading, page);
  const look = AbortSignal.timeout(LISTING_TIME_LIMIT_MS);
  const listed = performance.now();
  const inTime = AbortSignal.any([signal, look]);
  let { next } = page;
  try {
    for await (const more of pagesFrom(source, { prefix, page }, inTime)) {
      await take(more.objects);
      next = more.next;
      if (look.aborted) break;
    }
  } catch (error) {
    if (!look.aborted) throw error;
  }
  const pageMs = (performance.now() - listed - comparingMs + Math.min(listed - started, FIRST_PAGE_MS)) / seen.pages;
  const free = await context.store.freeBytes();
  // JSON cannot represent infinity.
  const room = Number.isFinite(free) ? Math.max(0, Math.floor(free)) : null;
  const isComplete = next === undefined;
  return {
    ...seen.result(isComplete, room, pageMs),
    ...(digests !== undefined && { digests: digests.result(isComplete) }),
  };

  async function take(objects: ListedObject[]): Promise<void> {
    const selected = seen.take(objects);
    digests?.take(selected);
    if (before === undefined || selected.length === 0) return;
    const { id, attempt } = before;
    const base = { id, attempt, version: before.ocfl_version ?? versionOf(before) };
    const asked = performance.now();
    seen.compare(selected, await compareWithVersion(context.db, base, selected));
    comparingMs += performance.now() - asked;
  }
}

/** Prepares to count the differences from the version that a submission became. */
function changesSince(before: SubmissionRow, { access, selection }: PreviewRequest): ChangeCounts {
  const isSame = before.endpoint === access.endpoint && before.bucket === access.bucket;
  return new ChangeCounts({
    version: versionOf(before),
    sameSource: isSame && selection.refetch !== true,
    objects: before.objects_stored,
    bytes: before.bytes_stored,
  });
}

function versionOf({ dataset_version }: SubmissionRow): number {
  return dataset_version ?? 1;
}

/** The objects seen so far. Its size is bounded for any bucket. */
class Seen {
  pages = 0;
  readonly #selects: (key: string) => boolean;
  #objects = 0;
  #bytes = 0;
  readonly #leftOut: Amount = { objects: 0, bytes: 0 };
  #largest: { key: string; bytes: number }[] = [];
  readonly #classes = new Map<string, number>();
  #renamed: { key: string; code: RenameCode }[] = [];
  #renamedTotal = 0;
  /** The key that makes the dataset's marker longest. */
  #marking = "";
  readonly #folders = new OpenFolders();
  readonly #shape = new Shape();
  readonly #changes: ChangeCounts | undefined;
  readonly #metadataFiles: FoundFiles<ListedObject>;
  readonly #names = new UnpackedNames();

  constructor(selection: Selection, changes: ChangeCounts | undefined) {
    this.#selects = compileSelection(selection);
    this.#metadataFiles = new FoundFiles(selection.prefix);
    this.#changes = changes;
  }

  /** Counts a page. Returns its selected objects. */
  take(objects: ListedObject[]): ListedObject[] {
    this.pages++;
    const selected: ListedObject[] = [];
    for (const object of objects) {
      if (!this.#selects(object.key)) {
        this.#leftOut.objects++;
        this.#leftOut.bytes += object.bytes;
        this.#shape.leaveOut(object);
        continue;
      }
      selected.push(object);
      this.#objects++;
      this.#bytes += object.bytes;
      this.#rank(object);
      this.#shape.take(object);
      this.#metadataFiles.take(object);
      this.#lookAtPath(object.key);
      const storageClass = object.storageClass ?? "";
      if (UNREADABLE.has(storageClass)) this.#classes.set(storageClass, (this.#classes.get(storageClass) ?? 0) + 1);
    }
    return selected;
  }

  /** @param held the entries of these objects in the previous version */
  compare(selected: ListedObject[], held: ReadonlyMap<string, Held>): void {
    this.#changes?.take(selected, held);
  }

  #rank({ key, bytes }: ListedObject): void {
    if (this.#largest.length === LARGEST && bytes <= (this.#largest.at(-1)?.bytes ?? 0)) return;
    this.#largest = [...this.#largest, { key, bytes }].sort((a, b) => b.bytes - a.bytes).slice(0, LARGEST);
  }

  #lookAtPath(key: string): void {
    if ((markerRun(key) ?? -1) > (markerRun(this.#marking) ?? -1)) this.#marking = key;
    const isPlain = isPlainKey(key);
    if (!isPlain) this.#rename(key, renameCodeOf(key));
    for (const folder of this.#folders.next(key, this.#objects, isPlain)) {
      this.#rename(folder.key, "folder");
      // Its path is another one, because it is also a folder.
      this.#names.forget(pathOf(folder.key, { isFolder: false, marker: USUAL_MARKER }));
    }
    this.#names.take(pathOf(key, { isFolder: false, marker: USUAL_MARKER }));
  }

  #rename(key: string, code: RenameCode): void {
    this.#renamedTotal++;
    if (this.#renamed.length < RENAMED) this.#renamed.push({ key, code });
  }

  result(complete: boolean, room: number | null, pageMs: number): Preview {
    // Unchanged objects of the previous version are neither read nor stored again.
    const toRead = this.#changes?.toRead ?? { objects: this.#objects, bytes: this.#bytes };
    const needed = toRead.bytes + this.#objects * OVERHEAD_BYTES;
    const seconds = Math.max((toRead.objects * pageMs) / PARALLEL / 1000, toRead.bytes / BYTES_PER_SECOND);
    const marker = markerFor([this.#marking]);
    return {
      complete,
      objects: this.#objects,
      bytes: this.#bytes,
      leftOut: this.#leftOut,
      largest: this.#largest,
      ...this.#shape.folderTree(complete),
      types: this.#shape.types(),
      metadataFiles: this.#metadataFiles.files.map(({ object: { key, bytes }, kind }) => ({ key, kind, bytes })),
      unreadableStorageClasses: [...this.#classes].map(([storageClass, objects]) => ({ storageClass, objects })),
      renamed: this.#renamed.map(({ key, code }) => ({
        key,
        path: pathOf(key, { isFolder: true, marker }),
        reason: REASONS[code],
        code,
      })),
      renamedTotal: this.#renamedTotal,
      unpacking: this.#names.result(),
      fits: room === null || needed <= room,
      room,
      estimatedSeconds: this.#objects === 0 ? null : Math.max(1, Math.ceil(seconds)),
      ...(this.#changes !== undefined && { changes: this.#changes.result(complete) }),
      notes: [
        "Only the current version of each object is archived. Older versions, tags and access rights are not.",
        ...(complete
          ? []
          : [
              "The bucket could not be listed completely in 10 seconds. The counts cover only the objects listed so far.",
            ]),
      ],
    };
  }
}

/** Why a key that is not plain cannot be a path. */
function renameCodeOf(key: string): RenameCode {
  if (key.includes("\0")) return "null_character";
  return key.split("/").includes("") ? "empty_segment" : "dot_segment";
}
