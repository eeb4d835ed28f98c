/**
 * Runs the service in a separate process, with settings from the environment. Prints its address. For every line on
 * standard input, writes heap snapshots of all its threads into the folder that the line names.
 */
import { createWriteStream } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { getHeapSnapshot } from "node:v8";

// Threads are not listed by Node.js, so they are recorded here when they are created.
const module = createRequire(import.meta.url)("node:worker_threads") as typeof import("node:worker_threads");
const threads = new Set<InstanceType<typeof module.Worker>>();
module.Worker = class extends module.Worker {
  constructor(...args: ConstructorParameters<typeof module.Worker>) {
    super(...args);
    // The heap of the database's thread is omitted: tests/security/canary.test.ts searches the database's files instead.
    if (!String(args[0]).includes("embedded")) threads.add(this);
    this.once("exit", () => threads.delete(this));
  }
};
syncBuiltinESMExports();

const { readConfig } = await import("../../../src/platform/config/config.ts");
const { startService } = await import("../../../src/main/start.ts");
const service = await startService(readConfig(process.env));
console.log(service.url);

for await (const folder of createInterface({ input: process.stdin })) {
  const heaps = [getHeapSnapshot(), ...(await Promise.all([...threads].map((thread) => thread.getHeapSnapshot())))];
  for (const [index, heap] of heaps.entries()) await pipeline(heap, createWriteStream(join(folder, `${index}.heap`)));
  console.log(heaps.length);
}
await service.stop();
