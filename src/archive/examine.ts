import type { Checked, CheckOptions } from "./ocfl/check.ts";
import { examineObject } from "./ocfl/examine.ts";
import type { S3ObjectPlace } from "./s3/examine.ts";

/** Where a dataset lies: plain data, so that it can go to the thread that looks at it. */
export type ObjectPlace = { kind: "folder"; folder: string } | S3ObjectPlace;

/**
 * Checks a dataset wherever it lies. What keeps it from being read is a finding too, but not that an object store does
 * not answer.
 *
 * @throws Problem or Error when the object store cannot be reached
 */
export async function examine(place: ObjectPlace, options: CheckOptions): Promise<Checked> {
  if (place.kind === "folder") return examineObject(place.folder, options);
  return (await import("./s3/examine.ts")).examineS3Object(place, options);
}
