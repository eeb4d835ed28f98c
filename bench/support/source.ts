import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Workload } from "./cases.ts";
import { bucketsFolder, generate, type Made } from "./generate.ts";
import { type StaticServer, startNginx } from "./nginx.ts";

/** A workload that is served over HTTP. */
export interface Bucket extends Made {
  workload: Workload;
  endpoint: string;
  bucket: string;
}

/** Credentials of all contestants. The server does not check signatures. */
export const KEYS = { accessKey: "BENCHMARKACCESSKEY", secretKey: "benchmark/secret+key" };

/** Generates missing data and serves it. The data remains in the work folder for later runs. */
export async function openSource(
  work: string,
  workloads: readonly Workload[],
): Promise<{ server: StaticServer; buckets: Bucket[] }> {
  const made = workloads.map((workload) => {
    process.stderr.write(`Data of ${workload.bucket}: ${workload.title}\n`);
    return { workload, bucket: workload.bucket, ...generate(work, workload) };
  });
  const server = await startNginx(work, workloads);
  return { server, buckets: made.map((one) => ({ ...one, endpoint: server.endpoint })) };
}

/** Reads every file of a bucket once, so that all contestants read from the file cache. */
export function warm(work: string, { workload, bucket }: Bucket): void {
  if (workload.sharedBytes !== undefined) return;
  const folder = join(bucketsFolder(work), bucket);
  execFileSync("bash", ["-c", 'find "$1" -type f -print0 | xargs -0 -n 512 cat > /dev/null', "bash", folder]);
}
