import { join } from "node:path";
import type { Crate } from "../../archive/metadata/ro-crate.ts";
import { HashedFile } from "../../archive/ocfl/hashed-file.ts";
import type { InventoryWriter } from "../../archive/ocfl/inventory.ts";
import type { Exclusion, VerifiedCounts } from "../../archive/receipt.ts";
import { NAMED } from "../../archive/receipt.ts";
import { everyObject } from "../../db/chunks.ts";
import { contentPathOf, type ObjectRecord, pathOfObject } from "../../db/objects.ts";
import type { Came } from "../../source/read.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";
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
  manifestSha512: string;
  readsSha512: string;
}

type Sum = Omit<Contents, "manifestSha512" | "readsSha512">;

interface Target {
  folder: string;
  inventory: InventoryWriter;
  crate: Crate;
  placed: PlacedFiles;
  signal: AbortSignal;
}

/**
 * Goes once through the frozen listing, in its order, and writes of every object what manifest, inventory, RO-Crate and
 * logs say of it, with a look at each object's file. Nothing is kept in memory but counts.
 */
export async function writeContents(context: StepContext, work: Work, target: Target): Promise<Contents> {
  const file = join(target.folder, "v1/content", MANIFEST);
  const manifest = await HashedFile.create(file);
  const reads = await openReads(target.folder);
  const sum: Sum = {
    stored: 0,
    excluded: 0,
    bytes: 0,
    verified: { checksum: 0, md5: 0, "md5-parts": 0, length: 0 },
    exclusions: [],
  };
  try {
    for await (const page of everyObject(context.db, work.id, work.attempt)) {
      target.signal.throwIfAborted();
      await target.placed.match(page);
      for (const object of page) {
        await manifest.write(`${manifestLine(object)}\n`);
        await noteReads(reads, object);
        if (object.state === "excluded") exclude(object, sum);
        else await take(object, sum, target);
      }
    }
    const { sha512 } = await manifest.finish();
    await target.inventory.add({ path: MANIFEST, contentPath: `v1/content/${MANIFEST}`, sha512 });
    return { ...sum, manifestSha512: sha512, readsSha512: (await reads.finish()).sha512 };
  } finally {
    await manifest.close();
    await reads.close();
  }
}

async function take(
  object: ObjectRecord,
  sum: Sum,
  { inventory, crate }: { inventory: InventoryWriter; crate: Crate },
): Promise<void> {
  if (object.state !== "stored" || object.sha512 === null) {
    throw new Problem("verification_failed", `“${object.key}” is ${object.state}, but everything should be stored`);
  }
  const path = pathOfObject(object);
  const { contentType } = (object.came ?? {}) as Came;
  await inventory.add({ path, contentPath: contentPathOf(object), sha512: object.sha512 });
  crate.add({
    path,
    bytes: object.bytes,
    sha512: object.sha512,
    ...(contentType !== undefined && { contentType }),
    ...(object.lastModified !== null && { lastModified: object.lastModified }),
  });
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
