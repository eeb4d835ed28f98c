import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { VOCABULARY_KINDS, type VocabularyKind } from "../../../describe/vocabulary/vocabulary.ts";
import type { Vocabulary } from "../../../main/vocabulary-commands.ts";
import { addApiCommand } from "../../api-command.ts";
import { explainFailureOf, stopSignal } from "../../start.ts";
import { Failure, INTERRUPTED } from "../../terminal/failure.ts";
import { count, moment, several } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { type Column, sayTable } from "../../terminal/table.ts";
import { OK, show } from "../../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `vocabulary import`, `vocabulary list`, `vocabulary remove`: manage the vocabularies of the metadata form. */
export function addVocabulary(program: Command): void {
  const vocabulary = program
    .command("vocabulary")
    .description("import, list and remove vocabularies for the metadata form")
    .addHelpText("after", HELP);
  addImport(vocabulary);
  addVocabularyList(vocabulary);
  addRemove(vocabulary);
}

const HELP = `
The form suggests organisations, funders and subjects from these vocabularies.
The commands write to the database and do not use the API, so they need no
token. They need the settings of “accession serve”. With the embedded database,
stop the service first. With PostgreSQL, the service can run.

Examples:
  accession vocabulary import v1.70-2026-06-23-ror-data.json
  accession vocabulary import funders.csv
  accession vocabulary import agrovoc.jsonld --name agrovoc --language de
  accession vocabulary remove agrovoc`;

function addImport(parent: Command): void {
  addApiCommand(parent, "import", "import a vocabulary; it replaces the vocabulary of the same name")
    .argument("<file>", "file to import, in UTF-8; it can be compressed with gzip")
    .option("--kind <kind>", `kind of the entries: ${VOCABULARY_KINDS.join(", ")} (default: detected)`, vocabularyKind)
    .option("--name <name>", "name of the vocabulary (default: ror, funders, or the name of the file)", vocabularyName)
    .option("--language <language>", "preferred language of labels, such as de (default: en)", languageTag)
    .addHelpText(
      "after",
      `
Formats: the JSON file of the ROR data dump (schema version 2), SKOS as JSON-LD,
and CSV with the column titles in the first line. The CSV file of the Crossref
funder registry can be imported as it is. With --kind funders, the ROR data dump
is imported as a list of the funders in it.

The file is imported completely or not at all. If the command fails or is
interrupted, the previous vocabulary remains.`,
    )
    .action(async (file, { kind, name, language, ...options }) => {
      const output = new Output(options);
      if (language !== undefined) await requireRegistered(language);
      const config = readSettings(process.env, { keys: false });
      const signal = stopSignal(() => output.note(show`Stopping. The previous vocabulary remains`));
      const { importVocabulary } = await import("../../../main/vocabulary-commands.ts");
      output.live(show`Reading ${file} …`);
      const onProgress = (entries: number, share: number) =>
        output.live(show`${Math.floor(share * 100)} %, ${several(entries, "entry", "entries")} …`);
      const given = { file, name, kind, language, signal, onProgress };
      try {
        const imported = await explainFailureOf("The vocabulary cannot be imported", config, () =>
          importVocabulary(config, given),
        );
        output.live(undefined);
        report(output, imported);
      } catch (error) {
        if (!signal.aborted) throw error;
        output.note(show`Stopped. Nothing was imported`);
        process.exitCode = INTERRUPTED;
      } finally {
        output.live(undefined);
      }
    });
}

function report(output: Output, imported: Vocabulary & { replaced: boolean; skipped: number }): void {
  const { name, kind, title, entries, skipped, replaced } = imported;
  output.data(imported);
  const source = title === name ? "" : ` from “${title}”`;
  const before = replaced ? ", in place of the previous vocabulary" : "";
  const left = skipped === 0 ? "" : `. ${several(skipped, "entry was", "entries were")} skipped`;
  output.say(show`${OK} ${name}: ${several(entries, NAMES[kind], kind)} imported${source}${before}${left}`);
}

function addVocabularyList(parent: Command): void {
  addApiCommand(parent, "list", "list the imported vocabularies").action(async (options) => {
    const output = new Output(options);
    const config = readSettings(process.env, { keys: false });
    const { vocabulariesOf } = await import("../../../main/vocabulary-commands.ts");
    const all = await explainFailureOf("The vocabularies cannot be listed", config, () => vocabulariesOf(config));
    await sayTable(output, all, { columns });
  });
}

function addRemove(parent: Command): void {
  addApiCommand(parent, "remove", "remove a vocabulary; submitted metadata does not change")
    .argument("<name>", "name of the vocabulary")
    .action(async (name, options) => {
      const output = new Output(options);
      const config = readSettings(process.env, { keys: false });
      const { removeVocabularyOf } = await import("../../../main/vocabulary-commands.ts");
      const removed = await explainFailureOf("The vocabulary cannot be removed", config, () =>
        removeVocabularyOf(config, name),
      );
      if (!removed) {
        throw new Failure(1, show`There is no vocabulary “${name}”. “accession vocabulary list” prints the names.`);
      }
      output.data({ name, removed });
      output.say(show`${OK} ${name} is removed`);
    });
}

const columns: readonly Column<Vocabulary>[] = [
  { title: "name", cell: ({ name }) => name },
  { title: "kind", cell: ({ kind }) => kind },
  { title: "entries", cell: ({ entries }) => count(entries), side: "right" },
  { title: "imported", cell: ({ importedAt }) => moment(importedAt.toJSON()), dispensable: 1 },
  { title: "title", cell: ({ title }) => title, fills: true },
];

/** The names of the kinds in the singular. */
const NAMES = { organisations: "organisation", funders: "funder", subjects: "subject" } as const satisfies Record<
  VocabularyKind,
  string
>;

/** “ror” is the former name of organisations. */
function vocabularyKind(text: string): VocabularyKind {
  const kind = VOCABULARY_KINDS.find((one) => one === text || (one === "organisations" && text === "ror"));
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(`Allowed choices are ${VOCABULARY_KINDS.join(", ")}.`);
}

function vocabularyName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError("Use 1 to 100 lowercase letters, digits, “.”, “_” and “-”, a letter or digit first.");
}

const LANGUAGE_ADVICE = "Use a language tag such as en, de or pt-BR.";

function languageTag(text: string): string {
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)) return text;
  throw new InvalidArgumentError(LANGUAGE_ADVICE);
}

/** @throws Failure 2 for a language that is not registered */
async function requireRegistered(language: string): Promise<void> {
  // The registry of languages would take 18 MiB of memory in every command.
  const { canonicalLanguage } = await import("../../../describe/metadata/values/language.ts");
  if (canonicalLanguage(language) !== undefined) return;
  throw new Failure(2, show`The language “${language}” is not registered. ${LANGUAGE_ADVICE}`);
}
