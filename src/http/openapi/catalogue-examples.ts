import type { Static } from "typebox";
import type { Catalogue } from "../schemas/catalogue.ts";
import type { CatalogueUsage, DatasetUsage } from "../schemas/usage.ts";
import { metadata } from "./examples.ts";

const id = "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11";
const url = `https://archive.example.org/dataset/${id}`;

/** An answer of the catalogue. */
export const catalogue = {
  total: 1,
  datasets: [
    {
      ...{ id, url },
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
      matchedIn: ["title", "names"],
    },
  ],
  facets: [{ kind: "year", value: "2026", label: "2026", datasets: 1, isEstimated: false }],
  matches: ["moisture", "soil"],
} satisfies Static<typeof Catalogue>;

const regular = { totalInvestigations: 412, uniqueInvestigations: 187, totalRequests: 96, uniqueRequests: 41 };
const machine = { totalInvestigations: 35, uniqueInvestigations: 6, totalRequests: 30, uniqueRequests: 5 };

/** The use of a dataset. */
export const datasetUsage = {
  id,
  version: null,
  total: { regular, machine },
  months: [{ month: "2026-11", regular, machine }],
} satisfies Static<typeof DatasetUsage>;

/** The use of all datasets. */
export const catalogueUsage = {
  from: "2025-12",
  until: "2026-11",
  total: { regular, machine },
  months: [{ month: "2026-11", regular, machine }],
  datasets: [{ id, url, title: metadata.title, regular, machine }],
} satisfies Static<typeof CatalogueUsage>;
