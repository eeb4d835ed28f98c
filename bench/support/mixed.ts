import type { MadeObject } from "./cases.ts";

const SEED = 7;
/** Seed of the log-normal sizes. With it, 20,000 objects have 2.8 GiB, and the largest has 347 MiB. */
const MEDIAN_BYTES = 4_000;
const SIGMA = 2.7;
const MOST_BYTES = 512 * 1024 * 1024;
/** Creates folders for this many objects, with varying depth and number of files. */
const OBJECTS_A_FOLDER = 60;
const MOST_DEPTH = 6;

const WORDS = ["barley", "wheat", "maize", "field", "greenhouse", "images", "raw", "season", "block", "genotype"];
/** Returns a file extension for a size: text formats for small files, images and archives for large ones. */
const ENDINGS: readonly [bytes: number, ending: string][] = [
  [20_000, "csv"],
  [2_000_000, "jpg"],
  [50_000_000, "tif"],
  [Number.POSITIVE_INFINITY, "tar"],
];

/** A realistic tree: log-normal sizes, and folders of varying depth and number of files. It is the same at every call. */
export function mixedTree(count: number): MadeObject[] {
  const random = generator(SEED);
  const folders = someFolders(Math.max(4, Math.round(count / OBJECTS_A_FOLDER)), random);
  const objects = Array.from({ length: count }, (_, index) => {
    const bytes = Math.min(MOST_BYTES, Math.round(MEDIAN_BYTES * Math.exp(SIGMA * normal(random))));
    // The square favours the first folders, so that a few have many files and most have few.
    const folder = folders[Math.floor(random() ** 2 * folders.length)] ?? "";
    const ending = ENDINGS.find(([limit]) => bytes < limit)?.[1];
    return { key: `${folder}${String(index).padStart(5, "0")}.${ending}`, bytes };
  });
  return objects.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Paths of folders with a trailing slash. Each is in the root or in an earlier folder. */
function someFolders(count: number, random: () => number): string[] {
  const folders: string[] = [];
  for (let index = 0; index < count; index++) {
    const parent = random() < 0.1 ? "" : (folders[Math.floor(random() * folders.length)] ?? "");
    const isDeep = parent.split("/").length > MOST_DEPTH;
    const word = WORDS[Math.floor(random() * WORDS.length)];
    folders.push(`${isDeep ? "" : parent}${word}-${String(index).padStart(3, "0")}/`);
  }
  return folders;
}

/** Normally distributed, mean 0 and deviation 1 (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Pseudo-random numbers from 0 to 1: mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
