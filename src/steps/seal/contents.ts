import { join } from "node:path";
import { HashedFile, type InventoryWriter, type WrittenFile } from "../../../packages/ocfl/src/index.ts";
import {
  type Changes,
  type Exclusion,
  MAX_NAMED_OBJECTS,
  type VerifiedCounts,
} from "../../archive/receipts/receipt.ts";
import { contentOf } from "../../archive/versions.ts";
import { everyObject } from "../../db/chunks/chunks.ts";
import { type ObjectRecord, pathOfObject } from "../../db/chunks/objects.ts";
import type { Crate } from "../../describe/formats/ro-crate/ro-crate.ts";
import { MediaTypes } from "../../describe/metadata/media-types.ts";
import { Problem } from "../../domain/problems.ts";
import type { ResponseMetadata } from "../../source/source.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import type { EarlierVersions } from "./earlier-versions.ts";
import { noteReads, openReads } from "./logs.ts";
import type { PlacedFiles } from "./placed-files.ts";
import { VersionChanges } from "./version-changes.ts";

/** Path of the manifest in the dataset. */
export const MANIFEST = "metadata/source-manifest.jsonl";

/** Totals of a package, counted object by object. */
export interface Contents {
  stored: number;
  excluded: number;
  bytes: number;
  verified: VerifiedCounts;
  exclusions: Exclusion[];
  /** Undefined for a first version. */
  changes: Changes | undefined;
  manifest: WrittenFile;
  mediaTypes: MediaTypes;
  readsSha512: string;
}

type Sum = Omit<Contents, "changes" | "manifest" | "readsSha512">;

interface Target {
  folder: string;
  version: number;
  inventory: InventoryWriter;
  crate: Crate;
  placed: PlacedFiles;
  earlier: EarlierVersions | undefined;
  signal: AbortSignal;
}

/**
 * Reads the frozen listing once, in order, and writes the entries of every object to the manifest, the inventory, the
 * RO-Crate and the logs. Checks each object's file. Only counts are kept in memory.
 */
export async function writeContents(context: StepContext, work: AttemptRef, target: Target): Promise<Contents> {
  const contentPath = `${contentOf(target.version)}/${MANIFEST}`;
  const manifest = await HashedFile.create(join(target.folder, contentPath));
  const reads = await openReads(target.folder, target.version);
  const comparison = target.earlier && new VersionChanges(context.db, work, target.earlier.base);
  const sum: Sum = {
    stored: 0,
    excluded: 0,
    bytes: 0,
    verified: { checksum: 0, md5: 0, "md5-parts": 0, length: 0 },
    exclusions: [],
    mediaTypes: new MediaTypes(),
  };
  try {
    for await (const page of everyObject(context.db, work.id, work.attempt)) {
      target.signal.throwIfAborted();
      const paths = await target.placed.match(page);
      await comparison?.note(page);
      for (const object of page) {
        const path = paths.get(object.seq);
        await manifest.write(`${manifestLine(object, path)}\n`);
        await noteReads(reads, object);
        if (object.state === "excluded") exclude(object, sum);
        else await take(object, path, sum, target);
      }
    }
    const written = await manifest.finish();
    await target.inventory.add({ path: MANIFEST, contentPath, sha512: written.sha512 });
    const changes = await comparison?.finish();
    return { ...sum, changes, manifest: written, readsSha512: (await reads.finish()).sha512 };
  } finally {
    await manifest.close();
    await reads.close();
  }
}

async function take(
  object: ObjectRecord,
  contentPath: string | undefined,
  sum: Sum,
  { inventory, crate }: { inventory: InventoryWriter; crate: Crate },
): Promise<void> {
  if (object.state !== "stored" || object.sha512 === null || contentPath === undefined) {
    throw new Problem(
      "verification_failed",
      `The object “${object.key}” is ${object.state}, but must be stored or excluded before packaging`,
    );
  }
  await inventory.add({ path: pathOfObject(object), contentPath, sha512: object.sha512 });
  describeFile(object, object.sha512, crate, sum.mediaTypes);
  sum.stored++;
  sum.bytes += object.bytes;
  const by = object.verifiedBy as keyof VerifiedCounts;
  sum.verified[by] = (sum.verified[by] ?? 0) + 1;
}

/** Adds a stored object to the crate, and its media type to those of the package. */
export function describeFile(object: ObjectRecord, sha512: string, crate: Crate, mediaTypes: MediaTypes): void {
  const { bytes, lastModified } = object;
  const { contentType } = (object.responseMetadata ?? {}) as ResponseMetadata;
  const optional = {
    ...(contentType !== undefined && { contentType }),
    ...(lastModified !== null && { lastModified }),
  };
  crate.add({ path: pathOfObject(object), bytes, sha512, ...optional });
  mediaTypes.add(contentType);
}

function exclude(object: ObjectRecord, sum: Sum): void {
  sum.excluded++;
  if (sum.exclusions.length === MAX_NAMED_OBJECTS) return;
  sum.exclusions.push({
    key: object.key,
    path: pathOfObject(object),
    reason: object.exclusion ?? "",
    code: object.error?.code ?? "",
  });
}

/**
 * One line of the source manifest (docs/package-format.md), without its line feed.
 * @param contentPath of a stored object's bytes, relative to the package
 */
export function manifestLine(object: ObjectRecord, contentPath: string | undefined): string {
  const responseMetadata = (object.responseMetadata ?? {}) as ResponseMetadata;
  const listed = {
    key: object.key,
    bytes: object.bytes,
    etag: object.etag?.replace(/^"|"$/g, "") ?? null,
    lastModified: object.lastModified,
    storageClass: object.storageClass,
    path: pathOfObject(object),
  };
  return JSON.stringify(
    object.state === "excluded"
      ? { ...listed, excluded: { reason: object.exclusion, code: object.error?.code ?? null } }
      : {
          ...listed,
          ...responseMetadata,
          contentPath,
          sha512: object.sha512,
          verifiedBy: object.verifiedBy,
          verifiedWith: object.verifiedWith,
          ...(object.stated !== null && { stated: object.stated }),
          ...(object.etagIsDigest && { etagIsDigest: true }),
          ...(object.verifiedIn !== null && { verifiedIn: object.verifiedIn }),
        },
  );
}
