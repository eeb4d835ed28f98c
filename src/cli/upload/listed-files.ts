import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { components } from "../../../packages/client/src/index.ts";
import { asFolder, folderOf } from "../../domain/digest-lists/listed-path.ts";
import { DigestListParser } from "../../domain/digest-lists/parse-list.ts";
import { textLines } from "../../domain/digest-lists/text-lines.ts";
import { Problem } from "../../domain/problems.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { namedEntries } from "../terminal/named-entries.ts";
import { several } from "../terminal/numbers.ts";
import { FAILED, NEXT, type Shown, show } from "../terminal/text.ts";
import type { LocalFiles } from "./local-files.ts";

type DigestList = components["schemas"]["DigestList"];

/** Missing files after which the lists are not read further: most often, their paths are relative to another folder. */
const MOST_MISSING = 1_000;
/** Lines that cannot be used, of one list. */
const MOST_FAULTS = 5;

/**
 * Looks for the files of checksum lists in the folder, before hours are spent on sending. The service compares them again.
 * Lists in the request that cannot be used are left to the service, which checks them before anything is sent.
 *
 * @throws Failure that names files which the folder lacks, or the lines of a list in the folder that cannot be used
 */
export async function requireListedFiles(
  folder: string,
  { files }: LocalFiles,
  lists: readonly DigestList[],
): Promise<void> {
  const paths = new Set(files.map(({ path }) => path));
  const missing = new Set<string>();
  for (const list of lists) {
    const { key } = list;
    if (key !== undefined && !paths.has(key))
      throw new Failure(1, show`${FAILED} The folder has no checksum list ${key}. Nothing was sent.`);
    const options = { format: list.format, name: key ?? list.name ?? "", base: baseOf(list) };
    const parser = new DigestListParser(options, { selects: (path) => paths.has(path), mostFaults: MOST_FAULTS });
    for await (const line of key === undefined ? (list.text ?? "").split("\n") : linesOf(folder, key)) {
      for (const { key: path } of parser.take(line)) if (!paths.has(path)) missing.add(path);
      if (missing.size >= MOST_MISSING) throw lacksFiles([...missing], paths);
      if (parser.faulty >= MOST_FAULTS) break;
    }
    parser.end();
    if (key !== undefined && parser.faulty > 0) throw unusable(key, parser.faults);
  }
  if (missing.size > 0) throw lacksFiles([...missing], paths);
}

function unusable(list: string, faults: DigestListParser["faults"]): Failure {
  return new Failure(1, [
    show`${FAILED} The checksum list ${list} cannot be used. Nothing was sent.`,
    ...faults.map(({ line, detail }) => show`  line ${line}: ${detail}`),
  ]);
}

function baseOf({ key, base }: DigestList): string {
  return base === undefined ? folderOf(key ?? "") : asFolder(base);
}

/** The lines of a list in the folder, as the service reads them. @throws Failure if it is not text in UTF-8, or too large */
async function* linesOf(folder: string, key: string): AsyncGenerator<string> {
  try {
    yield* textLines(createReadStream(join(folder, key)), key);
  } catch (error) {
    if (error instanceof Problem) throw new Failure(1, show`${FAILED} ${error.message}. Nothing was sent.`);
    if ((error as NodeJS.ErrnoException).path === undefined) throw error;
    throw new Failure(1, show`${FAILED} The checksum list ${key} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

function lacksFiles(missing: readonly string[], paths: ReadonlySet<string>): Failure {
  const atLeast = missing.length < MOST_MISSING ? "" : "at least ";
  return new Failure(1, [
    show`${FAILED} The folder lacks ${atLeast}${several(missing.length, "file")} of the checksum lists:`,
    ...namedEntries(missing),
    show`  Nothing was sent.`,
    show`  ${NEXT} ${nextStep(missing[0] ?? "", paths)}`,
  ]);
}

/** @param missing a path that is not among `paths` */
function nextStep(missing: string, paths: ReadonlySet<string>): Shown {
  const elsewhere = paths.values().find((path) => path.endsWith(`/${missing}`));
  if (elsewhere !== undefined) {
    const base = elsewhere.slice(0, -missing.length);
    return show`If the paths of the list are relative to ${base}, use --digests-base ${base}`;
  }
  const [first = ""] = missing.split("/", 1);
  if (paths.has(missing.slice(first.length + 1)))
    return show`The paths of the list begin with ${first}/. Make the list inside this folder, or upload the folder above it.`;
  return show`Add the missing files to the folder, or correct the list.`;
}
