import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { components } from "../../../packages/client/src/index.ts";
import { BAG_DECLARATION, MOST_DECLARATION, readBagDeclaration } from "../../domain/digest-lists/bag.ts";
import { manifestOf } from "../../domain/digest-lists/format.ts";
import { likelyCause } from "../../domain/digest-lists/likely-cause.ts";
import { asFolder, folderOf } from "../../domain/digest-lists/listed-path.ts";
import { DigestListParser, type ListOptions } from "../../domain/digest-lists/parse-list.ts";
import { textLines } from "../../domain/digest-lists/text-lines.ts";
import { Problem } from "../../domain/problems.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { namedEntries } from "../terminal/named-entries.ts";
import { several } from "../terminal/numbers.ts";
import { FAILED, NEXT, type Shown, show } from "../terminal/text.ts";
import type { LocalFiles } from "./local-files.ts";

type DigestList = components["schemas"]["DigestList"];

/** A list, and how to read it. */
interface ReadableList {
  options: ListOptions;
  /** Its lines. */
  read: () => Iterable<string> | AsyncIterable<string>;
  /** Its path, if it is a file of the folder. */
  path: string | undefined;
}

/** Missing files after which the lists are not read further: most often, their paths are relative to another folder. */
const MOST_MISSING = 1_000;
/** Lines that cannot be used, of one list. */
const MOST_FAULTS = 5;
/** Missing files that a hint must explain. */
const EXPLAINED = 10;
/** The service reads no larger list. */
const MOST_BYTES = 1024 * 1024 * 1024;

/**
 * Looks for the files of digest lists, and of the manifests of a bag, in the folder before hours are spent on sending. Only names are
 * compared, not contents. Lists in the request that cannot be used are left to the service, which checks them before anything is sent.
 *
 * @param lists of the request; an empty array ignores the manifests of a bag
 * @throws Failure that names files which the folder lacks, or the lines of a list in the folder that cannot be used
 */
export async function requireListedFiles(
  folder: string,
  local: LocalFiles,
  lists?: readonly DigestList[],
): Promise<void> {
  const paths = new Map(local.files.map(({ path, bytes }) => [path, bytes]));
  /** Missing files, and the folder to which the paths of the list are relative. */
  const missing = new Map<string, string>();
  const bag = lists?.length === 0 ? [] : await manifests(folder, paths);
  for (const list of [...(lists ?? []).map((one) => readable(folder, one, paths)), ...bag]) {
    const parser = new DigestListParser(list.options, { selects: (key) => paths.has(key), mostFaults: MOST_FAULTS });
    for await (const line of list.read()) {
      for (const { key } of parser.take(line)) if (!paths.has(key)) missing.set(key, list.options.base);
      if (missing.size >= MOST_MISSING) throw await lacksFiles(missing, paths);
      if (parser.faulty >= MOST_FAULTS) break;
    }
    parser.end();
    if (list.path !== undefined) requireUsable(list.path, parser, bag.includes(list));
  }
  if (missing.size > 0) throw await lacksFiles(missing, paths);
}

/** A list of the request. @throws Failure if it should be in the folder and is not, or is too large */
function readable(folder: string, { key, text, name, base, format }: DigestList, paths: Paths): ReadableList {
  const options = { format, name: key ?? name ?? "", base: base === undefined ? folderOf(key ?? "") : asFolder(base) };
  if (key === undefined) return { options, read: () => (text ?? "").split("\n"), path: undefined };
  const bytes = paths.get(key);
  if (bytes === undefined)
    throw new Failure(1, [
      show`${FAILED} The folder has no checksum list ${key}. Nothing was sent.`,
      show`  ${NEXT} Name its path below the folder, such as run-7/SHA256SUMS, or send a list that is elsewhere with --digests.`,
    ]);
  if (bytes > MOST_BYTES)
    throw new Failure(1, show`${FAILED} The checksum list ${key} is larger than 1 GiB. Divide it. Nothing was sent.`);
  return { options, read: () => linesOf(folder, key), path: key };
}

