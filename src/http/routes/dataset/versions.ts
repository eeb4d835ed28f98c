import { Type } from "typebox";
import { versionsOf } from "../../../db/datasets/datasets.ts";
import { publicationsOf } from "../../../db/publication/publications.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { requireReadableDataset } from "../../requests/require-resource.ts";
import { viewVersion } from "../../responses/views.ts";
import { DatasetParams, VersionView } from "../../schemas.ts";

/** Lists the versions of a dataset, newest first. */
export function datasetVersions(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id/versions",
    {
      config: { problems: ["dataset_withdrawn"] },
      schema: {
        operationId: "listVersions",
        summary: "List the versions of a dataset",
        description: "Returns all versions, newest first. Each version was created by one submission.",
        tags: ["Datasets"],
        params: DatasetParams,
        response: {
          200: answer(Type.Array(VersionView), { description: "The versions.", example: examples.dataset.versions }),
        },
      },
    },
    async (request) => {
      const { dataset, namedVersions } = await requireReadableDataset(context, request);
      const publications = await publicationsOf(context.db, dataset.id);
      return (await versionsOf(context.db, dataset.id))
        .filter(({ version }) => namedVersions?.has(version) ?? true)
        .map((row) => viewVersion(row, publications, namedVersions !== undefined));
    },
  );
}
