import type { Config } from "../config/config.ts";
import { Failure } from "./failure.ts";
import { show } from "./text.ts";

/** The folder of the archive that the settings name. @throws Failure 2 when it lies in an object store */
export function archiveFolder({ archive }: Pick<Config, "archive">): string {
  if (archive.kind === "folder") return archive.folder;
  throw new Failure(2, show`The archive lies in an object store: copy it, or the dataset, into a folder and name that`);
}
