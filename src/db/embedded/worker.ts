/**
 * The thread on which the embedded database runs, so that no query stalls the thread that answers requests.
 * Speaks {@link Call} and {@link Answer} over its port; one call at a time, in order.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { openCluster } from "./cluster.ts";

export interface Call {
  id: number;
  sql: string;
  /** Absent for statements without parameters, of which there may then be several. */
  parameters?: readonly unknown[];
}

export interface Answer {
  id: number;
  rows?: Record<string, unknown>[];
  rowCount?: number | null;
  command?: string;
  error?: { message: string; code?: string; detail?: string; constraint?: string };
}

/** The last that is heard of a thread whose database broke down. */
export interface Breakdown {
  broken: string;
}

async function run(db: PGlite, call: Call): Promise<Answer> {
  try {
    if (call.parameters !== undefined) {
      const { rows, rowCount, command } = (await db.query(call.sql, [...call.parameters])) as unknown as Answer;
      return { id: call.id, rows: rows ?? [], rowCount: rowCount ?? null, command: command ?? "" };
    }
    const results = (await db.exec(call.sql)) as unknown as Answer[];
    const last = results.at(-1);
    return {
      id: call.id,
      // A RETURNING in the middle of a block must not be lost behind a trailing COMMIT.
      rows: results.flatMap((result) => result.rows ?? []),
      rowCount: last?.rowCount ?? null,
      command: last?.command ?? "",
    };
  } catch (error) {
    const { message, code, detail, constraint } = error as NonNullable<Answer["error"]>;
    return {
      id: call.id,
      error: { message, ...(code && { code }), ...(detail && { detail }), ...(constraint && { constraint }) },
    };
  }
}

const port = parentPort;
if (port === null) throw new Error("This module is the embedded database's thread; it is not run by itself");
const db = await openCluster((workerData as { folder: string }).folder, (cause) => {
  port.postMessage({ broken: cause });
  // Ends this thread, in the middle of whatever it does.
  process.exit(1);
});

let queue = Promise.resolve();
port.on("message", (call: Call | "close") => {
  queue = queue.then(async () => {
    if (call === "close") {
      await db.close();
      port.postMessage("closed");
      port.close();
      return;
    }
    port.postMessage(await run(db, call));
  });
});
port.postMessage("ready");
