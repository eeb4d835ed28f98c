import type { ObjectRecord } from "./objects.ts";

/** How many objects of a chunk are of note, by the columns that say so. */
export interface Tally {
  listed: number;
  failed: number;
  excluded: number;
  suspect: number;
  odd: number;
}

export function countObjects(objects: readonly ObjectRecord[]): Tally {
  const tally: Tally = { listed: 0, failed: 0, excluded: 0, suspect: 0, odd: 0 };
  for (const object of objects) countObject(tally, object, 1);
  return tally;
}

/** Takes an object into the count, or out of it. */
export function countObject(tally: Tally, object: ObjectRecord, by: 1 | -1): void {
  if (object.state !== "stored") tally[object.state] += by;
  if (object.suspect) tally.suspect += by;
  if (object.odd) tally.odd += by;
}
