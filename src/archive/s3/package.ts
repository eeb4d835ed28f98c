import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { walk } from "../../../packages/ocfl/src/index.ts";
import { fallbackContentPath } from "../content-path.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { datasetFolder } from "../layout.ts";
import type { EarlierPackage, PackageArea } from "../store.ts";
import { contentOf, inventoryOf, logsOf } from "../versions.ts";
import type { Bucket } from "./bucket.ts";
import { incomingPath, type PlannedVersion, sealedPath } from "./layout.ts";
import { S3Reader } from "./reader.ts";
import { Sizes, sizesOfVersions } from "./sizes.ts";
import { putFile } from "./uploads/put-file.ts";
import { copyObject } from "./uploads/uploads.ts";

/** Folders of content. All other files of a package are written when it is packaged. */
const CONTENT_FOLDERS = ["data/", "by-key/"];
const AT_ONCE = 8;

interface Which extends PlannedVersion {
  fence: number;
}

interface PackageOptions {
  /** A folder that nothing else uses. */
  local: string;
  /** See `StagingArea.requireUnpublished`. */
  requireUnpublished: () => Promise<void>;
}

/**
 * An unfinished package in an object store. Its own files are created in a folder of this process. When the package is
 * sealed, they are sent to a path that contains the fence. No other worker writes there, and only the package of the
 * committed fence is published.
 */
export class S3Package implements PackageArea {
  readonly folder: string;
  readonly #bucket: Bucket;
  readonly #which: Which;
  readonly #content: string;
  readonly #sizes: Sizes;
  readonly #sealed: string;
  readonly #local: string;
  readonly #requireUnpublished: () => Promise<void>;

  private constructor(bucket: Bucket, which: Which, { local, requireUnpublished }: PackageOptions) {
    this.#bucket = bucket;
    this.#which = which;
    this.#content = incomingPath(which);
    this.#sizes = new Sizes(bucket, this.#content);
    this.#sealed = sealedPath(which.submission, which.fence);
    this.#local = local;
    this.#requireUnpublished = requireUnpublished;
    this.folder = join(local, "package");
  }

  static async open(bucket: Bucket, which: Which, options: PackageOptions): Promise<S3Package> {
    await rm(options.local, { recursive: true, force: true });
    const area = new S3Package(bucket, which, options);
    for (const name of [`${contentOf(which.version)}/metadata`, logsOf(which.version)]) {
      await mkdir(join(area.folder, name), { recursive: true, mode: 0o700 });
    }
    return area;
  }

  async earlier(): Promise<EarlierPackage | undefined> {
    const { dataset, version } = this.#which;
    if (version === 1) return undefined;
    const object = datasetFolder(dataset);
    const inventory = join(this.#local, "earlier.json");
    const reader = new S3Reader(this.#bucket);
    await pipeline(await reader.read(`${object}/${inventoryOf(version - 1)}`), createWriteStream(inventory));
    return { inventory, sizes: sizesOfVersions(this.#bucket, object) };
  }

  async sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]> {
    return this.#sizes.of(contentPaths);
  }

  async count(): Promise<number> {
    let files = 0;
    for await (const paths of this.storedPaths()) files += paths.length;
    return files;
  }

  async *storedPaths(): AsyncGenerator<string[]> {
    for (const folder of CONTENT_FOLDERS) {
      for await (const page of this.#bucket.pages(`${this.#content}/${folder}`)) {
        yield page.map(({ path }) => path.slice(this.#content.length + 1));
      }
    }
  }

  async remove(contentPaths: readonly string[]): Promise<void> {
    if (contentPaths.length === 0) return;
    // Content that is unknown here may have been published by another database.
    await this.#requireUnpublished();
    await this.#bucket.remove(contentPaths.map((path) => `${this.#content}/${path}`));
  }

  async moveAside(path: string): Promise<string> {
    const aside = fallbackContentPath(path.slice("data/".length));
    const from = `${this.#content}/${path}`;
    const bytes = await this.#bucket.size(from);
    // Moved before a crash; the original was removed since.
    if (bytes === undefined) return aside;
    await copyObject(this.#bucket, { from, to: `${this.#content}/${aside}`, bytes });
    return aside;
  }

  async scratch(): Promise<string> {
    const folder = join(this.#local, "scratch");
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  async finalize(): Promise<void> {
    await this.#requireUnpublished();
    await this.#bucket.removeBelow(this.#sealed);
    const files: string[] = [];
    for await (const { path, kind } of walk(this.folder)) if (kind === "file") files.push(path);
    await forEachConcurrently(files, AT_ONCE, (path) =>
      putFile(this.#bucket, this.#sealed + path, join(this.folder, path)),
    );
    await this.#requireUnpublished();
  }

  async close(): Promise<void> {
    await rm(this.#local, { recursive: true, force: true });
  }
}
