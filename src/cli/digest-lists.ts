import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import { Option } from "@commander-js/extra-typings";
import type { components } from "../../packages/client/src/index.ts";
import { Failure } from "./terminal/failure.ts";
import { size } from "./terminal/numbers.ts";
import { readBytes } from "./terminal/read-input.ts";
import { show } from "./terminal/text.ts";

type DigestList = components["schemas"]["DigestList"];

/** The lists of a request. Together with the metadata, they must fit into a request of 8 MiB. */
const MOST_BYTES = 7 * 1024 * 1024;

/** The help about lists. @param folder to which the paths of `--digests` are relative */
export function digestsHelp(folder: string): string {
  return `
Checksum lists that were made where the data were produced (sha256sum, md5sum,
BagIt, CSV) prove that the archived files are the original ones: --digests sends a
list, and --digests-key names one in the source. Every listed file is compared.
Paths in a list of --digests-key are relative to its folder, others to the folder
${folder}; --digests-base states another folder, such as run-7/, or / for all.
The manifests of a bag are used automatically; --no-digests ignores them.`;
}

/** Options about digest lists, as commander parses them. */
export interface DigestOptions {
  /** False for `--no-digests`. */
  digests?: string[] | false | undefined;
  digestsKey?: string[] | undefined;
  digestsBase?: string | undefined;
}

/** Collects the values of a repeatable option. @throws Failure after `--no-digests` */
export function gatherLists(value: string, before: string[] | boolean | undefined): string[] {
  if (before === false) throw contradiction();
  return [...(Array.isArray(before) ? before : []), value];
}

/** The value of `--no-digests` is that of `--digests`, too. The preset lets commander call the parser. */
export const NO_DIGESTS = new Option("--no-digests", "ignore the manifests of a bag")
  .preset("")
  .argParser((_, before: unknown): false => {
    if (Array.isArray(before)) throw contradiction();
    return false;
  });

function contradiction(): Failure {
  return new Failure(2, "Use either --no-digests, or lists (--digests, --digests-key)");
}

/** The text of a list. Windows PowerShell writes UTF-16. @throws Failure if it is other text: names of files would be wrong */
async function textOf(file: string): Promise<string> {
  const bytes = file === "-" ? await buffer(process.stdin) : await readBytes(file, "The checksum list");
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.trim() !== "") return text;
  } catch (cause) {
    throw new Failure(2, show`The checksum list ${file} is not text in UTF-8. Save it in UTF-8.`, { cause });
  }
  throw new Failure(2, show`The checksum list ${file} is empty.`);
}

/**
 * The member `digests` of a request.
 * @throws Failure if the options contradict each other, if a file cannot be read, or if all of them together are too large for a request
 */
export async function readDigestLists({
  digests,
  digestsKey = [],
  digestsBase,
}: DigestOptions): Promise<{ digests?: DigestList[] }> {
  if (digests === false && digestsKey.length > 0) throw contradiction();
  if (digestsBase !== undefined) requireBase(digestsBase, digestsKey.length + (digests || []).length);
  const lists: DigestList[] = [];
  let bytes = 0;
  for (const file of digests === false ? [] : (digests ?? [])) {
    const text = await textOf(file);
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES) {
      throw new Failure(
        2,
        show`The checksum lists are larger than ${size(MOST_BYTES)}. Put the list into the bucket or folder, and name it with --digests-key.`,
      );
    }
    lists.push({ text, ...(file !== "-" && { name: basename(file) }) });
  }
  const base = digestsBase === undefined ? {} : { base: digestsBase };
  lists.push(...digestsKey.map((key) => ({ key })));
  return lists.length === 0 && digests !== false ? {} : { digests: lists.map((list) => ({ ...list, ...base })) };
}

/** @param lists number of lists whose paths are relative to the base */
function requireBase(base: string, lists: number): void {
  if (lists === 0) throw new Failure(2, "--digests-base is about lists: also use --digests or --digests-key");
  if (base.split("/").includes(".."))
    throw new Failure(
      2,
      show`--digests-base “${base}” leads out of the source. Name a folder of the source, such as run-7/, or / for the whole source.`,
    );
}
