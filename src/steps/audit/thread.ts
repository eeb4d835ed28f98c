/** A thread that re-reads archived datasets, so that the thread that answers requests stays free; see auditor.ts. */
import { parentPort } from "node:worker_threads";
import { checkObject } from "../../archive/ocfl/check.ts";
import type { Asked, Looked } from "./auditor.ts";

const port = parentPort;
if (port === null) throw new Error("This module is a thread of its own; it is not run by itself");

port.on("message", async ({ folder, from, bytes }: Asked) => {
  port.postMessage(await look(folder, from, bytes));
});

/** One file at a time: there is no hurry. Whatever keeps a dataset from being read is itself a finding. */
async function look(folder: string, from: number, bytes: number): Promise<Looked> {
  try {
    const { findings, files, bytes: read, next } = await checkObject(folder, { from, bytes, readers: 1 });
    return { faults: findings, files, bytes: read, ...(next !== undefined && { next }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = code === "ENOENT" ? "The dataset's folder is missing" : `It cannot be read: ${code ?? message}`;
    return { faults: [{ code: "E000", path: "", detail }], files: 0, bytes: 0 };
  }
}
