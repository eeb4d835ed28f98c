import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Workload } from "./cases.ts";
import { start, stop } from "./children.ts";
import { bucketsFolder, generate, type Made } from "./generate.ts";
import { type StaticServer, startNginx } from "./nginx.ts";

/** A workload that is served over HTTP. */
export interface Bucket extends Made {
  workload: Workload;
  endpoint: string;
  bucket: string;
  /** PEM file of the endpoint's certificate. */
  caFile?: string;
}

/** Delay of every byte of a response in the case with TLS. */
const TLS_DELAY_MS = 20;
const delayProxy = join(import.meta.dirname, "delay-proxy.ts");

/** Starts a proxy in front of an endpoint that delays every byte of the responses. */
export async function startDelayProxy(
  endpoint: string,
  delayMs: number,
): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const { protocol, port } = new URL(endpoint);
  const proxy = start(process.execPath, [delayProxy, port, String(delayMs)], { stdio: ["ignore", "pipe", "inherit"] });
  const [output] = proxy.stdout === null ? [""] : await once(proxy.stdout, "data");
  return { endpoint: `${protocol}//127.0.0.1:${String(output).trim()}`, stop: () => stop(proxy) };
}

/** Credentials of all contestants. The server does not check signatures. */
export const KEYS = { accessKey: "BENCHMARKACCESSKEY", secretKey: "benchmark/secret+key" };

/** Generates missing data and serves it. The data remains in the work folder for later runs. */
export async function openSource(
  work: string,
  workloads: readonly Workload[],
): Promise<{ server: Pick<StaticServer, "stop">; buckets: Bucket[] }> {
  const made = workloads.map((workload) => {
    process.stderr.write(`Data of ${workload.bucket}: ${workload.title}\n`);
    return { workload, bucket: workload.bucket, ...generate(work, workload) };
  });
  const nginx = await startNginx(work, workloads);
  const tls = workloads.some(({ source }) => source === "tls")
    ? await startDelayProxy(nginx.tls.endpoint, TLS_DELAY_MS)
    : undefined;
  const endpointOf = ({ source }: Workload) => {
    if (source === "failing") return nginx.failing;
    return source === "tls" && tls !== undefined
      ? { endpoint: tls.endpoint, caFile: nginx.tls.caFile }
      : { endpoint: nginx.endpoint };
  };
  const stop = async () => {
    await tls?.stop();
    await nginx.stop();
  };
  return { server: { stop }, buckets: made.map((one) => ({ ...one, ...endpointOf(one.workload) })) };
}

/** Reads every file of a bucket once, so that all contestants read from the file cache. */
export function warm(work: string, { workload, bucket }: Bucket): void {
  if (workload.sharedBytes !== undefined) return;
  const folder = join(bucketsFolder(work), bucket);
  execFileSync("bash", ["-c", 'find "$1" -type f -print0 | xargs -0 -n 512 cat > /dev/null', "bash", folder]);
}
