/**
 * Measures response times of ordinary requests while slow clients hold connections open.
 *
 *     npm run bench:slow -- --clients 2000 --seconds 40
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureWithSlowClients } from "../tests/support/network/slow-clients.ts";
import { ServiceProcess } from "./support/service.ts";

/** Target of the service; see bench/README.md. */
const MOST_P99_MS = 200;

const { values } = parseArgs({
  options: { clients: { type: "string", default: "2000" }, seconds: { type: "string", default: "40" } },
});
const folder = mkdtempSync(join(tmpdir(), "accession-slow-"));
const service = await ServiceProcess.start(folder);
try {
  const met = await measureWithSlowClients(service.url, {
    clients: Number(values.clients),
    milliseconds: Number(values.seconds) * 1_000,
  });
  const { requests, failed, p50, p99, max, held, disconnected } = met;
  console.log(
    `slow clients    ${held.median} open (minimum ${held.least}), ${disconnected} disconnected and reconnected`,
  );
  console.log(`requests        ${requests}, ${failed} failed`);
  console.log(`milliseconds    p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)}`);
  console.log(`p99 < ${MOST_P99_MS} ms    ${p99 < MOST_P99_MS && failed === 0 ? "met" : "NOT MET"}`);
  if (p99 >= MOST_P99_MS || failed > 0) process.exitCode = 1;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
