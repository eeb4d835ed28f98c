import type { TSchema } from "typebox";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "../../describe/formats/formats.ts";
import { DataciteRecord } from "../../describe/metadata/datacite-record.ts";
import { CslView, JsonLdView } from "../schemas.ts";
import { DATASET, datasetFile, metadata, SUBMISSION, s3Access, selection } from "./examples.ts";
import type { ResponseDocumentation } from "./response-documentation.ts";

const url = `https://archive.example.org/dataset/${DATASET}`;

/** The example dataset, as the metadata exports receive it. */
const described: ExportInput = {
  facts: {
    datasetId: DATASET,
    version: 1,
    versions: [1],
    url,
    submissionId: SUBMISSION,
    publisher: { name: "Example Archive", url: "https://archive.example.org/" },
    archivedAt: "2026-11-02T08:30:04.100Z",
    metadata: {
      ...metadata,
      license: {
        spdx: "CC-BY-4.0",
        name: "Creative Commons Attribution 4.0 International",
        url: "https://creativecommons.org/licenses/by/4.0/legalcode",
      },
    },
    source: { endpoint: s3Access.endpoint, region: s3Access.region, bucket: s3Access.bucket, selection },
    objects: 24,
    bytes: 2_043_512,
    mediaTypes: [datasetFile.contentType],
  },
  query: "",
  downloads: [],
};

export const linkset = {
  linkset: [
    {
      anchor: url,
      "cite-as": [{ href: `${url}?version=1` }],
      type: [{ href: "https://schema.org/Dataset" }],
      item: [{ href: `${url}/files/${datasetFile.path}`, type: datasetFile.contentType }],
    },
  ],
};

/** Response schema of each metadata format; undefined for formats that are not JSON. */
const SCHEMAS = {
  "schema-org": JsonLdView,
  "datacite-json": DataciteRecord,
  "datacite-xml": undefined,
  "dublin-core": undefined,
  dcat: undefined,
  croissant: undefined,
  csl: CslView,
  bibtex: undefined,
  ris: undefined,
} as const satisfies Record<MetadataFormatName, TSchema | undefined>;

/** Media types of all metadata formats, for responses in any of them. DCAT and Croissant have the media type of schema.org (JSON-LD). */
export function descriptionMedia(): Required<Pick<ResponseDocumentation, "json" | "bytes">> {
  const names = Object.keys(METADATA_FORMATS) as MetadataFormatName[];
  const json = names.flatMap((name) => {
    const schema = SCHEMAS[name];
    return schema === undefined
      ? []
      : [[METADATA_FORMATS[name].mediaType, { schema, example: descriptionExample(name) }]];
  });
  const written = new Map(json as [string, { schema: TSchema; example: unknown }][]);
  const others = names.map((name) => METADATA_FORMATS[name].mediaType as string).filter((type) => !written.has(type));
  return { json: Object.fromEntries(written), bytes: [...new Set(others)] };
}

/** The example dataset in a metadata format, written by the exporter itself. */
function descriptionExample(name: MetadataFormatName): unknown {
  return JSON.parse(METADATA_FORMATS[name].write(described));
}
