/** There is no space for the database’s files, as the file system itself would say it. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";
  readonly code = "ENOSPC";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super("The disk is full", { cause });
    this.path = path;
  }
}
