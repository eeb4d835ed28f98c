import { Type } from "typebox";
import { type DatasetEntryRow, listDatasets } from "../../../db/datasets/list.ts";
import * as examples from "../../openapi/examples.ts";
import { nextPage } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { filters, ownerOf, pageOf, paging, readCursor, timeOf, writeCursor } from "../../responses/paging.ts";
import { viewDatasetEntry } from "../../responses/views.ts";
import { DatasetEntry } from "../../schemas.ts";

/** Default number of entries per page. */
const PAGE = 50;

/** Lists the datasets that the caller may see, newest first. */
export const datasetList = operation({
  route: "GET /dataset",
  operationId: "listDatasets",
  summary: "List datasets",
  description:
    "Returns the datasets that the caller may see, newest first, each with its latest version. Withdrawn datasets are included and have `withdrawn`. Entries have a limited size, and a page can have fewer than `limit` of them.",
  tag: "Datasets",
  querystring: Type.Object({ ...filters, ...paging(PAGE) }),
  response: {
    200: documented(Type.Array(DatasetEntry), {
      description: "A page of datasets.",
      headers: { Link: nextPage },
      example: [examples.datasetEntry],
    }),
  },
  handler: async (context, request, reply) => {
    const { owner, q, updatedAfter, limit = PAGE, cursor } = request.query;
    const rows: DatasetEntryRow[] = await listDatasets(context.db, {
      owner: ownerOf(request, owner),
      q,
      updatedAfter: timeOf(updatedAfter),
      limit: limit + 1,
      before: cursor === undefined ? undefined : readCursor(cursor),
    });
    const views = rows.map((row) => viewDatasetEntry(row, context.basePath));
    return pageOf(context, request, reply, { rows, views, limit, cursor: writeCursor });
  },
});
