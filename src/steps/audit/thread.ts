/** A thread that re-reads archived datasets, so that the thread that answers requests stays free; see auditor.ts. */
import { parentPort } from "node:worker_threads";
import { examine } from "../../archive/store.ts";
import type { Answer, Asked } from "./auditor.ts";

const port = parentPort;
if (port === null) throw new Error("This module is a thread of its own; it is not run by itself");

async function look({ place, from, bytes: most, issued }: Asked): Promise<Answer> {
  try {
    // One file at a time: there is no hurry.
    const { findings, files, bytes, next } = await examine(place, {
      from,
      bytes: most,
      readers: 1,
      receipts: { issued },
    });
    return { faults: findings, files, bytes, ...(next !== undefined && { next }) };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

port.on("message", async (asked: Asked) => port.postMessage(await look(asked)));
