import type { Static } from "typebox";
import type { CatalogueUsage, DatasetUsage } from "../schemas/usage.ts";
import { metadata } from "./examples.ts";

const id = "0198f0c2-7f4e-7c1a-9a53-4d1f0c6b2e11";
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
  datasets: [{ id, url: `https://archive.example.org/dataset/${id}`, title: metadata.title, regular, machine }],
} satisfies Static<typeof CatalogueUsage>;
