import type { Described } from "../../export/described.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "../../export/formats.ts";
import { DATASET, datasetFile, metadata, SUBMISSION, s3Access, selection } from "./examples.ts";

const url = `https://archive.example.org/dataset/${DATASET}`;

/** The dataset of the examples, as the exports see it. */
const described: Described = {
  facts: {
    datasetId: DATASET,
    version: 1,
    latest: 1,
    url,
    submissionId: SUBMISSION,
    publisher: { name: "Example Archive", url: "https://archive.example.org/" },
    publishedAt: "2026-11-02T08:30:04.100Z",
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
    excluded: 0,
    mediaTypes: [datasetFile.contentType],
  },
  query: "",
  downloads: [],
};

/** A description as the service writes it. */
export function descriptionExample(name: MetadataFormatName): unknown {
  return JSON.parse(METADATA_FORMATS[name].write(described));
}

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
