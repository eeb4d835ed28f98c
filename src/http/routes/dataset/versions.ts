import { Type } from "typebox";
import { versionsOf } from "../../../db/datasets/datasets.ts";
import { publicationsOf } from "../../../db/publication/publications.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireReadableDataset } from "../../requests/require-resource.ts";
import { viewVersion } from "../../responses/views.ts";
import { DatasetParams, VersionView } from "../../schemas.ts";

/** Lists the versions of a dataset, newest first. */
export const datasetVersions = operation({
  route: "GET /dataset/:id/versions",
  operationId: "listVersions",
  summary: "List the versions of a dataset",
  description: "Returns all versions, newest first. Each version was created by one submission.",
  tag: "Datasets",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  response: {
    200: documented(Type.Array(VersionView), { description: "The versions.", example: examples.dataset.versions }),
  },
  handler: async (context, request) => {
    const { dataset, namedVersions } = await requireReadableDataset(context, request);
    const publications = await publicationsOf(context.db, dataset.id);
    return (await versionsOf(context.db, dataset.id))
      .filter(({ version }) => namedVersions?.has(version) ?? true)
      .map((row) => viewVersion(row, publications, namedVersions !== undefined));
  },
});
