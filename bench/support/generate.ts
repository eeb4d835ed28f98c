import { createCipheriv } from "node:crypto";
import { closeSync, futimesSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workload } from "./cases.ts";
import { CHANGED_AT, writeFolderListings, writeListing } from "./listing.ts";

/** To be raised with every change of what is made, so that older data is made again. */
const FORMAT = 2;
const POOL_BYTES = 8 * 1024 * 1024;
/** The pool is used from varied places, at multiples of this. */
const STEP_BYTES = 4_096;

/** What a bucket holds, once it is made. */
export interface Made {
  objects: number;
  bytes: number;
}

/** Where the parts of the work folder lie. */
export const bucketsFolder = (work: string) => join(work, "buckets");
export const listingFolder = (work: string, bucket: string) => join(work, "listings", bucket);
const SHARED_FILES = 1_000;

/** The files, 000 to 999, with which a bucket without files of its own answers. */
export const sharedFolder = (bucket: string) => `${bucket}.shared`;

/**
 * Makes a workload's files and listing in the work folder, or finds them there: the marker `complete.json` is written
 * last and says what is there.
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

/** Pseudo-random bytes that no compression makes smaller; the same at every start. */
const pool = createCipheriv("aes-128-ctr", Buffer.alloc(16, "bench"), Buffer.alloc(16)).update(
  Buffer.alloc(POOL_BYTES),
);

/** Objects of 8 bytes and more all differ: number of object and place stand at the start of each piece. */
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

/** Makes a folder with its parents; one after the other mostly the same one. */
function mkdir(folder: string): string {
  if (folder !== lastMade) mkdirSync(folder, { recursive: true });
  lastMade = folder;
  return folder;
}
