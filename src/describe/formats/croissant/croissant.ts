import { bibtex, bibtexCitation } from "../bibtex.ts";
import { type ExportInput, summaryOf } from "../export-input.ts";
import { encodePath } from "../iri.ts";
import { schemaOrg } from "../schema-org.ts";
import type { DescribedFile } from "./described-files.ts";

/** The version of the specification, as documents and media types name it. */
export const CROISSANT = "http://mlcommons.org/croissant/1.1";

/** Appendix 1 of the specification, with the terms that are used here, and the digest that the archive has of every file. */
const CONTEXT = {
  "@vocab": "https://schema.org/",
  sc: "https://schema.org/",
  cr: "http://mlcommons.org/croissant/",
  dct: "http://purl.org/dc/terms/",
  citeAs: "cr:citeAs",
  column: "cr:column",
  conformsTo: "dct:conformsTo",
  containedIn: "cr:containedIn",
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  extract: "cr:extract",
  field: "cr:field",
  fileObject: "cr:fileObject",
  includes: "cr:includes",
  isLiveDataset: "cr:isLiveDataset",
  md5: "cr:md5",
  recordSet: "cr:recordSet",
  source: "cr:source",
  sha512: "https://w3id.org/ro/terms/workflow-run#sha512",
};

/** “Undetermined” (BCP 47). */
const UNKNOWN_LANGUAGE = "und";

/**
 * The dataset in Croissant 1.1 (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html): schema.org, with the files and the
 * tables in them. Files that are closed, or too many to name, are described as the contents of the package with all files.
 */
export function croissant(described: ExportInput): object {
  const { files } = described;
  const tables = (files?.all ?? []).flatMap((file, number) => tableOf(file, number) ?? []);
  return {
    ...schemaOrg(described),
    ...commonMembers(described),
    citeAs: bibtex(described).trim(),
    // Not shortened.
    description: summaryOf(described).description,
    distribution: files?.all === undefined ? packageOf(described) : files.all.map(fileObject),
    ...(tables.length > 0 && { recordSet: tables }),
  };
}

/** What the specification requires or recommends of schema.org for every dataset. */
const SLIM = new Set([
  ...["@id", "name", "description", "license", "url", "creator", "datePublished", "publisher", "version", "keywords"],
  ...["inLanguage", "dateModified"],
]);

/**
 * Croissant for the head of a page: without tables and `distribution`. Files would make the page large, and readers of Croissant
 * refuse packages, which have no digest. `schemaOrg` has the rest of the description for programs that read schema.org; those
 * that read Croissant accept no other context than an object.
 * @param dataset the dataset in schema.org, which the page has, too
 */
export function slimCroissant(described: ExportInput, dataset: object): object {
  const members = Object.entries(dataset).filter(([name]) => SLIM.has(name));
  return { ...commonMembers(described), citeAs: bibtexCitation(described).trim(), ...Object.fromEntries(members) };
}

function commonMembers(described: ExportInput): object {
  return {
    // Readers need a language of the texts, and that of the data is the best guess.
    "@context": { "@language": described.facts.metadata.language ?? UNKNOWN_LANGUAGE, ...CONTEXT },
    "@type": "sc:Dataset",
    conformsTo: CROISSANT,
    isLiveDataset: false,
  };
}

function fileObject({ path, bytes, mediaType, url, digests }: DescribedFile): object {
  return {
    "@type": "cr:FileObject",
    "@id": idOf(path),
    name: path,
    contentUrl: url,
    contentSize: `${bytes} B`,
    encodingFormat: mediaType,
    ...digests,
  };
}

/** The first package, and the files in it. */
function packageOf({ downloads: [first], files }: ExportInput): object[] {
  if (first === undefined) return [];
  const id = "package";
  const { mediaTypes = [] } = files ?? {};
  return [
    { "@type": "cr:FileObject", "@id": id, name: first.name, contentUrl: first.url, encodingFormat: first.mediaType },
    {
      "@type": "cr:FileSet",
      "@id": "files",
      name: "files",
      containedIn: { "@id": id },
      encodingFormat: mediaTypes.length === 0 ? "application/octet-stream" : mediaTypes,
      includes: "data/**",
    },
  ];
}

/** Values are text: the type of a column cannot be told from its title. Ids are short, because they are repeated. */
function tableOf({ path, columns }: DescribedFile, number: number): object | undefined {
  if (columns === undefined) return undefined;
  const fileObject = { "@id": idOf(path) };
  const id = `records/${number}`;
  return {
    "@type": "cr:RecordSet",
    "@id": id,
    name: path,
    field: columns.map((column, index) => ({
      "@type": "cr:Field",
      "@id": `${id}/${index}`,
      name: column.trim(),
      dataType: "sc:Text",
      source: { fileObject, extract: { column } },
    })),
  };
}

function idOf(path: string): string {
  return `data/${encodePath(path)}`;
}
