import { algorithmNamed, algorithmOfDigest, DIGEST_ALGORITHMS, type DigestAlgorithm } from "./algorithms.ts";
import { decodedPath } from "./bag.ts";
import { RecordReader, separatorOf } from "./csv-record.ts";
import { type DigestFormat, detectForm, formOfFormat, type ListForm, TAGGED } from "./format.ts";
import { keyOfListedPath } from "./listed-path.ts";

/** The digest of a file that a list states. */
export interface StatedDigest {
  key: string;
  algorithm: DigestAlgorithm;
  /** Lower-case hex. */
  digest: string;
}

/** A line that cannot be used. */
export interface LineFault {
  /** Number of the line, from 1. */
  line: number;
  code: "digest_line_invalid" | "digest_path_invalid" | "digest_format_unknown" | "digest_contradicted";
  /** A sentence, and what to do. Never quotes the line, which can be anything. */
  detail: string;
}

export interface ListOptions {
  /** Undefined to tell it from the name and the first line. */
  format?: DigestFormat | undefined;
  /** Name or key of the file; may be empty. */
  name: string;
  /** The folder to which paths are relative: empty, or with a slash at the end. */
  base: string;
  /** Of a bag before BagIt 1.0. */
  isOldBag?: boolean | undefined;
}

/** Longest line in characters: a path of 1,024 bytes, all of them escaped, and digests of all algorithms. */
export const MOST_LINE = 8_192;

/** The names of the columns of a table that contain paths. */
const PATH_COLUMNS = ["path", "file", "filename", "filepath", "name", "key"];

/**
 * Parses a digest list line by line, so that a list of any size needs little memory. It keeps the first faults and no entries: whether a
 * file is stated twice is for the caller to find out.
 */
export class DigestListParser {
  /** Numbers of lines, of digests and of faults. */
  lines = 0;
  entries = 0;
  faulty = 0;
  /** The first faults. */
  readonly faults: LineFault[] = [];
  /** Whether a selected file is stated. */
  isSelected = false;
  readonly #options: ListOptions;
  readonly #selects: (key: string) => boolean;
  readonly #mostFaults: number;
  #form: ListForm | undefined;
  #columns: { path: number; digests: [number, DigestAlgorithm][] } | undefined;
  /** Of a table. */
  #records: RecordReader | undefined;

  /** @param reader.mostFaults number of faults that are kept */
  constructor(options: ListOptions, reader: { selects: (key: string) => boolean; mostFaults: number }) {
    this.#options = options;
    this.#selects = reader.selects;
    this.#mostFaults = reader.mostFaults;
    if (options.format !== undefined) this.#form = formOfFormat(options.format, options.name);
  }

