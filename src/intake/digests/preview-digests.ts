import { BAG_DECLARATION } from "../../domain/digest-lists/bag.ts";
import { manifestOf } from "../../domain/digest-lists/format.ts";
import { DigestListParser } from "../../domain/digest-lists/parse-list.ts";
import { type Code, Problem } from "../../domain/problems.ts";
import { type NamedFiles, nameFile, noFiles, type UsedDigestList } from "../../domain/submission/digest-state.ts";
import { compileSelection, type Selection } from "../../domain/submission/selection.ts";
import { type ListSource, linesOf } from "../../source/lists/list-lines.ts";
import {
  bagLists,
  faultOfBag,
  faultOfUnselected,
  namedLists,
  type SourceBag,
  type SourceList,
} from "../../source/lists/source-lists.ts";
import type { ListedObject, ListingPage } from "../../source/source.ts";
import type { SentDigests } from "./digest-lists.ts";

/** A list of a preview. */
export interface PreviewedList extends UsedDigestList {
  /** Why the submission could not use it; null if it could. */
  problem: { code: Code; message: string } | null;
}

/** The digest lists of a preview, compared with what was listed. */
export interface PreviewDigests {
  lists: PreviewedList[];
  /** Null if a list could not be read, or the lists are too large for a preview. */
  comparison: { files: number; notSelected: number; missing: NamedFiles | null; additional: NamedFiles } | null;
}

/** Listed files that a preview compares. A submission compares any number. */
const MOST_FILES = 200_000;
/** Characters of their keys together. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Bytes of all lists in the bucket together. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Milliseconds after which lists in the bucket are not read further. */
const TIME_LIMIT_MS = 10_000;
/** Lines of a list in the bucket whose errors are named. */
const MOST_FAULTS = 5;

/** Compares the files of digest lists with a listing, page by page. Memory holds a bounded number of keys. */
export class DigestPreview {
  readonly #lists: PreviewedList[] = [];
  /** By key, whether the file was listed. */
  readonly #stated = new Map<string, boolean>();
  readonly #named: Set<string>;
  readonly #selects: (key: string) => boolean;
  #bag: string | undefined;
  /** False if a list cannot be used. */
  #isComplete = true;
  /** Whether the lists are too large for a preview. */
  #isFull = false;
  #characters = 0;
  #bytes = 0;
  readonly #additional = noFiles();

  private constructor(selection: Selection, sent: SentDigests | undefined) {
    this.#selects = compileSelection(selection);
    this.#named = new Set(sent?.lists.flatMap(({ key }) => (key === null ? [] : [key])));
    for (const list of sent?.used ?? []) this.#lists.push({ ...list, problem: null });
    for (const { key } of sent?.digests ?? []) this.#state(key);
  }

