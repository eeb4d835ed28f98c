/**
 * The thread on which the embedded database runs, so that no query stalls the thread that answers requests.
 * Speaks {@link Call} and {@link Answer} over its port; one call at a time, in order.
 */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

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

/** The part of Emscripten's file system that durability needs; PGlite does not type it. */
interface EmscriptenFiles {
  open(path: string, flags: string): { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
  close(stream: unknown): void;
}

/**
 * PGlite starts PostgreSQL with fsync off, and its file system has no fsync operation at all. Without both of these
 * an acknowledged commit would not survive power loss.
 */
const durableStart = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "wal_sync_method=fsync",
];

function giveFsync(db: PGlite): void {
  const files = (db as unknown as { Module: { FS: EmscriptenFiles } }).Module.FS;
  const probe = files.open("/pglite/data/PG_VERSION", "r");
  probe.stream_ops.fsync = (stream) => {
    fsyncSync(stream.nfd);
    return 0;
  };
  files.close(probe);
}

/** A cluster that has just been made was written before fsync was there: sync every file and folder of it once. */
function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const descriptor = openSync(join(entry.parentPath, entry.name), "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

async function openDatabase(folder: string): Promise<PGlite> {
  const isNew = !existsSync(join(folder, "PG_VERSION"));
  const db = await PGlite.create({ dataDir: folder, startParams: durableStart });
  giveFsync(db);
  await db.exec("SET TIME ZONE 'UTC'");
  if (isNew) {
    await db.exec("CHECKPOINT");
    syncTree(folder);
  }
  return db;
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
const db = await openDatabase((workerData as { folder: string }).folder);

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
