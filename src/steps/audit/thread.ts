/** A thread that re-reads archived datasets, so that the thread that answers requests stays free; see auditor.ts. */
import { parentPort } from "node:worker_threads";
import { examineObject } from "../../archive/ocfl/examine.ts";
import type { Asked, Looked } from "./auditor.ts";

const port = parentPort;
if (port === null) throw new Error("This module is a thread of its own; it is not run by itself");

port.on("message", async ({ folder, from, bytes: most }: Asked) => {
  // One file at a time: there is no hurry.
  const { findings, files, bytes, next } = await examineObject(folder, { from, bytes: most, readers: 1 });
  port.postMessage({ faults: findings, files, bytes, ...(next !== undefined && { next }) } satisfies Looked);
});
