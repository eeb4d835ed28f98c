import type { Logger } from "pino";
import { makeFolder } from "../archive/folder/durable-writes.ts";
import type { ArchiveStore } from "../archive/store.ts";
import type { Database } from "../db/database.ts";
import { Problem } from "../domain/problems.ts";
import type { Config } from "../platform/config/config.ts";
import { FileHashers } from "../source/reading/file-hashers.ts";
import { Batches } from "../uploads/batch/batches.ts";
import { Receiver } from "../uploads/receiver.ts";
import { TitledUploads } from "../uploads/titled/titled-uploads.ts";
import { UploadFolder } from "../uploads/upload-folder.ts";
import type { Closers } from "./closers.ts";
import { spaceOf } from "./free-space.ts";

/** Opens the folder of upload areas; undefined if the service accepts no uploads. */
export async function openUploads(config: Config, store: ArchiveStore, log: Logger): Promise<UploadFolder | undefined> {
  if (config.uploads === undefined) return undefined;
  await makeFolder(config.uploads, 0o700);
  const space = await spaceOf(config.uploads, { of: "the disk of uploads" }, { config, store });
  if (space !== store && (await space.freeBytes()) <= 0) {
    const disk = { uploads: config.uploads, reserveBytes: await space.reserveBytes() };
    log.warn(
      disk,
      "less space is free on the disk of uploads than ACCESSION_DISK_RESERVE keeps free, so every upload is refused; lower the reserve, free space, or set ACCESSION_UPLOADS",
    );
  }
  return UploadFolder.open(config.uploads, { archive: store.id, space });
}

interface Receivers {
  receiver: Receiver | undefined;
  batches: Batches | undefined;
  titled: TitledUploads | undefined;
}

/** Opens the receivers of files, in the process that answers requests; undefined if the service accepts no uploads. */
export function openReceivers(
  folder: UploadFolder | undefined,
  { database, closers, config, log }: { database: Database; closers: Closers; config: Config; log: Logger },
): Receivers {
  if (folder === undefined) return { receiver: undefined, batches: undefined, titled: undefined };
  const db = database.urgent;
  const { quota } = config;
  const hashers = new FileHashers();
  closers.add(() => hashers.close());
  const failed = (error: unknown) => log.warn({ err: error }, "an uploaded file cannot be compared with its digest");
  const receiver = new Receiver({ db, folder, hashers, failed });
  closers.add(() => receiver.close());
  const batches = new Batches({ db, folder, quota });
  const titled = new TitledUploads({
    ...{ db, folder, hashers, quota },
    failed: (error) =>
      log.warn({ err: error }, "the state of arriving files cannot be recorded; they may count as missing"),
  });
  for (const one of [batches, titled]) {
    closers.add(() => one.close(new Problem("request_timeout", "The service is stopping")));
  }
  return { receiver, batches, titled };
}
