import { Type } from "typebox";
import type { HttpContext } from "../../context.ts";
import { unpackingOf } from "../../dataset/unpacking.ts";
import { requireFiles, requireVersion, VersionQuery } from "../../dataset/version.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { DatasetParams, UnpackingView } from "../../schemas.ts";

/** Returns the files of a dataset whose names are not possible on every system. */
export function datasetUnpacking(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id/unpacking",
    {
      config: { problems: ["dataset_withdrawn", "publication_withdrawn", "embargoed", "not_public"] },
      schema: {
        operationId: "getUnpacking",
        summary: "Find names that are not possible on every system",
        description:
          "Returns the files that Windows, macOS or a common file system rename, overwrite or do not create when a package is unpacked.",
        tags: ["Datasets"],
        params: DatasetParams,
        querystring: Type.Object(VersionQuery),
        response: { 200: answer(UnpackingView, { description: "The files.", example: examples.unpacking }) },
      },
    },
    async (request) => {
      const version = await requireVersion(context, request);
      requireFiles(version);
      return unpackingOf(context, version);
    },
  );
}
