import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { FreeSpace } from "../archive/folder/free-space.ts";
import { isInFolder } from "../archive/location.ts";
import type { ArchiveStore } from "../archive/store.ts";
import type { Config } from "../platform/config/config.ts";
import type { Scratch } from "../source/lists/scratch.ts";

/** The free space of a disk, without the reserve. */
type Space = Pick<ArchiveStore, "hold" | "freeBytes" | "reserveBytes">;

/**
 * The free space of the disk of a folder. What is reserved for datasets on the same disk is not free.
 * @param of in messages, what is on the disk
 * @returns that of the archive if it is on the same disk
 */
export async function spaceOf(
  folder: string,
  of: string,
  { config, store }: { config: Config; store: ArchiveStore },
): Promise<Space> {
  const isOnSameDisk = isInFolder(config.archive) && (await haveSameDisk(folder, config.archive.folder));
  return isOnSameDisk ? store : new FreeSpace(folder, config.diskReserve, of);
}

/** The folder for temporary files, in the data folder. */
export async function openScratch(config: Config, store: ArchiveStore, log: Logger): Promise<Scratch> {
  const space = await spaceOf(config.data, "the disk of the data folder", { config, store });
  if (space !== store && (await space.freeBytes()) <= 0) {
    const disk = { data: config.data, reserveBytes: await space.reserveBytes() };
    log.warn(
      disk,
      "less space is free on the disk of the data folder than ACCESSION_DISK_RESERVE keeps free, so submissions with checksum lists or bags wait for space; lower the reserve or free space",
    );
  }
  return { folder: join(config.data, "scratch"), hold: (bytes) => space.hold(bytes) };
}

async function haveSameDisk(...folders: string[]): Promise<boolean> {
  const [one, other] = await Promise.all(folders.map((folder) => stat(folder)));
  return one?.dev === other?.dev;
}
