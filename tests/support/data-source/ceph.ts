import { execFile, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePorts } from "../network/ports.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("./ceph-rgw.sh", import.meta.url));

/**
 * A running radosgw. Its release of 2021 does not support the checksums in trailers that the AWS SDK sends by default:
 * set `requestChecksumCalculation: "WHEN_REQUIRED"` in clients that write.
 */
export interface Ceph {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  /** An account without rights on the other's buckets. */
  stranger: { accessKey: string; secretKey: string };
  /** Resolves when every daemon has ended and every file is removed. */
  stop(): Promise<void>;
}

/** Starts Ceph on free ports with a new folder, as root. Takes about 20 s. Ceph also ends when this process ends. */
export async function startCeph(): Promise<Ceph> {
  // Tries twice, because another test may use its ports in the meantime.
  return startOnce().catch(startOnce);
}

async function startOnce(): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), "accession-ceph-"));
  const [port, monitorPort] = await freePorts(2);
  const endGuard = guard(folder);
  await run(script, ["start", folder, String(port), String(monitorPort)]);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKey: "AKACCESSION",
    secretKey: "secret-of-accession",
    stranger: { accessKey: "AKSTRANGER", secretKey: "secret-of-stranger" },
    stop: async () => {
      await run(script, ["stop", folder]);
      endGuard();
    },
  };
}

/** Starts a separate process that ends the daemons when this one has ended, because a killed process runs no exit handler. */
function guard(folder: string): () => void {
  const keeper = spawn(script, ["guard", folder, String(process.pid)], { detached: true, stdio: "ignore" });
  keeper.unref();
  return () => {
    // Ends the whole process group: the guard waits for a child process `sleep`.
    if (keeper.pid !== undefined && keeper.exitCode === null) process.kill(-keeper.pid);
  };
}
