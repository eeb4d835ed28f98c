import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

/** The part of Emscripten's file system that durability needs; PGlite does not type it. */
interface EmscriptenFiles {
  open(path: string, flags: string): { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
  close(stream: unknown): void;
}

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

function giveFsync(db: PGlite): void {
  const files = (db as unknown as { Module: { FS: EmscriptenFiles } }).Module.FS;
  const probe = files.open("/pglite/data/PG_VERSION", "r");
  probe.stream_ops.fsync = (stream) => {
    fsyncSync(stream.nfd);
    return 0;
  };
  files.close(probe);
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

/** Opens the cluster in a folder; commits are durable. */
export async function openCluster(folder: string): Promise<PGlite> {
  const db = await PGlite.create({ dataDir: folder, startParams });
  giveFsync(db);
  // What opening has written, after a crash perhaps all of its recovery, was written before fsync was there.
  syncTree(folder);
  await db.exec("SET TIME ZONE 'UTC'");
  return db;
}

/** Makes a cluster in a folder that has none, durably. */
export async function makeCluster(folder: string): Promise<void> {
  const db = await openCluster(folder);
  await db.exec("CHECKPOINT");
  await db.close();
}
