import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ContentSource } from "../../../packages/ocfl/src/index.ts";
import {
  type Checked,
  type CheckOptions,
  type Finding,
  NOTHING_READ,
  validateDataset,
} from "../validation/check-object.ts";
import { Bucket } from "./bucket.ts";
import type { S3Location } from "./layout.ts";
import { S3Reader } from "./reader.ts";

/** The location of a dataset in an object store. Plain data, so that it can be sent to a thread. */
export interface S3ObjectPlace {
  kind: "s3";
  place: S3Location;
  /** Relative to the archive's prefix, without a slash at the end. */
  object: string;
  /** A folder that only this process uses. */
  scratch: string;
}

const CONNECTIONS = 4;
const CONTENT = /^(v\d+\/content)\//;
/** The files that the check downloads. Content is read from the object store. */
const READ = /^(0=[^/]+|(v\d+\/)?inventory\.json(\.\w+)?|logs\/.+)$/;
const NAME_BYTES = 255;

/**
 * Checks a dataset in the same way as one in a folder. Files other than content are downloaded into a scratch folder
 * and checked there. Content is listed and read in the object store.
 *
 * @throws Problem if the object store cannot be reached, which says nothing about the dataset
 */
export async function examineS3Object(
  { place, object, scratch }: S3ObjectPlace,
  options: CheckOptions,
): Promise<Checked> {
  const bucket = await Bucket.open(place, CONNECTIONS);
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, "audit-"));
  try {
    const reader = new S3Reader(bucket);
    const invalidNames = await fetchOwnFiles(reader, object, folder);
    if (invalidNames === undefined) {
      const finding: Finding = { code: "E000", path: "", detail: "The dataset's folder is missing" };
      return { ok: false, findings: [finding], ...NOTHING_READ };
    }
    const checked = await validateDataset(folder, { ...options, content: contentOf(reader, object) });
    const findings = invalidNames.map(
      (path): Finding => ({
        code: "E001",
        path,
        detail: "The file does not belong to an object",
      }),
    );
    return { ...checked, ok: checked.ok && findings.length === 0, findings: [...checked.findings, ...findings] };
  } finally {
    bucket.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Downloads the files that the check reads. Other files except content are represented by empty files.
 * @returns the paths that cannot be file names; undefined if the object has no files
 */
async function fetchOwnFiles(reader: S3Reader, object: string, folder: string): Promise<string[] | undefined> {
  const invalidNames: string[] = [];
  let isThere = false;
  for await (const { path } of reader.list(object)) {
    isThere = true;
    const below = path.slice(object.length + 1);
    const content = CONTENT.exec(below)?.[1];
    const file = join(folder, content ?? below);
    if (content !== undefined) await mkdir(file, { recursive: true });
    else if (!isFileName(below)) invalidNames.push(below);
    else {
      await mkdir(dirname(file), { recursive: true });
      if (READ.test(below)) await pipeline(await reader.read(path), createWriteStream(file));
      else await writeFile(file, "");
    }
  }
  return isThere ? invalidNames : undefined;
}

function isFileName(path: string): boolean {
  return (
    path.split("/").every((name) => !["", ".", ".."].includes(name) && Buffer.byteLength(name) <= NAME_BYTES) &&
    !path.includes("\0")
  );
}

function contentOf(reader: S3Reader, object: string): ContentSource {
  return {
    async *walk(contentFolder) {
      const below = `${object}/${contentFolder}`;
      for await (const { path } of reader.list(below)) yield { path: path.slice(below.length + 1), kind: "file" };
    },
    async read(path, take, signal) {
      let bytes = 0;
      try {
        for await (const chunk of await reader.read(`${object}/${path}`)) {
          signal?.throwIfAborted();
          take(chunk as Buffer);
          bytes += (chunk as Buffer).length;
        }
      } catch (error) {
        if ((error as { code?: unknown }).code === "ENOENT") throw error;
        // The error has no code: the check attributes errors with a code to the file, and an outage is not damage.
        throw new Error(error instanceof Error ? error.message : "The object cannot be read");
      }
      return bytes;
    },
  };
}
