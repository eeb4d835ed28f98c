import { compareKeys } from "../../domain/path.ts";

/** The kinds of metadata files, in order of precedence (see `mergeImported`). */
export const fileKinds = [
  "datacite-json",
  "datacite-xml",
  "ro-crate",
  "cff",
  "codemeta",
  "isa-tab",
  "datapackage",
  "bids",
  "csl",
  "readme",
] as const;
export type FileKind = (typeof fileKinds)[number];

/** Compares two files by precedence, then by their keys. */
export function byPrecedence(one: { kind: FileKind; key: string }, other: { kind: FileKind; key: string }): number {
  return fileKinds.indexOf(one.kind) - fileKinds.indexOf(other.kind) || compareKeys(one.key, other.key);
}

/** Names of the kinds in messages. */
export const fileKindNames: Record<FileKind, string> = {
  "datacite-json": "DataCite JSON file",
  "datacite-xml": "DataCite XML file",
  "ro-crate": "RO-Crate file",
  cff: "CITATION.cff file",
  codemeta: "CodeMeta file",
  "isa-tab": "ISA-Tab investigation file",
  datapackage: "Data Package file",
  bids: "BIDS dataset description",
  csl: "CSL-JSON file",
  readme: "README file",
};

const byName: ReadonlyMap<string, FileKind> = new Map([
  ["datacite.json", "datacite-json"],
  ["datacite.xml", "datacite-xml"],
  ["ro-crate-metadata.json", "ro-crate"],
  ["ro-crate-metadata.jsonld", "ro-crate"],
  ["citation.cff", "cff"],
  ["codemeta.json", "codemeta"],
  ["datapackage.json", "datapackage"],
  ["dataset_description.json", "bids"],
  ["csl.json", "csl"],
]);

/** A README, also with an addition to its name, without an ending or with that of a text, a language or a number. */
const README =
  /^readme(?:[^a-z/.][^/.]*)?(?:\.(?!pdf|doc|odt|rtf|xls|ods|htm|zip|gz|png|jpg|jpeg|svg|json|xml|csv|tsv)[a-z0-9]+)*$/;

/** The name of a crate that is not in the folder of its data has a prefix (RO-Crate 1.2, “Detached RO-Crate Package”). */
const CRATE = /^[^/]*[-_.]ro-crate-metadata\.json(?:ld)?$/;

/** The names of metadata files, for messages. */
export const metadataFileNames =
  "datacite.json, datacite.xml, ro-crate-metadata.json, CITATION.cff, codemeta.json, i_*.txt, datapackage.json, dataset_description.json, csl.json and README";

/**
 * The kind of the metadata file at a key; undefined if it is not a metadata file. Case is ignored. A key with a slash is not
 * at the top level, so the caller removes the prefix of the dataset first.
 */
export function metadataFileKind(key: string): FileKind | undefined {
  const name = key.toLowerCase();
  if (CRATE.test(name)) return "ro-crate";
  const isInvestigation = name.startsWith("i_") && name.endsWith(".txt") && !name.includes("/");
  return byName.get(name) ?? (isInvestigation ? "isa-tab" : README.test(name) ? "readme" : undefined);
}
