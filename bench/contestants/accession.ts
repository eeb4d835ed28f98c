import type { Submission } from "../../tests/support/api/api.ts";
import { cpuByThread, cpuOf, type Measured, memoryOf, resetPeak, type ThreadSeconds } from "../support/measure.ts";
import { ServiceProcess } from "../support/service.ts";
import type { Bucket } from "../support/source.ts";

/** A run of the service, with its memory before the run. */
export interface Ingest extends Measured {
  residentBeforeMib: number;
  threads: ThreadSeconds;
}

/**
 * Measures the ingest of a bucket by a new service, from the POST request to `completed`. Its start is not measured.
 * @param checkout folder of another built checkout whose service is measured
 */
export async function runAccession(bucket: Bucket, target: string, checkout?: string): Promise<Ingest> {
  const service = await ServiceProcess.start(target, { caFile: bucket.caFile, checkout });
  try {
    const { ingest } = await measureIngest(service, bucket);
    return ingest;
  } finally {
    await service.stop();
  }
}

/** @throws Error if the submission does not complete, or the counts differ from the generated bucket */
export async function measureIngest(
  service: ServiceProcess,
  bucket: Bucket,
): Promise<{ ingest: Ingest; submission: Submission }> {
  resetPeak(service.pid);
  const { residentMib } = memoryOf(service.pid);
  const cpuBefore = cpuOf(service.pid);
  const threadsBefore = cpuByThread(service.pid);
  const since = performance.now();
  const { id } = await service.submit(bucket);
  const submission = await service.completed(id);
  const seconds = (performance.now() - since) / 1000;
  const cpuSeconds = cpuOf(service.pid) - cpuBefore;
  const threads = Object.entries(cpuByThread(service.pid)).map(([name, cpu]) => [
    name,
    cpu - (threadsBefore[name] ?? 0),
  ]);
  const { peakMib } = memoryOf(service.pid);
  const { objectsStored, bytesStored } = submission.progress;
  if (objectsStored !== bucket.objects || bytesStored !== bucket.bytes) {
    throw new Error(
      `Accession stored ${objectsStored} objects of ${bytesStored} bytes instead of ${bucket.objects} of ${bucket.bytes}`,
    );
  }
  const ingest = { seconds, cpuSeconds, peakMib, residentBeforeMib: residentMib, threads: Object.fromEntries(threads) };
  return { ingest, submission };
}
