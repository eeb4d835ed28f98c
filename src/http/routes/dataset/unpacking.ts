import { Type } from "typebox";
import { requireFiles, requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { unpackingOf } from "../../dataset/unpacking.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { DatasetParams, UnpackingView } from "../../schemas.ts";

/** Returns the files of a dataset whose names are not possible on every system. */
export const datasetUnpacking = operation({
  route: "GET /dataset/:id/unpacking",
  operationId: "getUnpacking",
  summary: "Find names that are not possible on every system",
  description:
    "Returns the files that Windows, macOS or a common file system rename, overwrite or do not create when a package is unpacked.",
  tag: "Datasets",
  problems: ["dataset_withdrawn", "publication_withdrawn", "embargoed", "not_public"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  response: { 200: documented(UnpackingView, { description: "The files.", example: examples.unpacking }) },
  handler: async (context, request) => {
    const version = await requireVersion(context, request);
    requireFiles(version);
    return unpackingOf(context, version);
  },
});
