import { type FileHandle, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, syncFolder, throwUnwritable } from "../archive/folder/durable-writes.ts";
import { type FileIdentity, mayBeSameFile } from "../archive/folder/same-folder.ts";
import { SyncGroup } from "../archive/folder/sync-group.ts";
import { fileIn } from "../archive/small-file.ts";
import type { ArchiveStore } from "../archive/store.ts";
import { inMessage } from "../domain/in-message.ts";
import { Problem } from "../domain/problems.ts";
import { isUuid } from "../domain/uuid.ts";

/** An area folder in the folder of all areas. */
export interface FoundArea {
  id: string;
  /** When something in it was last added or removed. */
  changedAt: Date;
}

/**
 * The folder of all upload areas. Each area is a folder with segments of its files. A request that sends bytes of a file writes to a new
 * segment, or continues the last one if the request that wrote it has ended.
 */
export class UploadFolder {
  readonly root: string;
  readonly #opened: FileIdentity;
  readonly #group: SyncGroup;
  readonly #space: Pick<ArchiveStore, "hold">;

  private constructor(root: string, opened: FileIdentity, space: Pick<ArchiveStore, "hold">) {
    this.root = root;
    this.#opened = opened;
    this.#group = new SyncGroup(root);
    this.#space = space;
  }

  /**
   * Opens the folder, and creates it if it does not exist. From then on it belongs to the archive with this id, because folders in it
   * are removed that the service does not know.
   * @param space that of its disk
   * @throws Error if it belongs to another archive, or has something else in it
   */
  static async open(
    root: string,
    { archive, space }: { archive: string; space: Pick<ArchiveStore, "hold"> },
  ): Promise<UploadFolder> {
    await makeFolder(root, 0o700);
    await requireOwn(root, archive);
    return new UploadFolder(root, await stat(root, { bigint: true }), space);
  }

  folderOf(area: string): string {
    return join(this.root, area);
  }

  pathOf(area: string, name: string): string {
    return join(this.folderOf(area), name);
  }

  /**
   * Proves that this is still the folder that was opened, and not a bare mount point in its place. Must be awaited before written
   * bytes are recorded.
   * @throws Problem `archive_unwritable`
   */
  async proveSame(): Promise<void> {
    const now = await stat(this.root, { bigint: true }).catch((cause: NodeJS.ErrnoException) => {
      throw otherFolder(`it cannot be read (${cause.code})`, cause);
    });
    if (now.ino !== this.#opened.ino || !mayBeSameFile(now, this.#opened)) {
      throw otherFolder("another folder is in its place. If this is intended, restart the service");
    }
  }

  /** Reserves space for bytes that are about to be written. @throws Problem `no_space`, `archive_unwritable` */
  async hold(bytes: number): ReturnType<ArchiveStore["hold"]> {
    await this.proveSame();
    return this.#space.hold(bytes, "The next files need");
  }

  async makeArea(area: string): Promise<void> {
    await this.proveSame();
    await makeFolder(this.folderOf(area), 0o700).catch(throwUnwritable);
  }

  /** Creates a file in an area. @throws Problem `not_found` if the area has been removed */
  create(area: string, name: string): Promise<FileHandle> {
    return this.#open(area, name, "wx");
  }

  /** Opens a file of an area for more bytes. @throws Problem `not_found` if it has been removed */
  open(area: string, name: string): Promise<FileHandle> {
    return this.#open(area, name, "r+");
  }

