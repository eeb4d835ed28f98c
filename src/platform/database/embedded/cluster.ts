import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";

/** The part of Emscripten required for durability; PGlite has no types for it. */
interface EmscriptenModule {
  FS: {
    open(path: string, flags: string): { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
    close(stream: unknown): void;
  };
  onAbort?: (what: unknown) => void;
  onExit?: (status: number) => void;
}

/** Immediately ends the thread or process of the cluster, which must not be used any more. */
export type Broken = (cause: string) => never;

/**
 * PGlite starts PostgreSQL with fsync off, and its file system has no fsync operation. This program adds both; without
 * them, an acknowledged commit would not survive a power failure.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...Object.entries({
    wal_sync_method: "fsync",
    // There is one connection, and the operating system caches the files, so larger buffers would only use memory.
    shared_buffers: "16MB",
    wal_buffers: "1MB",
    temp_buffers: "1MB",
    maintenance_work_mem: "4MB",
    max_connections: "4",
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];

function giveFsync(db: PGlite, broken: Broken): void {
  const module = (db as unknown as { Module: EmscriptenModule }).Module;
  const probe = module.FS.open("/pglite/data/PG_VERSION", "r");
  probe.stream_ops.fsync = (stream) => {
    try {
      fsyncSync(stream.nfd);
    } catch (error) {
      // After a failed fsync, data may be lost, and a second fsync would not report it. Only recovery from the log is safe.
      broken(`fsync failed (${(error as { code?: string }).code})`);
    }
    return 0;
  };
  module.FS.close(probe);
  // PostgreSQL aborts if its log cannot be written (a PANIC). PGlite would retry the same forever.
  module.onAbort = () => broken("PostgreSQL aborted");
  module.onExit = (status) => {
    if (status !== 0) broken(`PostgreSQL ended with ${status}`);
  };
}

/** Syncs a folder with every file and folder in it. */
function syncTree(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const descriptor = openSync(path, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Opens the cluster in a folder. Commits are durable. If the cluster fails, it calls `broken`. */
export async function openCluster(folder: string, broken: Broken): Promise<PGlite> {
  const db = await unoptimised(() => PGlite.create({ dataDir: folder, startParams }));
  giveFsync(db, broken);
  // Opening wrote its files, after a crash possibly the whole recovery, before fsync was available.
  syncTree(folder);
  await db.exec("SET TIME ZONE 'UTC'");
  return db;
}

/**
 * Code compiled during `work` is not optimised by the engine's second compiler. That compiler needs 600 MiB and almost a
 * second for a single function of PostgreSQL, and the same time for all others. Without it, the database needs a fifth more
 * time for a large submission, which is 2 % of the total. The flags apply to the whole process. They are read when a
 * function is compiled, and other modules are compiled later.
 */
async function unoptimised<T>(work: () => Promise<T>): Promise<T> {
  const flags = ["wasm-dynamic-tiering", "wasm-tier-up"];
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  try {
    return await work();
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`);
  }
}

/** Creates a cluster durably in an empty folder. */
export async function makeCluster(folder: string, broken: Broken): Promise<void> {
  const db = await openCluster(folder, broken);
  await db.exec("CHECKPOINT");
  await db.close();
}