  /** Reads the lists in the bucket. @returns undefined without lists @param first the first page of the listing */
  static async open(
    { selection, digests }: { selection: Selection; digests: SentDigests | undefined },
    source: ListSource,
    first: ListingPage,
  ): Promise<DigestPreview | undefined> {
    if (digests?.usesBag === false) return undefined;
    const preview = new DigestPreview(selection, digests);
    const signal = AbortSignal.any([source.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const from = { ...source, signal };
    for (const list of digests?.lists.filter(({ key }) => key !== null) ?? []) {
      const unread = { name: list.name, origin: "source" as const, entries: 0 };
      await preview.#trying(source, unread, async () => {
        for (const found of await namedLists(from, [list])) await preview.#read(from, found);
      });
    }
    let bag: SourceBag | undefined;
    await preview.#trying(source, { name: "bagit.txt", origin: "bag", entries: 0 }, async () => {
      bag = await bagLists(from, selection.prefix, first);
    });
    if (bag !== undefined) await preview.#readBag(source, from, bag);
    return preview.#lists.length === 0 ? undefined : preview;
  }

  async #readBag(source: ListSource, from: ListSource, bag: SourceBag): Promise<void> {
    this.#bag = bag.root;
    for (const name of bag.unsupported)
      this.#lists.push({
        name,
        origin: "bag",
        entries: 0,
        problem: { code: "digest_list_unreadable", message: UNSUPPORTED },
      });
    /** By key, the number of manifests that name it. */
    const named = new Map<string, number>();
    for (const found of bag.lists) {
      const unread = { name: found.object.key, origin: found.origin, entries: 0 };
      const each = (key: string) => named.set(key, (named.get(key) ?? 0) + 1);
      const isPayload = manifestOf(found.object.key)?.kind === "payload";
      await this.#trying(source, unread, () => this.#read(from, found, isPayload ? each : undefined));
    }
    if (bag.complete.length < 2 || !this.#isComplete || this.#isFull) return;
    const files = noFiles();
    for (const [key, manifests] of named) if (manifests < bag.complete.length) nameFile(files, key);
    const message = faultOfBag(bag, files);
    if (message === undefined) return;
    this.#isComplete = false;
    const problem = { code: "digest_list_invalid", message } as const;
    this.#lists.push({ name: bag.root + BAG_DECLARATION, origin: "bag", entries: 0, problem });
  }

  /** Adds selected objects of the listing. */
  take(objects: readonly ListedObject[]): void {
    const isTagFile = (key: string) => this.#bag !== undefined && !key.startsWith(`${this.#bag}data/`);
    for (const { key } of objects) {
      if (this.#stated.has(key)) this.#stated.set(key, true);
      else if (!this.#named.has(key) && !isTagFile(key)) nameFile(this.#additional, key);
    }
  }

  /** @param complete whether the whole bucket was listed */
  result(complete: boolean): PreviewDigests {
    if (!this.#isComplete || this.#isFull) return { lists: this.#lists, comparison: null };
    const sum = { files: 0, notSelected: 0 };
    const missing = noFiles();
    for (const [key, isListed] of this.#stated) {
      if (!isListed && !this.#selects(key)) {
        sum.notSelected++;
        continue;
      }
      sum.files++;
      if (!isListed) nameFile(missing, key);
    }
    missing.keys.sort();
    return {
      lists: this.#lists,
      comparison: { ...sum, missing: complete ? missing : null, additional: this.#additional },
    };
  }

  /** Notes the problem of a list. If the client is gone, the error is thrown. */
  async #trying({ signal }: ListSource, list: UsedDigestList, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (signal.aborted) throw error;
      const problem = error instanceof Problem ? error : undefined;
      const isSlow = error instanceof Error && error.name === "TimeoutError";
      if (problem === undefined && !isSlow) throw error;
      const { code, message } = problem ?? SLOW;
      this.#isComplete = false;
      this.#lists.push({ ...list, problem: { code, message } });
    }
  }

  async #read(from: ListSource, list: SourceList, each: (key: string) => void = () => {}): Promise<void> {
    const { object, options, origin } = list;
    const read = new DigestListParser(options, { selects: this.#selects, mostFaults: MOST_FAULTS });
    this.#bytes += object.bytes;
    this.#isFull ||= this.#bytes > MOST_BYTES;
    for await (const line of this.#isFull ? [] : linesOf(from, object)) {
      for (const { key } of read.take(line)) this.#state(key, each);
      if (read.faulty === MOST_FAULTS || this.#isFull) break;
    }
    if (!this.#isFull) read.end();
    const unselected = read.isSelected || this.#isFull ? undefined : faultOfUnselected(list, read.entries);
    const message = read.faulty > 0 ? read.faultsInWords() : unselected;
    this.#isComplete &&= message === undefined;
    const problem = message === undefined ? null : ({ code: "digest_list_invalid", message } as const);
    this.#lists.push({ name: object.key, origin, entries: read.entries, problem });
  }

  #state(key: string, each: (key: string) => void = () => {}): void {
    if (this.#isFull) return;
    each(key);
    if (this.#stated.has(key)) return;
    this.#characters += key.length;
    this.#isFull = this.#stated.size === MOST_FILES || this.#characters > MOST_CHARACTERS;
    if (!this.#isFull) this.#stated.set(key, false);
  }
}

const UNSUPPORTED = "The algorithm of this manifest is not supported. Its checksums are not compared";
const SLOW = { code: "source_timeout", message: "The list was not read in 10 seconds" } as const;
