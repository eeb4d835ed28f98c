import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";

/** The part of Emscripten that durability needs; PGlite does not type it. */
interface EmscriptenModule {
  FS: {
    open(path: string, flags: string): { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
    close(stream: unknown): void;
  };
  onAbort?: (what: unknown) => void;
  onExit?: (status: number) => void;
}

/** Ends the thread or process that the cluster runs in, at once; nothing of the cluster may be used any more. */
export type Broken = (cause: string) => never;

/**
 * PGlite starts PostgreSQL with fsync off, and its file system has no fsync operation at all. Without both of these
 * an acknowledged commit would not survive power loss.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...Object.entries({
    wal_sync_method: "fsync",
    // There is one connection, and the operating system caches the files: large buffers would only be memory.
    shared_buffers: "32MB",
    wal_buffers: "1MB",
    temp_buffers: "1MB",
    maintenance_work_mem: "16MB",
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
      // What was to be durable may be lost, and asking again would not tell: only the log can say what holds.
      broken(`fsync failed (${(error as { code?: string }).code})`);
    }
    return 0;
  };
  module.FS.close(probe);
  // PostgreSQL gives up where its log cannot be written (a PANIC). PGlite would try the same again, for ever.
  module.onAbort = () => broken("PostgreSQL gave up");
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

/** Opens the cluster in a folder; commits are durable. When it breaks down it ends by `broken`. */
export async function openCluster(folder: string, broken: Broken): Promise<PGlite> {
  const db = await unoptimised(() => PGlite.create({ dataDir: folder, startParams }));
  giveFsync(db, broken);
  // What opening has written, after a crash perhaps all of its recovery, was written before fsync was there.
  syncTree(folder);
  await db.exec("SET TIME ZONE 'UTC'");
  return db;
}

/**
 * What is compiled meanwhile stays as the engine's first compiler made it. The second one takes 600 MiB and most of a
 * second for a single function of PostgreSQL, and as much time again for the others; without it the database takes a
 * fifth more time for a large submission, which is 2 % of all. The flags are the process's; they are read when a
 * function is compiled, and others' functions come later.
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

/** Makes a cluster in a folder that has none, durably. */
export async function makeCluster(folder: string, broken: Broken): Promise<void> {
  const db = await openCluster(folder, broken);
  await db.exec("CHECKPOINT");
  await db.close();
}
