import type { Logger } from "pino";
import { FreeSpace } from "../archive/folder/free-space.ts";
import { isInFolder } from "../archive/location.ts";
import type { ArchiveStore } from "../archive/store.ts";
import type { Database } from "../db/database.ts";
import type { Config } from "../platform/config/config.ts";
import { FileHashers } from "../source/reading/file-hashers.ts";
import { Receiver } from "../uploads/receiver.ts";
import { UploadFolder } from "../uploads/upload-folder.ts";
import type { Closers } from "./closers.ts";

/** Opens the folder of upload areas; undefined if the service accepts no uploads. */
export async function openUploads(config: Config, store: ArchiveStore): Promise<UploadFolder | undefined> {
  if (config.uploads === undefined) return undefined;
  // What is reserved for datasets on the same disk is not free for uploads.
  const isOnSameDisk = isInFolder(config.archive) && config.uploads.startsWith(config.archive.folder);
  return UploadFolder.open(config.uploads, isOnSameDisk ? store : new FreeSpace(config.uploads, config.diskReserve));
}

/** Opens the receiver of files, in the process that answers requests; undefined if the service accepts no uploads. */
export function openReceiver(
  folder: UploadFolder | undefined,
  { database, closers, log }: { database: Database; closers: Closers; log: Logger },
): Receiver | undefined {
  if (folder === undefined) return undefined;
  const hashers = new FileHashers();
  closers.add(() => hashers.close());
  const failed = (error: unknown) => log.warn({ err: error }, "an uploaded file cannot be compared with its digest");
  const receiver = new Receiver({ db: database.urgent, folder, hashers, failed });
  closers.add(() => receiver.close());
  return receiver;
}
