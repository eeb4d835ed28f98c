import { InvalidVocabulary } from "./invalid-vocabulary.ts";

const TO_JSON_LD =
  "Convert it to JSON-LD, for example with “riot --output=jsonld FILE” of Apache Jena, and import the result";

/** Comments and empty lines before the first statement of a Turtle document. */
const TURTLE_COMMENTS = /^(?:#[^\n]*(?:\n\s*|$))*/;

/** How texts of other formats begin, and what the operator should do. */
const FORMATS: readonly [RegExp, message: string][] = [
  [/^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html)\b/i, "The file is a web page (HTML). Download the file itself"],
  [/^<[^>]*[\s\S]*?<(?:\w+:)?RDF\b|^<(?:\w+:)?RDF\b/, `The file is RDF/XML, which cannot be imported. ${TO_JSON_LD}`],
  [
    /^(?:@(?:prefix|base)\b|(?:PREFIX\s+\S*:|BASE)\s*<)/i,
    `The file is Turtle, which cannot be imported. ${TO_JSON_LD}`,
  ],
  [/^(?:<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s/, `The file is N-Triples or Turtle, which cannot be imported. ${TO_JSON_LD}`],
  [/^</, "The file is XML, which cannot be imported. Import JSON-LD, the ROR data dump (JSON) or CSV"],
];

/** Characters that no CSV or JSON file contains, but most files of other kinds do. */
const BINARY = /[\0-\x08\x0e-\x1f\x7f\ufffd]/;

/**
 * Refuses a text of a format that could be mistaken for CSV, which has no signature.
 *
 * @param begin the beginning of the file, without white space before it
 * @throws InvalidVocabulary that names the format
 */
export function refuseOtherFormat(begin: string): void {
  if (BINARY.test(begin)) {
    throw new InvalidVocabulary(
      "The file is not a text, or it is damaged. Import JSON or CSV in UTF-8, which can be compressed with gzip",
    );
  }
  const text = begin.replace(TURTLE_COMMENTS, "");
  const found = FORMATS.find(([pattern]) => pattern.test(text));
  if (found !== undefined) throw new InvalidVocabulary(found[1]);
}