  /** The next line, without its line feed. Empty lines, comments and lines that cannot be used have no entries. */
  take(text: string): StatedDigest[] {
    this.lines++;
    const raw = this.lines === 1 ? text.replace(/^\u{FEFF}/u, "") : text;
    const line = raw.replace(/\r$/, "");
    if (line.length > MOST_LINE) return this.#fault("digest_line_invalid", "The line is longer than 8,192 characters.");
    if (this.#records?.isOpen !== true) {
      if (line.trim() === "") return [];
      const isComment = /^\s*[#;]/.test(line);
      this.#form ??= detectForm(this.#options.name, isComment ? "" : line);
      if (isComment && this.#allowsComments()) return [];
    }
    if (this.#form === undefined)
      return this.#fault("digest_format_unknown", "The format of the list cannot be told. State it in “format”.");
    if (this.#form.kind === "csv") return this.#row(raw);
    return this.#form.kind === "bagit" ? this.#ofBag(line, this.#form) : this.#sum(line, this.#form.algorithm);
  }

  /** To be called after the last line. */
  end(): void {
    if (this.#records?.isOpen === true) this.#fault("digest_line_invalid", "A quoted value does not end.");
  }

  /** Notes a fault that the caller has found, as a rule in the last line. */
  refuse(code: LineFault["code"], detail: string, line = this.lines): void {
    this.faulty++;
    if (this.faults.length < this.#mostFaults) this.faults.push({ line, code, detail });
  }

  /** Notes that a line states another digest of a file than an earlier one. */
  contradict(line = this.lines): void {
    this.refuse("digest_contradicted", "Another line states a different checksum for this file.", line);
  }

  /** The first faults for a message. */
  faultsInWords(): string {
    return this.faults.map(({ line, detail }) => `line ${line}: ${detail}`).join("; ");
  }

  /** In a table, only before its header; in a bag, nowhere: names of files can begin like a comment. */
  #allowsComments(): boolean {
    if (this.#form?.kind === "csv") return this.#columns === undefined;
    return this.#form?.kind !== "bagit";
  }

  #sum(line: string, expected: DigestAlgorithm | undefined): StatedDigest[] {
    const tagged = TAGGED.exec(line);
    const [, digest = "", path = ""] = /^\\?([0-9A-Fa-f]+)(?: [ *]|\t+)(.+)$/s.exec(line) ?? [];
    const algorithm = tagged === null ? algorithmOfDigest(digest) : algorithmNamed(tagged[1] ?? "");
    const hex = tagged?.[3] ?? digest;
    if (algorithm === undefined || hex.length !== DIGEST_ALGORITHMS[algorithm])
      return this.#fault("digest_line_invalid", "The line must have a checksum in hexadecimal, two spaces and a path.");
    if (expected !== undefined && algorithm !== expected) return this.#otherAlgorithm(expected);
    const named = tagged?.[2] ?? path;
    return this.#entries(line.startsWith("\\") ? unescaped(named) : named, [[algorithm, hex]]);
  }

  #ofBag(line: string, { algorithm: expected, isOld }: ListForm & { kind: "bagit" }): StatedDigest[] {
    const [, digest = "", path = ""] = /^([0-9A-Fa-f]+)[ \t]+\*?(.+)$/s.exec(line) ?? [];
    const algorithm = algorithmOfDigest(digest);
    if (algorithm === undefined)
      return this.#fault("digest_line_invalid", "The line must have a checksum in hexadecimal, a space and a path.");
    if (expected !== undefined && algorithm !== expected) return this.#otherAlgorithm(expected);
    return this.#entries(decodedPath(path, isOld ?? this.#options.isOldBag ?? false), [[algorithm, digest]]);
  }

  #row(line: string): StatedDigest[] {
    this.#records ??= new RecordReader(separatorOf(line));
    const cells = this.#records.take(line);
    if (cells === "invalid")
      return this.#fault(
        "digest_line_invalid",
        "Text follows the end of a quoted value. Double quotes in quoted values.",
      );
    if (cells === "open") {
      if (this.#records.length <= MOST_LINE) return [];
      this.#records.reset();
      return this.#fault("digest_line_invalid", "A quoted value does not end.");
    }
    if (this.#columns === undefined) return this.#header(cells);
    const { path, digests } = this.#columns;
    const found = digests.flatMap(([column, algorithm]): [DigestAlgorithm, string][] => {
      const cell = (cells[column] ?? "").trim();
      return cell === "" ? [] : [[algorithm, cell]];
    });
    if (found.length === 0) return this.#fault("digest_line_invalid", "The row has no checksum.");
    const wrong = found.find(([algorithm, hex]) => algorithmOfDigest(hex) !== algorithm);
    if (wrong !== undefined)
      return this.#fault("digest_line_invalid", `The row has no valid ${wrong[0]} in hexadecimal.`);
    return this.#entries(cells[path] ?? "", found);
  }

  #header(cells: readonly string[]): StatedDigest[] {
    const names = cells.map((cell) => cell.trim().toLowerCase());
    const path = PATH_COLUMNS.map((name) => names.indexOf(name)).find((column) => column >= 0);
    const digests = names.flatMap((name, column): [number, DigestAlgorithm][] => {
      const algorithm = algorithmNamed(name);
      return algorithm === undefined ? [] : [[column, algorithm]];
    });
    if (path === undefined || digests.length === 0) {
      const detail =
        "The first row must name a column “path”, and a column with the name of an algorithm, such as “sha256”.";
      return this.#fault("digest_format_unknown", detail);
    }
    this.#columns = { path, digests };
    return [];
  }

  #entries(path: string, digests: readonly [DigestAlgorithm, string][]): StatedDigest[] {
    const found = keyOfListedPath(path, this.#options.base);
    if ("fault" in found) return this.#fault("digest_path_invalid", found.fault);
    this.entries += digests.length;
    this.isSelected ||= this.#selects(found.key);
    return digests.map(([algorithm, hex]) => ({ key: found.key, algorithm, digest: hex.toLowerCase() }));
  }

  #otherAlgorithm(expected: DigestAlgorithm): StatedDigest[] {
    return this.#fault("digest_line_invalid", `The line must have a ${expected}, as the format of the list states.`);
  }

  #fault(code: LineFault["code"], detail: string): StatedDigest[] {
    this.refuse(code, detail);
    return [];
  }
}

const ESCAPED: Record<string, string> = { "\\\\": "\\", "\\n": "\n", "\\r": "\r" };

/** A name that GNU coreutils have escaped, which they mark with a backslash at the beginning of the line. */
function unescaped(name: string): string {
  return name.replaceAll(/\\[\\nr]/g, (written) => ESCAPED[written] ?? written);
}
