/**
 * The thread on which the embedded database runs, so that no query stalls the thread that answers requests.
 * Speaks {@link Call} and {@link Answer} over its port; one call at a time, in order.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { CHANNELS } from "../notifications/notifications.ts";
import { type Broken, openCluster } from "./cluster.ts";

/**
 * SQLSTATEs of what the operating system refused: files (class 58), descriptors and memory (53000, 53200). PGlite’s
 * file system may then believe of a file what is not so, for ever; opened anew it looks again. A full disk (53100) is
 * an ordinary error.
 */
const SYSTEM_ERRORS = /^58|^53[02]00$/;

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

/** What was told with NOTIFY. */
export interface Notification {
  channel: string;
  text: string;
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
const broken: Broken = (cause) => {
  port.postMessage({ broken: cause });
  // Ends this thread, in the middle of whatever it does.
  process.exit(1);
};
const db = await openCluster((workerData as { folder: string }).folder, broken);

db.onNotification((channel, text) => port.postMessage({ channel, text } satisfies Notification));
for (const channel of Object.values(CHANNELS)) await db.exec(`listen ${channel}`);

let queue = Promise.resolve();
port.on("message", (call: Call | "close") => {
  queue = queue.then(async () => {
    if (call === "close") {
      await db.close();
      port.postMessage("closed");
      port.close();
      return;
    }
    const answer = await run(db, call);
    port.postMessage(answer);
    if (SYSTEM_ERRORS.test(answer.error?.code ?? "")) broken(`the system failed it (${answer.error?.code})`);
  });
});
port.postMessage("ready");
