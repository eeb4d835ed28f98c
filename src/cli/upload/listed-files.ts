import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
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
  /** Its text, if it is sent. */
  text?: string | undefined;
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
  { files, skipped }: LocalFiles,
  lists?: readonly DigestList[],
): Promise<void> {
  const paths = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const bag = lists?.length === 0 ? [] : await manifests(folder, paths);
  const all = [...(lists ?? []).map((one) => readable(folder, one, paths)), ...bag];
  // “--digests-base” is for all lists of the request, and for no bag.
  const base = all.length === 1 && bag.length === 0 ? all[0]?.options.base : undefined;
  const lacking: Lacking = { missing: new Set(), hasNone: true, base, paths, skipped };
  for (const list of all) {
    const parser = new DigestListParser(list.options, { selects: (key) => paths.has(key), mostFaults: MOST_FAULTS });
    for await (const line of list.read()) {
      for (const { key } of parser.take(line)) {
        if (!paths.has(key)) lacking.missing.add(key);
        else if (key === list.path || (await isText(folder, key, list, paths))) throw namesItself(key);
      }
      lacking.hasNone &&= !parser.isSelected;
      if (lacking.missing.size >= MOST_MISSING) throw await lacksFiles(lacking);
      if (parser.faulty >= MOST_FAULTS || parser.faults[0]?.code === "digest_format_unknown") break;
    }
    parser.end();
    if (list.path !== undefined) requireUsable(list.path, parser, bag.includes(list));
  }
  if (lacking.missing.size > 0) throw await lacksFiles(lacking);
}

/** Files that the folder lacks. */
interface Lacking {
  /** Keys of missing files. */
  missing: Set<string>;
  /** Whether the folder has no file of the lists. */
  hasNone: boolean;
  /** The folder to which the paths of the only list are relative; undefined if there are several. */
  base: string | undefined;
  /** Sizes of the files of the folder in bytes, by path. */
  paths: Paths;
  /** Entries that were left out. */
  skipped: readonly string[];
}

/** A list of the request. @throws Failure if it should be in the folder and is not, or is too large */
function readable(folder: string, { key, text, name, base, format }: DigestList, paths: Paths): ReadableList {
  const options = { format, name: key ?? name ?? "", base: base === undefined ? folderOf(key ?? "") : asFolder(base) };
  if (key === undefined) return { options, read: () => (text ?? "").split("\n"), path: undefined, text };
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

/** The manifests of the bag that the folder is; none if the service takes it for no bag. @throws Failure if it is not in UTF-8 */
async function manifests(folder: string, paths: Paths): Promise<ReadableList[]> {
  if ((paths.get(BAG_DECLARATION) ?? Number.POSITIVE_INFINITY) > MOST_DECLARATION) return [];
  const lines = await Array.fromAsync(linesOf(folder, BAG_DECLARATION));
  const declaration = readBagDeclaration(lines.join("\n"));
  if (declaration === undefined) return [];
  if (declaration.encoding !== "utf-8")
    throw new Failure(1, [
      show`${FAILED} The bag states the encoding ${declaration.encoding}. Only UTF-8 is supported. Nothing was sent.`,
      show`  ${NEXT} Make the bag again in UTF-8, or ignore its manifests with --no-digests.`,
    ]);
  const found = [...paths.keys()].filter(
    (path) => /^(?:tag)?manifest-[^/]*$/.test(path) && manifestOf(path)?.algorithm !== undefined,
  );
  if (!found.some((path) => manifestOf(path)?.kind === "payload")) return [];
  return found.map((path) => ({
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

/** Whether a file of the folder is the list that is sent. */
async function isText(folder: string, path: string, { text, options }: ReadableList, paths: Paths): Promise<boolean> {
  if (text === undefined || options.name !== basename(path)) return false;
  if (paths.get(path) !== Buffer.byteLength(text)) return false;
  return (await readFile(join(folder, path), "utf8")) === text;
}

/** No list can state its own checksum: that of the file to which `sha256sum` still writes is another one. */
function namesItself(path: string): Failure {
  return new Failure(1, [
    show`${FAILED} The checksum list ${path} names itself, with a checksum that it had while it was written. Nothing was sent.`,
    show`  ${NEXT} Remove its own line, or make the list outside of the folder: find . -type f -exec sha256sum {} + > ../SHA256SUMS`,
  ]);
}

/** @param isManifest of a bag, which may be empty */
function requireUsable(path: string, { faulty, faults, entries }: DigestListParser, isManifest: boolean): void {
  if (faulty === 0 && (entries > 0 || isManifest)) return;
  const isUnknown = faults[0]?.code === "digest_format_unknown";
  const lines = isUnknown
    ? [show`  Its format cannot be told. Name it after its algorithm, such as SHA256SUMS.`]
    : faults.map(({ line, detail }) => show`  line ${line}: ${detail}`);
  throw new Failure(1, [
    show`${FAILED} The checksum list ${path} cannot be used. Nothing was sent.`,
    ...(faulty === 0 ? [show`  It names no files.`] : lines),
  ]);
}

async function lacksFiles(lacking: Lacking): Promise<Failure> {
  const keys = [...lacking.missing];
  const isComplete = keys.length < MOST_MISSING;
  return new Failure(
    1,
    [
      show`${FAILED} The folder lacks ${isComplete ? "" : "at least "}${several(keys.length, "file")} of the checksum lists:`,
      ...namedEntries(keys),
      show`  Nothing was sent.`,
      show`  ${NEXT} ${await nextStep(keys.slice(0, EXPLAINED), lacking)}`,
    ],
    { data: { missingFiles: { keys, complete: isComplete } } },
  );
}

async function nextStep(missing: readonly string[], { hasNone, base, paths, skipped }: Lacking): Promise<Shown> {
  const [folder, other] = hasNone && base !== undefined ? possibleBases(missing, base, paths) : [];
  const named = (one: string) => (one === "" ? "the whole folder" : one);
  if (folder !== undefined && other !== undefined)
    return show`The paths of the list can be relative to ${named(folder)}, to ${named(other)} or to others: state the folder with --digests-base`;
  if (folder !== undefined)
    return show`If the paths of the list are relative to ${named(folder)}, use --digests-base ${quoted(folder || "/")}`;
  if (skipped.some((entry) => missing.some((path) => entry.startsWith(`${path} (`))))
    return show`Entries that are left out are in the lists. Replace them by files, or remove them from the lists.`;
  const cause = await likelyCause(missing, { hasNone, existAny: (keys) => keys.some((key) => paths.has(key)) });
  if (cause !== undefined) return show`${cause}.`;
  const fetched = paths.has("fetch.txt")
    ? " Files that fetch.txt names must be there: the service does not fetch them."
    : "";
  return show`Add the missing files to the folder, or correct the list.${fetched}`;
}

/** The folders to which the paths of a list can be relative, so that all of these files exist; empty for the whole folder. */
function possibleBases(missing: readonly string[], base: string, paths: Paths): string[] {
  const stated = missing.map((key) => key.slice(base.length));
  const [first = ""] = stated;
  const ending = [...paths.keys()].filter((path) => path === first || path.endsWith(`/${first}`));
  const folders = ending.map((path) => path.slice(0, path.length - first.length));
  return folders.filter((folder) => stated.every((path) => paths.has(folder + path))).toSorted();
}

/** As an argument of a command that can be copied. */
function quoted(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
}
