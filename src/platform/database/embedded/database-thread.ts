/**
 * The thread on which the embedded database runs, so that no query stalls the thread that answers requests. Queries run
 * one at a time, in order; see embedded-thread.ts.
 */
import { workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { serveCalls } from "../../threads/serve-calls.ts";
import { CHANNELS } from "../notifications.ts";
import { type Broken, openCluster } from "./cluster.ts";

/**
 * SQLSTATEs of failed operating system calls: files (class 58), descriptors and memory (53000, 53200). Afterwards, PGlite’s
 * file system may have wrong information about a file until it is opened again. A full disk (53100) is an ordinary error.
 */
const SYSTEM_ERRORS = /^58|^53[02]00$/;

export interface Query {
  sql: string;
  /** If empty, `sql` may contain several statements. */
  parameters: readonly unknown[];
}

export interface Answer {
  rows?: Record<string, unknown>[];
  rowCount?: number | null;
  command?: string;
  error?: { message: string; code?: string; detail?: string; constraint?: string };
}

/** A NOTIFY of PostgreSQL. */
export interface Notification {
  channel: string;
  text: string;
}

export interface DatabaseMessages {
  /** `open` is answered once the database is open. */
  request: Query | "open";
  result: Answer;
  toCall: never;
  fromCall: never;
  toThread: never;
  /** The last message of a thread whose database failed states the cause. */
  fromThread: Notification | { broken: string };
}

async function run(db: PGlite, { sql, parameters }: Query): Promise<Answer> {
  try {
    if (parameters.length > 0) {
      const { rows, rowCount, command } = (await db.query(sql, [...parameters])) as unknown as Answer;
      return { rows: rows ?? [], rowCount: rowCount ?? null, command: command ?? "" };
    }
    const results = (await db.exec(sql)) as unknown as Answer[];
    const last = results.at(-1);
    return {
      // All results count, because a RETURNING in the middle of a block can be followed by COMMIT.
      rows: results.flatMap((result) => result.rows ?? []),
      rowCount: last?.rowCount ?? null,
      command: last?.command ?? "",
    };
  } catch (error) {
    const { message, code, detail, constraint } = error as NonNullable<Answer["error"]>;
    return { error: { message, ...(code && { code }), ...(detail && { detail }), ...(constraint && { constraint }) } };
  }
}

const opening = Promise.withResolvers<PGlite>();
/** The end of the last query, or of opening. */
let queue: Promise<unknown> = opening.promise;

const notify = serveCalls<DatabaseMessages>({
  call: (request) => {
    const answer: Promise<Answer> = queue.then(async () =>
      request === "open" ? {} : run(await opening.promise, request),
    );
    queue = answer.then(({ error }) => {
      if (!SYSTEM_ERRORS.test(error?.code ?? "")) return;
      // No other query runs, and the answer is sent before the thread ends.
      return new Promise(() => setImmediate(() => broken(`a call of the operating system failed (${error?.code})`)));
    });
    return answer;
  },
  close: async () => {
    await queue;
    await (await opening.promise).close();
  },
});

const broken: Broken = (cause) => {
  notify({ broken: cause });
  // Ends this thread immediately.
  process.exit(1);
};
const db = await openCluster((workerData as { folder: string }).folder, broken);
db.onNotification((channel, text) => notify({ channel, text }));
for (const channel of Object.values(CHANNELS)) await db.exec(`listen ${channel}`);
opening.resolve(db);
