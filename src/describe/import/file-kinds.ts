import { compareKeys } from "../../domain/keys-and-paths/path.ts";

/** The kinds of metadata files, in order of precedence (see `mergeImported`), with their usual names in lower case. */
const KINDS = {
  "datacite-json": { title: "DataCite JSON file", names: ["datacite.json"] },
  "datacite-xml": { title: "DataCite XML file", names: ["datacite.xml"] },
  "ro-crate": { title: "RO-Crate file", names: ["ro-crate-metadata.json", "ro-crate-metadata.jsonld"] },
  cff: { title: "CITATION.cff file", names: ["citation.cff"] },
  codemeta: { title: "CodeMeta file", names: ["codemeta.json"] },
  "isa-tab": { title: "ISA-Tab investigation file", names: [] },
  datapackage: { title: "Data Package file", names: ["datapackage.json"] },
  bids: { title: "BIDS dataset description", names: ["dataset_description.json"] },
  csl: { title: "CSL-JSON file", names: ["csl.json"] },
  readme: { title: "README file", names: [] },
} satisfies Record<string, { title: string; names: string[] }>;
export type FileKind = keyof typeof KINDS;
export const fileKinds = Object.keys(KINDS) as FileKind[];

/** Compares two files by precedence, then by their keys. */
export function byPrecedence(one: { kind: FileKind; key: string }, other: { kind: FileKind; key: string }): number {
  return fileKinds.indexOf(one.kind) - fileKinds.indexOf(other.kind) || compareKeys(one.key, other.key);
}

/** The name of a kind in messages. */
export function kindTitle(kind: FileKind): string {
  return KINDS[kind].title;
}

const byName = new Map<string, FileKind>(fileKinds.flatMap((kind) => KINDS[kind].names.map((name) => [name, kind])));

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

/** What browsers and file managers add to the name of a copy: “datacite (1).xml”, “datacite - Copy.xml”. */
const COPY = /(?: \(\d{1,3}\)| ?[-–] ?(?:copy|kopie)(?: \(\d{1,3}\))?| copy(?: \d{1,3})?)(?=\.[^.]*$|$)/i;
/** Exports of this service, such as `title-v1.datacite.xml`. */
const EXPORT = /\.(datacite\.(?:json|xml)|codemeta\.json|csl\.json|cff)$/i;

/** What only files of a kind contain; a file of two kinds is of the first one. */
const CONTENTS: readonly [ending: RegExp, content: RegExp, kind: FileKind][] = [
  [/\.json(?:ld)?$/, /"(?:[^"]*[/_-])?ro-crate-metadata\.json(?:ld)?"/, "ro-crate"],
  [
    /\.json(?:ld)?$/,
    /"https?:\/\/(?:doi\.org\/10\.5063\/schema\/codemeta-2\.0|w3id\.org\/codemeta\/[\d.]+)"/,
    "codemeta",
  ],
  [/\.json$/, /"BIDSVersion"\s*:/, "bids"],
  [
    /\.json$/,
    /"https?:\/\/datacite\.org\/schema\/kernel-|"(?:publicationYear|resourceTypeGeneral)"\s*:/,
    "datacite-json",
  ],
  [/\.json$/, /"resources"\s*:\s*\[/, "datapackage"],
  [/\.json$/, /"(?:date-parts|container-title|citation-key|comma-suffix)"\s*:/, "csl"],
  [/\.xml$/, /["'\s]https?:\/\/(?:schema\.)?datacite\.org\/(?:schema|meta)\/kernel-[234]/, "datacite-xml"],
  [/\.(?:cff|ya?ml)$/, /^cff-version\s*:/m, "cff"],
  [/\.(?:txt|tsv)$/, /^"?(?:INVESTIGATION|ONTOLOGY SOURCE REFERENCE)"?\s*$/m, "isa-tab"],
];

/**
 * The kind of a metadata file that a client sends, by its name or, for another name, by its content; undefined if it is not a
 * metadata file. In a bucket only the usual names count, because most of its files are data.
 */
export function sentFileKind(name: string, content: Uint8Array): FileKind | undefined {
  if (name.includes("/")) return undefined;
  const plain = name.toLowerCase().replace(COPY, "");
  const [, exported] = EXPORT.exec(plain) ?? [];
  const usual = exported === "cff" ? "citation.cff" : exported;
  const known = metadataFileKind(plain) ?? (usual === undefined ? undefined : metadataFileKind(usual));
  if (known !== undefined) return known;
  const candidates = CONTENTS.filter(([ending]) => ending.test(plain));
  if (candidates.length === 0) return undefined;
  const text = Buffer.from(content).toString("latin1");
  return candidates.find(([, pattern]) => pattern.test(text))?.[2];
}
