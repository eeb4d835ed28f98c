import { count } from "../../domain/numbers.ts";
import { CsvColumns, readCsvRows } from "./csv.ts";
import { entryId, schemeAddress } from "./identifiers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import { type JsonObject, type Located, readJsonEntries } from "./json-entries.ts";
import { refuseOtherFormat } from "./other-formats.ts";
import { ReadErrors, type ReadProgress, readText } from "./read-text.ts";
import { isRorRecord, rorEntry } from "./ror.ts";
import { isJsonLdNode, SkosReader } from "./skos.ts";
import type { VocabularyEntry, VocabularyKind } from "./vocabulary.ts";

export { InvalidVocabulary } from "./invalid-vocabulary.ts";

/** Entries of a batch, so that the database inserts many at a time. Larger batches only use more memory. */
const BATCH = 100;
/** Maximum number of entries. Their identifiers are compared in memory. */
const MOST_ENTRIES = 1_000_000;
/** Maximum lengths in UTF-16 units. A subject or an identifier in metadata can be as long. */
const LONGEST = { id: 1_000, label: 1_000, name: 1_000, short: 200 };
/** Maximum number of names of an entry. */
const MOST_NAMES = 500;

/** A vocabulary in a file. */
export interface VocabularyFile {
  kind: VocabularyKind;
  progress: ReadProgress;
  /** Reads the entries, once. @throws InvalidVocabulary, and the reason of an aborted signal */
  batches(): AsyncGenerator<VocabularyEntry[]>;
  /** Names of concept schemes, and the number of entries that were not imported, after all batches. */
  summary(): { title: string | undefined; schemes: Record<string, string>; skipped: number };
}

/** What to read of a file. */
interface ReadOptions {
  /** The kind of the entries; by default, it is detected. */
  kind?: VocabularyKind | undefined;
  /** The preferred language of labels. */
  language?: string | undefined;
}

/** Maps the raw entries of a file. */
interface Format {
  kind: VocabularyKind;
  title: string | undefined;
  entries: AsyncIterable<Located<VocabularyEntry | undefined>>;
  schemes: Record<string, string>;
}

/**
 * Opens a file with a vocabulary and detects its format: organisations of ROR as JSON, SKOS as JSON-LD, or funders or
 * subjects as CSV. Only the beginning is read.
 *
 * @throws InvalidVocabulary, and the reason of an aborted signal
 */
export async function openVocabulary(
  file: string,
  { signal, ...options }: ReadOptions & { signal: AbortSignal },
): Promise<VocabularyFile> {
  const progress: ReadProgress = { bytesRead: 0, bytesTotal: 0 };
  const errors = new ReadErrors(readText(file, progress, signal));
  const explained = async (error: unknown): Promise<never> => {
    throw await errors.explain(error);
  };
  const format = await formatOf(errors.texts(), options).catch(explained);
  let skipped = 0;
  async function* batches() {
    const ids = new Map<string, string>();
    let batch: VocabularyEntry[] = [];
    for await (const { place, value } of format.entries) {
      signal.throwIfAborted();
      if (value === undefined) {
        skipped++;
        continue;
      }
      const entry = at(place, () => checked(value, format.kind));
      const other = ids.get(entry.id);
      if (other !== undefined) throw duplicate(entry, place, other);
      if (ids.size === MOST_ENTRIES) {
        throw new InvalidVocabulary(`The file has more than ${count(MOST_ENTRIES)} entries, which is the limit`);
      }
      // A copy, because V8 keeps the text that a part was cut from: each identifier would keep a piece of the file.
      ids.set(Buffer.from(entry.id).toString(), place);
      if (batch.push(entry) < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
    if (ids.size === 0) throw nothing(format.kind, skipped);
  }
  return {
    kind: format.kind,
    progress,
    async *batches() {
      try {
        yield* batches();
      } catch (error) {
        await explained(error);
      }
    },
    summary: () => ({ title: format.title ?? onlyName(format.schemes), schemes: format.schemes, skipped }),
  };
}

/** Detects the format by the beginning of the texts. */
async function formatOf(all: AsyncGenerator<string>, options: ReadOptions): Promise<Format> {
  const { begin, texts } = await peek(all);
  if (begin === "") throw new InvalidVocabulary("The file is empty");
  if (/^[[{]/.test(begin)) return jsonFormat(texts, options);
  refuseOtherFormat(begin);
  return csvFormat(texts, options);
}

/** Reads the beginning of a text up to its first character, and returns it with the whole text. */
async function peek(texts: AsyncGenerator<string>): Promise<{ begin: string; texts: AsyncGenerator<string> }> {
  let begin = "";
  while (begin.trimStart() === "") {
    const next = await texts.next();
    if (next.done) break;
    // White space has no meaning at the beginning of CSV or JSON.
    begin = begin.trimStart() + next.value;
  }
  async function* all() {
    yield begin;
    yield* texts;
  }
  return { begin: begin.trimStart(), texts: all() };
}

async function jsonFormat(texts: AsyncIterable<string>, { kind, language }: ReadOptions): Promise<Format> {
  const parts = readJsonEntries(texts);
  const skos = new SkosReader(language);
  let first: Located<JsonObject> | undefined;
  while (first === undefined) {
    const next = await parts.next();
    if (next.done) throw new InvalidVocabulary("The file has no entries");
    if ("context" in next.value) skos.addContext(next.value.context);
    else first = next.value;
  }
  const isRor = isRorRecord(first.value);
  if (!isRor && !isJsonLdNode(first.value)) {
    throw new InvalidVocabulary(
      "The JSON is neither a ROR data dump (“id” with an address of ror.org, and “names”) nor JSON-LD (“@id”, “@type”)",
    );
  }
  const content = isRor ? "organisations of ROR" : "SKOS concepts";
  const possible: VocabularyKind[] = isRor ? ["organisations", "funders"] : ["subjects"];
  const chosen = kind ?? possible[0] ?? "subjects";
  if (!possible.includes(chosen)) {
    throw new InvalidVocabulary(`The file contains ${content}, not ${chosen}. Change or omit --kind`);
  }
  const begin = first;
  const onlyType = chosen === "funders" ? "funder" : undefined;
  const map = (value: JsonObject) => (isRor ? rorEntry(value, onlyType) : skos.entry(value));
  async function* entries() {
    yield { place: begin.place, value: at(begin.place, () => map(begin.value)) };
    for await (const part of parts) {
      if ("context" in part) skos.refuseContext(part.context);
      else yield { place: part.place, value: at(part.place, () => map(part.value)) };
    }
  }
  const title = isRor ? "Research Organization Registry (ROR)" : undefined;
  return { kind: chosen, title, entries: entries(), schemes: skos.schemes };
}

async function csvFormat(texts: AsyncIterable<string>, { kind, language }: ReadOptions): Promise<Format> {
  if (kind === "organisations") {
    throw new InvalidVocabulary("Organisations are imported from the JSON file of the ROR data dump, not from CSV");
  }
  const rows = readCsvRows(texts);
  const header = await rows.next();
  if (header.done) throw new InvalidVocabulary("The file has no entries");
  const columns = new CsvColumns(header.value.value, kind, language);
  async function* entries() {
    for await (const { place, value } of rows) yield { place, value: at(place, () => columns.entry(value)) };
  }
  return { kind: columns.kind, title: undefined, entries: entries(), schemes: {} };
}

/** Adds the place to an error about an entry. */
function at<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidVocabulary)) throw error;
    throw new InvalidVocabulary(`${error.message} (${place})`, { cause: error });
  }
}

