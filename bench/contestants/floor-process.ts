import { Pool } from "undici";
import { encodeKey, sign } from "../../src/source/s3/transport/signer.ts";
import { type MadeObject, workloads } from "../support/cases.ts";
import { etagOf } from "../support/listing.ts";
import { KEYS } from "../support/source.ts";

const CONNECTIONS = 32;
const KIB_PER_MIB = 1024;

const { endpoint, bucket } = JSON.parse(process.argv[2] ?? "{}") as { endpoint: string; bucket: string };
const workload = [...workloads(false), ...workloads(true)].find((one) => one.bucket === bucket);
const objects = [...(workload?.objects() ?? [])];
const { host } = new URL(endpoint);
const pool = new Pool(endpoint, { connections: CONNECTIONS, pipelining: 1 });
let next = 0;
let read = 0;

/** Sends a GET request like Accession and discards the body. */
function get({ key, bytes }: MadeObject): Promise<void> {
  const path = `/${bucket}/${encodeKey(key)}`;
  const conditions = { "x-amz-checksum-mode": "ENABLED", "if-match": etagOf(bytes) };
  const request = { method: "GET" as const, path, query: [], headers: conditions, region: "us-east-1" };
  const headers = { ...sign({ ...request, host, at: new Date() }, KEYS), "accept-encoding": "identity" };
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { method: "GET", path, headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          if (status !== 200) reject(new Error(`${path} answered ${status}`));
        },
        onResponseData(_controller, chunk) {
          read += chunk.length;
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

async function work(): Promise<void> {
  for (let object = objects[next++]; object !== undefined; object = objects[next++]) await get(object);
}

const cpuBefore = process.cpuUsage();
const since = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, work));
const seconds = (performance.now() - since) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const peakMib = process.resourceUsage().maxRSS / KIB_PER_MIB;
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMib, read }));
await pool.close();
