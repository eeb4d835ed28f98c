import type { ExportInput } from "../../../src/describe/formats/export-input.ts";
import type { NormalizedMetadata } from "../../../src/describe/metadata/normalized.ts";
import type { VersionFacts } from "../../../src/describe/version-facts.ts";

/** The URL of the dataset of {@link sampleFacts}. */
export const sampleUrl = "https://data.example.org/dataset/7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11";

/** The facts of a package with these metadata alone. */
export function factsOf(metadata: NormalizedMetadata): VersionFacts & { url: string } {
  return { ...sampleFacts(), url: sampleUrl, metadata };
}

/** A dataset with these metadata as the input of exports. */
export function exportInputOf(metadata: NormalizedMetadata): ExportInput {
  return { facts: factsOf(metadata), query: "", downloads: [] };
}

/** The facts of a package. Arguments replace the defaults. */
export function sampleFacts(
  metadata: Partial<NormalizedMetadata> = {},
  facts: Partial<VersionFacts> = {},
): VersionFacts {
  return {
    datasetId: "7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11",
    version: 1,
    submissionId: "sub-1",
    versions: [],
    url: sampleUrl,
    publisher: { name: "Example Archive" },
    archivedAt: "2026-11-20T10:00:00Z",
    source: { endpoint: "https://s3.example.org", region: null, bucket: "b", selection: {} },
    objects: 2,
    bytes: 30,
    mediaTypes: [],
    ...facts,
    metadata: {
      title: "Barley phenotypes",
      description: "Heights and weights of barley plants over a season",
      authors: [
        {
          role: "Creator",
          orcid: "0000-0002-1825-0097",
          firstName: "Josiah",
          lastName: "Carberry",
          affiliation: "Brown University",
          rorid: "https://ror.org/05gq02987",
          address: "1 Secret Street",
          zipCode: "Z-02912",
          city: "Hiddenville",
          country: "XX-Country",
        },
        { role: "DataCurator", lastName: "Curie" },
        { role: "Translator", firstName: "Ada" },
        { role: "Contributor", affiliation: "An Institute" },
        { role: "Chief Wizard", lastName: "Merlin" },
      ],
      subjects: ["barley", "phenotyping"],
      language: "en",
      license: {
        spdx: "CC-BY-4.0",
        name: "Creative Commons Attribution 4.0",
        url: "https://creativecommons.org/licenses/by/4.0/",
      },
      ...metadata,
    },
  };
}

/** Texts that no package metadata may contain. */
export const POSTAL = ["1 Secret Street", "Z-02912", "Hiddenville", "XX-Country"];

const NASTY = `<script>alert("x")</script> ]]> & =HYPERLINK("x") \u001b[31m \u0000\u0008\ufffe 😀 \ud800 é`;

/** Texts that HTML, spreadsheets, terminals, XML or UTF-8 can misinterpret. */
export function hostileFacts(): VersionFacts {
  return sampleFacts(
    {
      title: NASTY,
      description: NASTY,
      subjects: [NASTY],
      license: { name: NASTY },
      authors: [
        { role: "Creator", firstName: NASTY, lastName: NASTY, affiliation: NASTY },
        { role: NASTY, firstName: NASTY },
      ],
    },
    { publisher: { name: NASTY } },
  );
}

/** All objects `{"@id": …}` that only refer to an entity. */
export function* references(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === "@id") yield String(entries[0][1]);
  else for (const [, inner] of entries) yield* references(inner);
}
