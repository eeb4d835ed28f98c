import { type FileKind, metadataFileKind } from "./file-kinds.ts";

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
