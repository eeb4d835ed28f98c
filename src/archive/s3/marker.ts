import type { Bucket } from "./bucket.ts";
import { markerPath } from "./layout.ts";

/** What a submission's marker says. */
export interface Marker {
  dataset: string;
  /** Absent in markers of before there were later versions than the first. */
  version?: number;
  attempt: number;
  /** Milliseconds of the epoch at which it was discarded; absent while it is of use. */
  discarded?: number;
}

export async function readMarker(bucket: Bucket, submissionId: string): Promise<Marker | undefined> {
  const text = await bucket.text(markerPath(submissionId));
  return text === undefined ? undefined : (JSON.parse(text) as Marker);
}

export async function writeMarker(bucket: Bucket, submissionId: string, marker: Marker): Promise<void> {
  await bucket.put(markerPath(submissionId), JSON.stringify(marker));
}
