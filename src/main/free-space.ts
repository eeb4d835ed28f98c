import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { FreeSpace, type Reserve } from "../archive/folder/free-space.ts";
import { isInFolder } from "../archive/location.ts";
import type { ArchiveStore } from "../archive/store.ts";
import type { Config } from "../platform/config/config.ts";
import type { Scratch } from "../source/lists/scratch.ts";

/**
 * The largest reserve of the data folder's disk. Temporary files are small and are removed soon, and the disk can be much smaller than that
 * of the archive, for which the reserve is configured.
 */
const MOST_DATA_RESERVE: Reserve = { share: 0.05, bytes: 2 * 2 ** 30 };

/** The free space of a disk, without the reserve. */
type Space = Pick<ArchiveStore, "hold" | "freeBytes" | "reserveBytes">;

/**
 * The free space of the disk of a folder. What is reserved for datasets on the same disk is not free.
 * @param disk.of in messages, what is on the disk
 * @param disk.mostReserve the largest reserve of a disk that is not the archive's
 * @returns that of the archive if it is on the same disk
 */
export async function spaceOf(
  folder: string,
  disk: { of: string; mostReserve?: Reserve },
  { config, store }: { config: Config; store: ArchiveStore },
): Promise<Space> {
  const isOnSameDisk = isInFolder(config.archive) && (await haveSameDisk(folder, config.archive.folder));
  return isOnSameDisk ? store : new FreeSpace(folder, config.diskReserve, disk);
}

/** The folder for temporary files, in the data folder. */
export async function openScratch(config: Config, store: ArchiveStore, log: Logger): Promise<Scratch> {
  const disk = { of: "the disk of the data folder", mostReserve: MOST_DATA_RESERVE };
  const space = await spaceOf(config.data, disk, { config, store });
  if (space !== store && (await space.freeBytes()) <= 0) {
    log.warn(
      { data: config.data, reserveBytes: await space.reserveBytes() },
      "less space is free on the disk of the data folder than the service keeps free, so submissions with checksum lists or bags wait for space; free or add space there",
    );
  }
  return { folder: join(config.data, "scratch"), hold: (bytes, what) => space.hold(bytes, what) };
}

async function haveSameDisk(...folders: string[]): Promise<boolean> {
  const [one, other] = await Promise.all(folders.map((folder) => stat(folder)));
  return one?.dev === other?.dev;
}
