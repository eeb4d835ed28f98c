import { mixedTree } from "./mixed.ts";

/** An object of a generated bucket. */
export interface MadeObject {
  key: string;
  bytes: number;
}

/** A bucket to generate. Its objects are the same at every call, in the order of a listing (keys sorted by bytes). */
export interface Workload {
  /** Name on the command line. */
  name: string;
  title: string;
  bucket: string;
  objects(): Iterable<MadeObject>;
  /** Size of the thousand files that the keys share by their last three digits, so that a million objects need few files. */
  sharedBytes?: number;
  /** How the server deviates from plain HTTP without faults. */
  source?: "tls" | "failing";
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/** Number of objects per folder. */
const FOLDER_OBJECTS = 500;
const SCALE_FOLDER_OBJECTS = 1_000;
const SCALE_BYTES = KIB;

/** The cases of `npm run bench`. Small cases have about 20 objects and take a second. */
export function workloads(shrunk: boolean): Workload[] {
  return [
    equal("small", "100,000 × 4 KiB", { count: shrunk ? 20 : 100_000, bytes: 4 * KIB, shrunk }),
    equal("medium", "10,000 × 100 KiB", { count: shrunk ? 20 : 10_000, bytes: 100 * KIB, shrunk }),
    equal("large", "8 × 256 MiB", { count: 8, bytes: shrunk ? 2 * MIB : 256 * MIB, shrunk }),
    equal("huge", "1 × 4 GiB", { count: 1, bytes: shrunk ? 16 * MIB : 4 * GIB, shrunk }),
    {
      ...equal("tls", "10,000 × 4 KiB, TLS, 20 ms", { count: shrunk ? 20 : 10_000, bytes: 4 * KIB, shrunk }),
      source: "tls",
    },
    {
      ...equal("failing", "20,000 × 4 KiB, 1 % fail", { count: shrunk ? 20 : 20_000, bytes: 4 * KIB, shrunk }),
      source: "failing",
    },
    {
      name: "mixed",
      title: title("mixed tree of 20,000", shrunk),
      bucket: bucketOf("mixed", shrunk),
      objects: () => mixedTree(shrunk ? 20 : 20_000),
    },
  ];
}

/** A bucket for a separate benchmark. */
export function equalObjects(name: string, title: string, count: number, bytes: number): Workload {
  return { name, title, bucket: `bench-${name}-${count}`, objects: () => numbered(count, bytes, FOLDER_OBJECTS) };
}

/** A bucket with this many objects of 1 KiB that share their files. */
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

/** Formats a number with leading zeros, so that keys sort in numeric order. */
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
