import { createCipheriv } from "node:crypto";
import { closeSync, futimesSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workload } from "./cases.ts";
import { CHANGED_AT, writeFolderListings, writeListing } from "./listing.ts";

/** Version of the generated data. Increase it with every change, so that older data is generated again. */
const FORMAT = 2;
const POOL_BYTES = 8 * 1024 * 1024;
/** Objects use the pool from varying offsets, which are multiples of this. */
const STEP_BYTES = 4_096;

/** The content of a generated bucket. */
export interface Made {
  objects: number;
  bytes: number;
}

/** Paths in the work folder. */
export const bucketsFolder = (work: string) => join(work, "buckets");
export const listingFolder = (work: string, bucket: string) => join(work, "listings", bucket);
const SHARED_FILES = 1_000;

/** Folder of the files 000 to 999, which buckets with shared files use. */
export const sharedFolder = (bucket: string) => `${bucket}.shared`;

/**
 * Generates the files and the listing of a workload in the work folder, unless they exist. The marker `complete.json`, which
 * is written last, describes the existing data.
 */
export function generate(work: string, workload: Workload): Made {
  const listing = listingFolder(work, workload.bucket);
  const marker = join(listing, "complete.json");
  const found = readMarker(marker);
  if (found !== undefined) return found;
  const buckets = bucketsFolder(work);
  rmSync(listing, { recursive: true, force: true });
  rmSync(join(buckets, workload.bucket), { recursive: true, force: true });
  mkdirSync(buckets, { recursive: true });
  const made = { objects: 0, bytes: 0 };
  for (const { key, bytes } of workload.objects()) {
    if (workload.sharedBytes === undefined) writeObject(join(buckets, workload.bucket, key), bytes, made.objects);
    made.objects++;
    made.bytes += bytes;
  }
  if (workload.sharedBytes !== undefined) {
    for (let number = 0; number < SHARED_FILES; number++) {
      const name = String(number).padStart(3, "0");
      writeObject(join(buckets, sharedFolder(workload.bucket), name), workload.sharedBytes, number);
    }
  } else {
    writeFolderListings(mkdir(listing), workload.bucket, workload.objects());
  }
  writeListing(listing, workload.bucket, workload.objects);
  writeFileSync(marker, JSON.stringify({ format: FORMAT, ...made }));
  return made;
}

function readMarker(marker: string): Made | undefined {
  try {
    const { format, objects, bytes } = JSON.parse(readFileSync(marker, "utf8"));
    return format === FORMAT ? { objects, bytes } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Pseudo-random bytes that cannot be compressed and are the same at every start. */
const pool = createCipheriv("aes-128-ctr", Buffer.alloc(16, "bench"), Buffer.alloc(16)).update(
  Buffer.alloc(POOL_BYTES),
);

/** Writes the content of an object. Objects of 8 bytes or more all differ, because each piece starts with object number and offset. */
function writeObject(path: string, bytes: number, number: number): void {
  mkdir(dirname(path));
  const file = openSync(path, "w");
  try {
    for (let at = 0, pieces = 0; at < bytes; pieces++) {
      const start = ((number * 7 + pieces) * STEP_BYTES) % POOL_BYTES;
      const piece = pool.subarray(start, Math.min(POOL_BYTES, start + bytes - at));
      if (piece.length >= 8) piece.writeDoubleLE(number + at / 2 ** 40);
      writeSync(file, piece);
      at += piece.length;
    }
    futimesSync(file, CHANGED_AT, CHANGED_AT);
  } finally {
    closeSync(file);
  }
}

let lastMade = "";

/** Creates a folder with its parents. Remembers the last one, because successive objects are usually in the same folder. */
function mkdir(folder: string): string {
  if (folder !== lastMade) mkdirSync(folder, { recursive: true });
  lastMade = folder;
  return folder;
}
