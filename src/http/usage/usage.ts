import { type MonthUsage, sumOf, type Usage, usageOfDataset, usageOfVersion } from "../../db/usage/read.ts";
import { Problem } from "../../domain/problems.ts";
import { ACCESS_METHODS } from "../../public/usage/clicks.ts";
import type { HttpContext } from "../context.ts";
import type { Version } from "../dataset/readable-version.ts";
import { csvOf } from "../responses/csv.ts";

/**
 * How often a version and all versions of its dataset that the reader may see were used, for its page: investigations are
 * views and downloads, requests are downloads. Undefined if uses are not counted.
 */
export async function usageOf(
  { db, usage }: Pick<HttpContext, "db" | "usage">,
  { dataset, number, reader }: Pick<Version, "dataset" | "number" | "reader">,
): Promise<{ version: Usage; dataset: Usage } | undefined> {
  if (usage === undefined) return undefined;
  const versions = reader.versions && [...reader.versions];
  const ofVersion = sumOf(await usageOfVersion(db, dataset.id, number));
  if (versions?.length === 1) return { version: ofVersion, dataset: ofVersion };
  return { version: ofVersion, dataset: sumOf(await usageOfDataset(db, { dataset: dataset.id, versions })) };
}

/** @throws Problem `not_found` if uses are not counted */
export function requireUsage({ usage }: Pick<HttpContext, "usage">): void {
  if (usage === undefined) throw new Problem("not_found", "This service keeps no usage statistics");
}

/** Names of the metrics in CSV, as COUNTER names them. */
export const METRICS = {
  totalInvestigations: "Total_Dataset_Investigations",
  uniqueInvestigations: "Unique_Dataset_Investigations",
  totalRequests: "Total_Dataset_Requests",
  uniqueRequests: "Unique_Dataset_Requests",
} as const satisfies Record<keyof Usage["regular"], string>;

/** Names of the last columns. */
export const USAGE_COLUMNS = ["Month", "Access_Method", ...Object.values(METRICS)] as const;

/** A line for each access method with use in a month. @param before values of the columns before */
export function usageLines(usage: MonthUsage, before: readonly (string | null)[]): string {
  const names = Object.keys(METRICS) as (keyof typeof METRICS)[];
  return ACCESS_METHODS.filter((access) => usage[access].totalInvestigations > 0)
    .map((access) => {
      const counts = names.map((name) => usage[access][name]);
      return csvOf([...before, usage.month, access === "regular" ? "Regular" : "Machine", ...counts]);
    })
    .join("");
}
