import { join } from "node:path";
import type { Crate } from "../../archive/metadata/ro-crate.ts";
import { HashedFile, type Written } from "../../archive/ocfl/hashed-file.ts";
import type { InventoryWriter } from "../../archive/ocfl/inventory.ts";
import { type Changes, type Exclusion, NAMED, type VerifiedCounts } from "../../archive/receipt.ts";
import { contentOf } from "../../archive/versions.ts";
import { everyObject } from "../../db/chunks.ts";
import { type ObjectRecord, pathOfObject } from "../../db/objects.ts";
import type { Came } from "../../source/read.ts";
import { MediaTypes } from "../../submission/metadata/media-types.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";
import { Comparison } from "./changes.ts";
import type { Earlier } from "./earlier.ts";
import { MANIFEST, manifestLine } from "./manifest.ts";
import type { PlacedFiles } from "./placed.ts";
import { noteReads, openReads } from "./reads.ts";

/** What went into a package, added up object by object. */
export interface Contents {
  stored: number;
  excluded: number;
  bytes: number;
  verified: VerifiedCounts;
  exclusions: Exclusion[];
  /** Undefined for a first version. */
  changes: Changes | undefined;
  manifest: Written;
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
  earlier: Earlier | undefined;
  signal: AbortSignal;
}

/**
 * Goes once through the frozen listing, in its order, and writes of every object what manifest, inventory, RO-Crate and
 * logs say of it, with a look at each object's file. Nothing is kept in memory but counts.
 */
export async function writeContents(context: StepContext, work: Work, target: Target): Promise<Contents> {
  const contentPath = `${contentOf(target.version)}/${MANIFEST}`;
  const manifest = await HashedFile.create(join(target.folder, contentPath));
  const reads = await openReads(target.folder, target.version);
  const comparison = target.earlier && new Comparison(context.db, work, target.earlier.base);
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
    throw new Problem("verification_failed", `“${object.key}” is ${object.state}, but everything should be stored`);
  }
  const path = pathOfObject(object);
  const { contentType } = (object.came ?? {}) as Came;
  await inventory.add({ path, contentPath, sha512: object.sha512 });
  crate.add({
    path,
    bytes: object.bytes,
    sha512: object.sha512,
    ...(contentType !== undefined && { contentType }),
    ...(object.lastModified !== null && { lastModified: object.lastModified }),
  });
  sum.mediaTypes.add(contentType);
  sum.stored++;
  sum.bytes += object.bytes;
  sum.verified[object.verifiedBy as keyof VerifiedCounts]++;
}

function exclude(object: ObjectRecord, sum: Sum): void {
  sum.excluded++;
  if (sum.exclusions.length === NAMED) return;
  sum.exclusions.push({
    key: object.key,
    path: pathOfObject(object),
    reason: object.exclusion ?? "",
    code: object.error?.code ?? "",
  });
}
