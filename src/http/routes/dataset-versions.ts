import { Type } from "typebox";
import { versionsOf } from "../../db/datasets.ts";
import type { HttpContext, Server } from "../context.ts";
import { requireDataset } from "../require.ts";
import { DatasetParams, problems, VersionView } from "../schemas.ts";
import { viewVersion } from "../views.ts";

/** The versions of a dataset, newest first. */
export function datasetVersions(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id/versions",
    {
      schema: {
        operationId: "listVersions",
        summary: "List the versions of a dataset",
        tags: ["Datasets"],
        params: DatasetParams,
        response: { 200: Type.Array(VersionView), ...problems },
      },
    },
    async (request) => {
      const { id } = await requireDataset(context, request);
      return (await versionsOf(context.db, id)).map(viewVersion);
    },
  );
}
