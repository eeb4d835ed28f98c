import type { Static } from "typebox";
import type { Catalogue } from "../schemas/catalogue.ts";
import { metadata } from "./examples.ts";

/** An answer of the catalogue. */
export const catalogue = {
  total: 1,
  datasets: [
    {
      id: "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
      url: "https://archive.example.org/dataset/0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11",
      identifier: "https://doi.org/10.5072/k7m2q9xa",
      identifierType: "DOI",
      version: 1,
      versionLabel: "1",
      title: metadata.title,
      creators: ["Carberry, Josiah"],
      creatorCount: 1,
      description: "Hourly soil moisture of 24 plots.",
      keywords: ["soil moisture"],
      year: "2026",
      licence: "Creative Commons Attribution 4.0 International",
      resourceType: "Dataset",
      access: "open",
      embargoDate: null,
      publishedAt: "2026-11-03T09:00:00.000Z",
      changedAt: "2026-11-03T09:00:02.000Z",
      objects: 24,
      bytes: 1_048_576,
    },
  ],
  facets: [{ kind: "year", value: "2026", label: "2026", datasets: 1 }],
  matches: ["moisture", "soil"],
} satisfies Static<typeof Catalogue>;
