import { basename } from "node:path";
import { setFlagsFromString } from "node:v8";
import { listVocabularies, removeVocabulary, replaceVocabulary, type Vocabulary } from "../db/vocabularies.ts";
import { InvalidVocabulary, openVocabulary } from "../describe/vocabulary/read-vocabulary.ts";
import type { VocabularyKind } from "../describe/vocabulary/vocabulary.ts";
import type { Config } from "../platform/config/config.ts";
import { withPresentDatabase } from "./command-database.ts";

export type { Vocabulary } from "../db/vocabularies.ts";

/**
 * Percentage by which a heap may exceed its live objects before garbage collection, so that a large import needs less than
 * 300 MB. Little of a batch stays alive, so that V8's default of several times as much is not faster.
 */
const HEAP_GROWTH_PERCENT = 10;

/** A vocabulary to import. */
export interface VocabularyImport {
  file: string;
  name: string | undefined;
  kind: VocabularyKind | undefined;
  /** The preferred language of labels. */
  language: string | undefined;
  signal: AbortSignal;
  /** Called after each batch. @param share the read part of the file */
  onProgress(entries: number, share: number): void;
}

/**
 * Imports a vocabulary from a file, and replaces the one with this name. With the embedded database, no service may use the
 * data folder at the same time.
 *
 * @throws Error that states what the operator must correct, and where; the reason of an aborted signal
 */
export async function importVocabulary(
  config: Config,
  { file, name, kind, language, signal, onProgress }: VocabularyImport,
): Promise<Vocabulary & { replaced: boolean; skipped: number }> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  return explainInvalid(file, async () => {
    const opened = await openVocabulary(file, { kind, language, signal });
    const chosen = name ?? defaultName(file, opened.kind);
    async function* batches() {
      let entries = 0;
      for await (const batch of opened.batches()) {
        yield batch;
        entries += batch.length;
        onProgress(entries, opened.progress.bytesRead / opened.progress.bytesTotal);
      }
    }
    const description = () => {
      const { title = chosen, schemes } = opened.summary();
      return { title, schemes };
    };
    const imported = await withPresentDatabase(config, ({ queries }) =>
      replaceVocabulary(queries, {
        name: chosen,
        kind: opened.kind,
        language: language ?? null,
        batches: batches(),
        description,
      }),
    );
    return { ...imported, skipped: opened.summary().skipped };
  });
}

/** The imported vocabularies. No service may use the data folder at the same time, if it contains the database. */
export async function vocabulariesOf(config: Config): Promise<Vocabulary[]> {
  return withPresentDatabase(config, ({ queries }) => listVocabularies(queries));
}

/** Removes a vocabulary, otherwise like {@link vocabulariesOf}. @returns whether there was one with this name */
export async function removeVocabularyOf(config: Config, name: string): Promise<boolean> {
  return withPresentDatabase(config, ({ queries }) => removeVocabulary(queries, name));
}

/** Organisations and funders usually have one vocabulary, subjects several. */
function defaultName(file: string, kind: VocabularyKind): string {
  if (kind === "organisations") return "ror";
  if (kind === "funders") return "funders";
  const name = basename(file)
    .replace(/\.gz$/, "")
    .replace(/\.[^.]*$/, "")
    .toLowerCase();
  return name.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "subjects";
}

async function explainInvalid<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidVocabulary)) throw error;
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}