/** The entry with white space removed, without repeated names. @throws InvalidVocabulary without a place */
function checked(entry: VocabularyEntry, kind: VocabularyKind): VocabularyEntry {
  const label = text(entry.label, "The name", LONGEST.label);
  if (label === "") throw new InvalidVocabulary("The name is empty");
  const seen = new Set([label]);
  const names = (values: readonly string[], what: string) => {
    const all = values.map((value) => text(value, what, LONGEST.name));
    return all.filter((name) => name !== "" && !seen.has(name) && seen.add(name));
  };
  const short = (value: string | null, what: string) =>
    value === null ? null : text(value, what, LONGEST.short) || null;
  const acronyms = names(entry.acronyms, "An acronym");
  const alternatives = names(entry.alternatives, "An alternative name");
  if (acronyms.length + alternatives.length > MOST_NAMES) {
    throw new InvalidVocabulary(`The entry has more than ${MOST_NAMES} names, which is the limit`);
  }
  const id = entryId(kind, text(entry.id, "The identifier", LONGEST.id));
  return {
    ...{ id, label, acronyms, alternatives },
    language: short(entry.language, "The language"),
    scheme: entry.scheme === null ? null : text(entry.scheme, "The name of the scheme", LONGEST.name) || null,
    schemeUri:
      entry.schemeUri === null
        ? null
        : schemeAddress(text(entry.schemeUri, "The address of the scheme", LONGEST.id)) || null,
    notation: short(entry.notation, "The notation"),
    city: short(entry.city, "The place"),
    country: short(entry.country, "The country"),
  };
}

function text(value: string, what: string, most: number): string {
  const plain = value.replace(/\s+/g, " ").trim();
  if (plain.length > most) {
    throw new InvalidVocabulary(`${what} has ${count(plain.length)} characters. The limit is ${count(most)}`);
  }
  if (/\p{Cc}/u.test(plain) || !plain.isWellFormed()) {
    throw new InvalidVocabulary(`${what} contains a control character or half of a surrogate pair`);
  }
  return plain;
}

function duplicate({ id, language }: VocabularyEntry, place: string, other: string): InvalidVocabulary {
  const advice = language === null ? "" : ". If the file has a row for each language, select one with --language";
  return new InvalidVocabulary(`The identifier ${id} occurs twice (${other} and ${place})${advice}`);
}

function nothing(kind: VocabularyKind, skipped: number): InvalidVocabulary {
  if (skipped === 0) return new InvalidVocabulary("The file has no entries");
  const what = { organisations: "an active organisation", funders: "a current funder", subjects: "a SKOS concept" }[
    kind
  ];
  const more = kind === "subjects" ? " with a label, which is not deprecated and has the selected language" : "";
  return new InvalidVocabulary(`None of the ${count(skipped)} entries is ${what}${more}`);
}

/** The name of the only concept scheme. */
function onlyName(schemes: Record<string, string>): string | undefined {
  const names = Object.values(schemes);
  return names.length === 1 ? names[0] : undefined;
}
