import { Type } from "typebox";
import { sumOf, usageOfDataset, usageOfVersion } from "../../../db/usage/read.ts";
import { Problem } from "../../../domain/problems.ts";
import * as examples from "../../openapi/catalogue-examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireReadableDataset } from "../../requests/require-resource.ts";
import { csvOf, sendCsv, wantsCsv } from "../../responses/csv.ts";
import { DatasetUsage } from "../../schemas/usage.ts";
import { DatasetParams, optionalInteger } from "../../schemas.ts";
import { requireUsage, USAGE_COLUMNS, usageLines } from "../../usage/usage.ts";

/** Returns how often a published dataset was used, by month. */
export const datasetUsage = operation({
  route: "GET /dataset/:id/usage",
  operationId: "getDatasetUsage",
  summary: "Retrieve the usage statistics of a dataset",
  description:
    "Returns how often a published dataset was used, by month and in total, by the rules of COUNTER R5.1 (docs/usage-statistics.md). Uses are counted after a few seconds.",
  tag: "Catalogue",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object({
    version: optionalInteger({
      minimum: 1,
      maximum: 1_000_000,
      description: "Number of a version. Default: all versions together.",
      examples: [1],
    }),
  }),
  response: {
    200: documented(DatasetUsage, {
      description: "The usage statistics.",
      example: examples.datasetUsage,
      media: {
        "text/csv": csvOf(USAGE_COLUMNS) + examples.datasetUsage.months.map((month) => usageLines(month, [])).join(""),
      },
    }),
  },
  handler: async (context, request, reply) => {
    requireUsage(context);
    const { dataset, namedVersions } = await requireReadableDataset(context, request);
    const { version } = request.query;
    if (version !== undefined && (version > dataset.latest_version || namedVersions?.has(version) === false)) {
      throw new Problem("not_found", `Version ${version} of the dataset ${dataset.id} does not exist`);
    }
    const months =
      version === undefined
        ? await usageOfDataset(context.db, {
            dataset: dataset.id,
            versions: namedVersions && [...namedVersions],
          })
        : await usageOfVersion(context.db, dataset.id, version);
    if (wantsCsv(request, reply)) {
      return sendCsv(reply, [csvOf(USAGE_COLUMNS), ...months.map((month) => usageLines(month, []))].join(""));
    }
    return { id: dataset.id, version: version ?? null, total: sumOf(months), months };
  },
});
