import { pipeline } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { count } from "../../domain/numbers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import type { Located } from "./json-entries.ts";

/** Maximum characters of a row, so that a file without line breaks does not fill the memory. */
const LONGEST_ROW = 1_000_000;
const SEPARATORS = [",", ";", "\t"] as const;

/** The values of a row in the order of the header. */
export type CsvRow = readonly string[];

/**
 * Reads the rows of a CSV file, the header first. Fields are separated by commas, semicolons or tabs, as in the header.
 *
 * @throws InvalidVocabulary, and the errors of `texts`
 */
export async function* readCsvRows(texts: AsyncIterable<string>): AsyncGenerator<Located<CsvRow>> {
  const iterator = texts[Symbol.asyncIterator]();
  let begin = "";
  // The separator is known after the first line.
  while (!begin.trimStart().includes("\n")) {
    const next = await iterator.next();
    if (next.done) break;
    begin += next.value;
    if (begin.length > LONGEST_ROW) throw new InvalidVocabulary("The first line of the CSV file is too long");
  }
  const parser = parse({
    delimiter: separatorOf(begin.trimStart().split("\n", 1)[0] ?? ""),
    info: true,
    max_record_size: LONGEST_ROW,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // An error ends the last stream, whose reader receives it.
  const rows = pipeline(continued(begin, iterator), parser, () => undefined);
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      yield { place: `line ${count(info.lines)}`, value: record.map((field) => field.trim()) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as Info;
    throw new InvalidVocabulary(`The file is not valid CSV (line ${count(lines ?? 1)}): ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function* continued(begin: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield begin;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The separator that the header has most often. */
function separatorOf(header: string): string {
  const times = (separator: string) => header.split(separator).length;
  return [...SEPARATORS].sort((one, other) => times(other) - times(one))[0] ?? ",";
}

function reasonOf({ code, message }: CsvError): string {
  return REASONS[code] ?? message;
}

const REASONS: Partial<Record<CsvError["code"], string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is not closed",
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "the row does not have as many fields as the header",
  CSV_INVALID_CLOSING_QUOTE: "a quotation mark within a field is not doubled",
  INVALID_OPENING_QUOTE: "a quotation mark within a field is not doubled",
  CSV_MAX_RECORD_SIZE: "the row is too long",
};