  async #open(area: string, name: string, flags: string): Promise<FileHandle> {
    try {
      return await open(this.pathOf(area, name), flags, 0o600);
    } catch (error) {
      return this.#refused(error);
    }
  }

  /** @throws Problem `not_found` if the area has been removed; as {@link throwUnwritable} */
  async #refused(error: unknown): Promise<never> {
    if ((error as { code?: string }).code !== "ENOENT") throwUnwritable(error);
    await this.proveSame();
    throw new Problem("not_found", "The upload does not exist any more", { cause: error });
  }

  /** Makes files of an area durable, contents and names, in this folder. */
  async sync(area: string, names: readonly string[]): Promise<void> {
    await this.#group.sync(this.folderOf(area), names).catch((error: unknown) => this.#refused(error));
    await this.proveSame();
  }

  /** Moves a file, also to another area. Not durable before it is synchronised. @throws as {@link create} */
  async move(from: { area: string; name: string }, to: { area: string; name: string }): Promise<void> {
    await rename(this.pathOf(from.area, from.name), this.pathOf(to.area, to.name)).catch((error: unknown) =>
      this.#refused(error),
    );
  }

  async remove(area: string, names: readonly string[]): Promise<void> {
    for (const name of names) await rm(this.pathOf(area, name), { force: true });
  }

  /** Removes those of these files of an area that were last written before a time. @returns their number */
  async removeOlder(area: string, names: readonly string[], before: Date): Promise<number> {
    let removed = 0;
    for (const name of names) {
      const file = await stat(this.pathOf(area, name)).catch(() => undefined);
      if (file === undefined || file.mtime >= before) continue;
      await this.remove(area, [name]);
      removed++;
    }
    return removed;
  }

  /** The names of the files in an area, some at a time. */
  async *names(area: string, count: number): AsyncGenerator<string[]> {
    let some: string[] = [];
    for await (const { name } of await opendir(this.folderOf(area))) {
      if (some.push(name) < count) continue;
      yield some;
      some = [];
    }
    yield some;
  }

  /**
   * Writes a file of the service beside the uploaded ones, durably. A file with this name is replaced when all is written.
   * @throws Problem `no_space`, `archive_unwritable`; `not_found` if the area has been removed
   */
  async write(area: string, name: string, texts: AsyncIterable<string>): Promise<void> {
    const passing = `${name}.new`;
    await this.remove(area, [passing]);
    const handle = await this.create(area, passing);
    try {
      for await (const text of texts) {
        const hold = await this.hold(Buffer.byteLength(text));
        await handle.appendFile(text).finally(() => hold.release());
      }
      await handle.sync();
      await rename(this.pathOf(area, passing), this.pathOf(area, name));
      await syncFolder(this.folderOf(area));
    } catch (error) {
      await this.remove(area, [passing]);
      await this.#refused(error);
    } finally {
      await handle.close();
    }
    await this.proveSame();
  }

  /** Removes an area with everything in it. May be repeated. */
  async removeArea(area: string): Promise<void> {
    await this.proveSame();
    await rm(this.folderOf(area), { recursive: true, force: true });
  }

  /** The areas that have a folder. Other names are ignored. */
  async areas(): Promise<FoundArea[]> {
    const found: FoundArea[] = [];
    for (const id of await readdir(this.root)) {
      if (!isUuid(id)) continue;
      const folder = await stat(this.folderOf(id)).catch(() => undefined);
      if (folder !== undefined) found.push({ id, changedAt: folder.mtime });
    }
    return found;
  }
}

/** The file that says to which archive the folder belongs. */
const OWNER = "uploads.json";

async function requireOwn(root: string, archive: string): Promise<void> {
  const file = fileIn(root, OWNER);
  const text = await file.read();
  const own = `${JSON.stringify({ archive })}\n`;
  if (text === own) return;
  const found = (await readdir(root)).filter((name) => name !== OWNER);
  // An empty folder can be taken over, for instance with a new archive.
  if (text !== undefined && found.length > 0) {
    throw new Error(
      `The folder of uploads ${root} belongs to another archive, as its file ${OWNER} says. Set another folder (ACCESSION_UPLOADS)`,
    );
  }
  const other = found.find((name) => !isUuid(name));
  if (other !== undefined) {
    throw new Error(
      `The folder of uploads ${root} has something else in it: ${inMessage(other)}. Set an empty folder (ACCESSION_UPLOADS)`,
    );
  }
  await file.write(own);
}

function otherFolder(why: string, cause?: unknown): Problem {
  return new Problem("archive_unwritable", `The folder of uploads is not the one that was opened: ${why}`, { cause });
}