type Paths = ReadonlyMap<string, number>;

/** The manifests of the bag that the folder is; none if it is no bag, or one that the service refuses for other reasons. */
async function manifests(folder: string, paths: Paths): Promise<ReadableList[]> {
  if ((paths.get(BAG_DECLARATION) ?? Number.POSITIVE_INFINITY) > MOST_DECLARATION) return [];
  const lines = await Array.fromAsync(linesOf(folder, BAG_DECLARATION));
  const declaration = readBagDeclaration(lines.join("\n"));
  if (declaration?.encoding !== "utf-8") return [];
  return [...paths.keys()]
    .filter((path) => !path.includes("/") && manifestOf(path)?.algorithm !== undefined)
    .map((path) => ({
      options: { name: path, base: "", format: "bagit", isOldBag: declaration.isOld },
      read: () => linesOf(folder, path),
      path,
    }));
}

/** The lines of a list in the folder, as the service reads them. @throws Failure if it is not text in UTF-8, or cannot be read */
async function* linesOf(folder: string, path: string): AsyncGenerator<string> {
  try {
    yield* textLines(createReadStream(join(folder, path)), path);
  } catch (error) {
    const reason = error instanceof Problem ? error.message : reasonOf(error);
    throw new Failure(1, show`${FAILED} ${path} cannot be used: ${reason}. Nothing was sent.`, {
      cause: error,
    });
  }
}

/** @param isManifest of a bag, which may be empty */
function requireUsable(path: string, { faulty, faults, entries }: DigestListParser, isManifest: boolean): void {
  if (faulty === 0 && (entries > 0 || isManifest)) return;
  const lines = faults.map(({ line, detail }) => show`  line ${line}: ${detail}`);
  throw new Failure(1, [
    show`${FAILED} The checksum list ${path} cannot be used. Nothing was sent.`,
    ...(faulty === 0 ? [show`  It names no files.`] : lines),
  ]);
}

async function lacksFiles(missing: ReadonlyMap<string, string>, paths: Paths): Promise<Failure> {
  const isComplete = missing.size < MOST_MISSING;
  const keys = [...missing.keys()];
  return new Failure(
    1,
    [
      show`${FAILED} The folder lacks ${isComplete ? "" : "at least "}${several(missing.size, "file")} of the checksum lists:`,
      ...namedEntries(keys),
      show`  Nothing was sent.`,
      show`  ${NEXT} ${await nextStep([...missing].slice(0, EXPLAINED), paths)}`,
    ],
    { data: { missingFiles: { keys, complete: isComplete } } },
  );
}

/** @param missing some missing files, and the folders to which the paths of their lists are relative */
async function nextStep(missing: readonly (readonly [key: string, base: string])[], paths: Paths): Promise<Shown> {
  const stated = missing.map(([key, base]) => key.slice(base.length));
  const bases = stated.every((path) => paths.has(path)) ? [""] : foldersOf(stated[0] ?? "", paths);
  const base = bases.find((folder) =>
    missing.every(([key], no) => key !== folder + stated[no] && paths.has(folder + stated[no])),
  );
  if (base !== undefined)
    return show`If the paths of the list are relative to ${base === "" ? "the whole folder" : base}, use --digests-base ${quoted(base || "/")}`;
  const cause = await likelyCause(
    missing.map(([key]) => key),
    (keys) => keys.some((key) => paths.has(key)),
  );
  if (cause !== undefined) return show`${cause}.`;
  const fetched = paths.has("fetch.txt")
    ? " Files that fetch.txt names must be there: the service does not fetch them."
    : "";
  return show`Add the missing files to the folder, or correct the list.${fetched}`;
}

/** The folders in which a file with this path exists, each with a slash at the end. */
function foldersOf(path: string, paths: Paths): string[] {
  return [...paths.keys()].filter((one) => one.endsWith(`/${path}`)).map((one) => one.slice(0, -path.length));
}

/** As an argument of a command that can be copied. */
function quoted(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
}
