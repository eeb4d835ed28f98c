import { type Static, Type } from "typebox";
import type { DigestListRow } from "../../db/submissions/digests.ts";
import { DIGEST_FORMATS } from "../../domain/digest-lists/format.ts";
import { asFolder, folderOf, nothingSelected } from "../../domain/digest-lists/listed-path.ts";
import { DigestListParser, type ListOptions, type StatedDigest } from "../../domain/digest-lists/parse-list.ts";
import { count } from "../../domain/numbers.ts";
import type { Remark } from "../../domain/problems.ts";
import { pointerTo } from "../../domain/remarks.ts";
import { shapeFaults } from "../../domain/shape.ts";
import type { UsedDigestList } from "../../domain/submission/digest-state.ts";
import { compileSelection, type Selection } from "../../domain/submission/selection.ts";

/** Maximum number of lists of a request. */
const MOST_LISTS = 10;
/** Lines of all lists that a request contains, also empty ones: more than 8 MiB of checksums have. */
const MOST_LINES = 300_000;
/** Errors that are named of each list. */
const MOST_FAULTS = 100;

const DigestList = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        description: "The content of the list. Exactly one of `text` and `key` is required.",
        examples: ["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  run-1/plate.csv\n"],
      }),
    ),
    key: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          "Key of an object of the bucket, or path of a file of the upload, that is the list. It is read when the submission is processed; at most 1 GiB.",
        examples: ["experiment-7/SHA256SUMS"],
      }),
    ),
    name: Type.Optional(
      Type.String({
        maxLength: 255,
        description: "Name of the file of `text`, for messages and to detect the format.",
        examples: ["SHA256SUMS"],
      }),
    ),
    format: Type.Optional(
      Type.Enum([...DIGEST_FORMATS], {
        description:
          "`md5sum` to `sha512sum`: lines of GNU coreutils, also with `--tag`. `bagit`: the manifest of a bag (RFC 8493). `csv`: a table with a column `path` and columns that are named by their algorithm, separated by commas, semicolons or tabs. Default: detected from the name and the first line.",
        examples: ["sha256sum"],
      }),
    ),
    base: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          "Folder of the source to which the paths are relative; `/` for the whole source. Default: the folder of `key`; for `text`, the folder of `selection.prefix`.",
        examples: ["experiment-7/"],
      }),
    ),
  },
  {
    title: "DigestList",
    additionalProperties: false,
    description: "A list of checksums that were computed where the data were produced.",
  },
);

/** The member `digests` of submissions and previews. */
export const DigestLists = Type.Array(DigestList, {
  maxItems: MOST_LISTS,
  description:
    "Lists of checksums that were computed where the data were produced. Every listed file is compared before the dataset is packaged. An empty list ignores the manifests of a bag (RFC 8493), which are used otherwise.",
});

/** The lists of a request. */
export interface SentDigests {
  lists: DigestListRow[];
  /** Of the lists that the request contains. */
  digests: StatedDigest[];
  used: UsedDigestList[];
  /** False if the request has an empty array. */
  usesBag: boolean;
}

/**
 * Checks the lists of a request, and parses those that it contains. Undefined without `digests`.
 * @param selection which objects are submitted; of an invalid one, which is reported elsewhere, nothing
 */
export function checkDigests(
  sent: unknown,
  selection: Selection = {},
): { digests?: SentDigests | undefined; errors: Remark[] } {
  if (sent === undefined) return { errors: [] };
  const faults = shapeFaults(DigestLists, sent, "/digests");
  if (faults.length > 0) return { errors: faults };
  const lists = sent as Static<typeof DigestLists>;
  const parsed = new ParsedLists(compileSelection(selection));
  const rows = lists.map((list, no): DigestListRow => {
    const { text, key, format = null } = list;
    const name = key ?? list.name ?? "";
    const base = list.base === undefined ? null : asFolder(list.base);
    if ((text === undefined) === (key === undefined)) parsed.refuse(no);
    else if (text !== undefined)
      parsed.take(no, text, { name, format: format ?? undefined, base: base ?? folderOf(selection.prefix ?? "") });
    return { no, name, format, base, key: key ?? null, content: text ?? null };
  });
  const { errors, digests, used } = parsed;
  return errors.length > 0 ? { errors } : { digests: { lists: rows, digests, used, usesBag: rows.length > 0 }, errors };
}

/** The digests of all lists of a request. */
class ParsedLists {
  readonly errors: Remark[] = [];
  readonly digests: StatedDigest[] = [];
  readonly used: UsedDigestList[] = [];
  /** By algorithm and key. */
  readonly #known = new Map<string, string>();
  readonly #selects: (key: string) => boolean;
  #lines = 0;

  constructor(selects: (key: string) => boolean) {
    this.#selects = selects;
  }

  refuse(no: number): void {
    const detail = "A list has either “text” or “key”, which is not empty.";
    this.errors.push({ pointer: pointerTo("/digests", no), code: "wrong_value", detail });
  }

  take(no: number, text: string, options: ListOptions): void {
    const pointer = pointerTo("/digests", no, "text");
    const list = new DigestListParser(options, { selects: this.#selects, mostFaults: MOST_FAULTS });
    for (let at = 0; at <= text.length && list.faulty < MOST_FAULTS; ) {
      if (++this.#lines > MOST_LINES) {
        const detail = `All lists together have more than ${count(MOST_LINES)} lines.`;
        list.refuse("digest_line_invalid", detail, list.lines + 1);
        break;
      }
      const end = text.indexOf("\n", at);
      const found = list.take(text.slice(at, end < 0 ? undefined : end));
      if (found.some((one) => !this.#add(one))) list.contradict();
      if (list.faults.at(-1)?.code === "digest_format_unknown") break;
      at = end < 0 ? text.length + 1 : end + 1;
    }
    list.end();
    for (const { line, code, detail } of list.faults)
      this.errors.push({ pointer, code, detail: `Line ${line}: ${detail}` });
    if (!list.isSelected && list.faulty === 0) {
      const detail = list.entries === 0 ? "The list names no files." : nothingSelected(options.base);
      this.errors.push({ pointer, code: "digest_list_empty", detail });
    }
    this.used.push({ name: options.name, origin: "request", entries: list.entries });
  }

  #add(digest: StatedDigest): boolean {
    const id = `${digest.algorithm} ${digest.key}`;
    const known = this.#known.get(id);
    if (known === undefined) this.digests.push(digest);
    this.#known.set(id, known ?? digest.digest);
    return known === undefined || known === digest.digest;
  }
}
