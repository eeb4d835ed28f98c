/**
 * The service in a separate process, on the settings of its environment. Says its address, and for every line on its
 * standard input writes the heaps of all its threads into the folder that the line names.
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
    // What the database's thread holds it also writes, which tests/security/canary.test.ts reads.
    if (!String(args[0]).includes("embedded")) threads.add(this);
    this.once("exit", () => threads.delete(this));
  }
};
syncBuiltinESMExports();

const { readConfig } = await import("../../../src/config/config.ts");
const { startService } = await import("../../../src/main/start.ts");
const service = await startService(readConfig(process.env));
console.log(service.url);

for await (const folder of createInterface({ input: process.stdin })) {
  const heaps = [getHeapSnapshot(), ...(await Promise.all([...threads].map((thread) => thread.getHeapSnapshot())))];
  for (const [index, heap] of heaps.entries()) await pipeline(heap, createWriteStream(join(folder, `${index}.heap`)));
  console.log(heaps.length);
}
await service.stop();
