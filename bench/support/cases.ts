import { mixedTree } from "./mixed.ts";

/** An object of a bucket that is made for a benchmark. */
export interface MadeObject {
  key: string;
  bytes: number;
}

/** A bucket to be made: the same objects at every call, in the order of a listing (keys by their bytes). */
export interface Workload {
  /** As the command line names it. */
  name: string;
  title: string;
  bucket: string;
  objects(): Iterable<MadeObject>;
  /** Keys share a thousand files of so many bytes, by their last three digits: a million objects need no million files. */
  sharedBytes?: number;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/** Objects that a folder holds before the next one begins. */
const FOLDER_OBJECTS = 500;
const SCALE_FOLDER_OBJECTS = 1_000;
const SCALE_BYTES = KIB;

/** The cases of `npm run bench`. Shrunk, each has about 20 objects and takes a second. */
export function workloads(shrunk: boolean): Workload[] {
  return [
    equal("small", "100,000 × 4 KiB", { count: shrunk ? 20 : 100_000, bytes: 4 * KIB, shrunk }),
    equal("medium", "10,000 × 100 KiB", { count: shrunk ? 20 : 10_000, bytes: 100 * KIB, shrunk }),
    equal("large", "8 × 256 MiB", { count: 8, bytes: shrunk ? 2 * MIB : 256 * MIB, shrunk }),
    equal("huge", "1 × 4 GiB", { count: 1, bytes: shrunk ? 16 * MIB : 4 * GIB, shrunk }),
    {
      name: "mixed",
      title: title("mixed tree of 20,000", shrunk),
      bucket: bucketOf("mixed", shrunk),
      objects: () => mixedTree(shrunk ? 20 : 20_000),
    },
  ];
}

/** A bucket for a benchmark of its own, beside the cases. */
export function equalObjects(name: string, title: string, count: number, bytes: number): Workload {
  return { name, title, bucket: `bench-${name}-${count}`, objects: () => numbered(count, bytes, FOLDER_OBJECTS) };
}

/** A listing of so many objects of 1 KiB, without a file for each of them. */
export function listingOnly(count: number): Workload {
  return {
    name: String(count),
    title: `${count.toLocaleString("en-US")} × 1 KiB`,
    bucket: `bench-shared-${count}`,
    objects: () => numbered(count, SCALE_BYTES, SCALE_FOLDER_OBJECTS),
    sharedBytes: SCALE_BYTES,
  };
}

function equal(name: string, said: string, made: { count: number; bytes: number; shrunk: boolean }): Workload {
  const { count, bytes, shrunk } = made;
  const objects = () => numbered(count, bytes, FOLDER_OBJECTS);
  return { name, title: title(said, shrunk), bucket: bucketOf(name, shrunk), objects };
}

/** Numbers have leading zeros, so that their order is that of the keys. */
function* numbered(count: number, bytes: number, perFolder: number): Generator<MadeObject> {
  for (let index = 0; index < count; index++) {
    const folder = String(Math.floor(index / perFolder)).padStart(4, "0");
    yield { key: `plot-${folder}/sample-${String(index).padStart(7, "0")}.csv`, bytes };
  }
}

function title(said: string, shrunk: boolean): string {
  return shrunk ? `${said}, shrunk` : said;
}

function bucketOf(name: string, shrunk: boolean): string {
  return shrunk ? `bench-${name}-smoke` : `bench-${name}`;
}
