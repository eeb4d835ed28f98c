import { type CopyLayout, isTagFileOfBag, layoutOf, pathInCopy } from "@accession/client";
import { namesInPackages } from "@accession/rules";
import type { Chosen } from "./chosen-files.ts";
import type { ListedFile } from "./file-pages.ts";
import { UnreadableFile } from "./hashers.ts";

/**
 * - `identical`: the copy has the same bytes.
 * - `different`: the copy has other bytes, or they cannot be read.
 * - `missing`: the dataset has the file, and the copy does not.
 * - `unknown`: the copy has the file, and the dataset does not.
 */
export const RESULTS = ["different", "missing", "unknown", "identical"] as const;
export type Result = (typeof RESULTS)[number];

export interface Compared {
  path: string;
  result: Result;
  /** Why the file is different. */
  reason?: "size" | "content" | "unreadable";
}

export interface Work {
  chosen: Chosen;
  pages: AsyncIterable<ListedFile[]>;
  hashers: { readonly atOnce: number; hash(file: File, onBytes: (bytes: number) => void): Promise<string> };
  report(compared: Compared): void;
  /** Called with the number of bytes of the copy that need no more work. */
  onBytes(bytes: number): void;
}

/** How the copy was compared. */
export interface Comparison {
  /** Undefined for single files. */
  layout: CopyLayout | undefined;
  /** Files that are on one side only for a known reason, and have no result. */
  setAside: { created: number; bag: number };
}

/**
 * Compares files with a dataset. For a folder, files of the dataset that it does not contain are missing. For single
 * files, each is compared with the files of the dataset that have its name.
 *
 * @throws the errors of `pages` and `hashers`, except UnreadableFile
 */
export async function compareFiles(work: Work): Promise<Comparison> {
  const { chosen } = work;
  return chosen.kind === "folder" ? compareFolder(work, filesOfCopy(chosen.files)) : compareSingle(work, chosen.files);
}

/** The files of the copy. A ZIP of a bag contains one folder, which has the files of the bag. */
function filesOfCopy(files: Map<string, File>): Map<string, File> {
  const [first = ""] = files.keys();
  const base = first.slice(0, first.indexOf("/") + 1);
  if (base === "" || !files.has(`${base}bagit.txt`)) return files;
  const paths = [...files.keys()];
  if (!paths.every((path) => path.startsWith(base))) return files;
  return new Map([...files].map(([path, file]) => [path.slice(base.length), file]));
}

/** It names the files of a package, and is compared at the end. */
const CRATE = "ro-crate-metadata.json";

async function compareFolder(work: Work, files: Map<string, File>): Promise<Comparison> {
  const { hashers, report, onBytes } = work;
  const rest = new Map(files);
  const setAside = { created: 0, bag: 0 };
  let crate: { file: File; listed: ListedFile } | undefined;
  let isRenamed = false;
  let layout: CopyLayout | undefined;
  for await (const page of work.pages) {
    layout ??= await layoutOf(
      page.map(({ path }) => path),
      (path) => nameIn(files, path) !== undefined,
    );
    const chosen = layout;
    await forEach(page, hashers.atOnce, async (listed) => {
      const paths = namesInPackages(listed.path).flatMap((name) => pathInCopy(name, chosen) ?? []);
      if (paths.length === 0) {
        setAside.created += 1;
        return;
      }
      const names = paths.map((path) => nameIn(files, path));
      const name = names.find((one) => one !== undefined) ?? "";
      isRenamed ||= names.indexOf(name) > 0;
      const file = files.get(name);
      rest.delete(name);
      if (file !== undefined && name === CRATE) crate = { file, listed };
      else
        report(file === undefined ? { path: listed.path, result: "missing" } : await compareFile(work, file, [listed]));
    });
  }
  if (crate !== undefined) {
    const compared = await compareFile(work, crate.file, [crate.listed]);
    // The crate of a package in which files have other names states these names.
    if (compared.result === "different" && isRenamed) setAside.created += 1;
    else report(compared);
  }
  for (const [path, { size }] of rest) {
    onBytes(size);
    if (layout === "package" && isTagFileOfBag(path)) setAside.bag += 1;
    else report({ path, result: "unknown" });
  }
  return { layout: layout ?? "content", setAside };
}

async function compareSingle(work: Work, files: readonly File[]): Promise<Comparison> {
  const candidates = new Map(files.map(({ name }) => [name.normalize(), [] as ListedFile[]]));
  for await (const page of work.pages) {
    for (const listed of page) {
      for (const path of new Set(namesInPackages(listed.path).map(fileName))) candidates.get(path)?.push(listed);
    }
  }
  await forEach(files, work.hashers.atOnce, async (file) => {
    const listed = candidates.get(file.name.normalize()) ?? [];
    if (listed.length > 0) return work.report(await compareFile(work, file, listed));
    work.onBytes(file.size);
    work.report({ path: file.name, result: "unknown" });
  });
  return { layout: undefined, setAside: { created: 0, bag: 0 } };
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).normalize();
}

/** Compares a file with the files of the dataset that it can be. */
async function compareFile({ hashers, onBytes }: Work, file: File, listed: ListedFile[]): Promise<Compared> {
  const path = listed.length === 1 ? (listed[0]?.path ?? "") : file.name;
  const sameSize = listed.filter(({ bytes }) => bytes === file.size);
  if (sameSize.length === 0) {
    onBytes(file.size);
    return { path, result: "different", reason: "size" };
  }
  let done = 0;
  try {
    const sha512 = await hashers.hash(file, (bytes) => {
      done += bytes;
      onBytes(bytes);
    });
    const same = sameSize.find((one) => one.sha512 === sha512);
    return same === undefined
      ? { path, result: "different", reason: "content" }
      : { path: same.path, result: "identical" };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    onBytes(file.size - done);
    return { path, result: "different", reason: "unreadable" };
  }
}

/** The name under which a copy contains a path. macOS can return another normalization form than was written. */
function nameIn(files: ReadonlyMap<string, File>, path: string): string | undefined {
  return [path, path.normalize("NFC"), path.normalize("NFD")].find((name) => files.has(name));
}

/** Processes items concurrently, at most `atOnce` at a time. After the first failure no item is started. */
async function forEach<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  let hasFailed = false;
  const next = async () => {
    for (let item = rest.next(); !item.done && !hasFailed; item = rest.next()) {
      await work(item.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
