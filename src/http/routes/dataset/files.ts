import { create as disposition } from "content-disposition";
import { type Static, Type } from "typebox";
import type { DatasetFile } from "../../dataset/dataset-file.ts";
import { BEGINNING, filesOf, firstOf, positionIn, writePosition } from "../../dataset/files.ts";
import { requireFiles, requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { FILE_PROBLEMS } from "../../openapi/codes.ts";
import * as examples from "../../openapi/examples.ts";
import { contentDisposition, nextPage } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { closeDownloadOnRevocation } from "../../responses/close-on-revocation.ts";
import { csvOf, sendCsv, wantsCsv } from "../../responses/csv.ts";
import { pageOf, paging } from "../../responses/paging.ts";
import { DatasetFileView, DatasetParams, optionalText } from "../../schemas.ts";
import { countUse } from "../../usage/observe-uses.ts";

const COLUMNS = ["path", "bytes", "sha512", "contentType", "lastModified", "verifiedBy", "verifiedWith"] as const;

/** Default number of entries per page. */
const PAGE = 100;

/** Lists the files of a dataset: files that Accession created, then objects in the order of the listing. */
export const datasetFiles = operation({
  route: "GET /dataset/:id/files",
  operationId: "listDatasetFiles",
  summary: "List the files of a dataset",
  description:
    "Returns files that Accession created, then objects in the order of the listing. As `text/csv`, all files are returned unless `limit` is given. A page with very long names can have fewer entries than `limit`.",
  tag: "Datasets",
  problems: FILE_PROBLEMS,
  params: DatasetParams,
  querystring: Type.Object({
    prefix: optionalText({
      maxLength: 4_096,
      description: "Only files whose path starts with this text.",
      examples: ["data/measurements/"],
    }),
    ...VersionQuery,
    format: Type.Optional(
      Type.Enum(["json", "csv"], {
        description: "Format of the list. Default: the one that `Accept` prefers.",
        examples: ["csv"],
      }),
    ),
    ...paging(PAGE),
  }),
  response: {
    200: documented(Type.Array(DatasetFileView), {
      description: "A page of files.",
      headers: { Link: nextPage, "Content-Disposition": contentDisposition },
      example: [examples.datasetFile],
      media: { "text/csv": `${csvOf(COLUMNS)}${csvOf(COLUMNS.map((name) => examples.datasetFile[name]))}` },
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    requireFiles(version);
    countUse(request, version, "investigation", "files");
    const { prefix, limit, cursor, format } = request.query;
    const found = filesOf(context, version, { prefix, after: cursor === undefined ? BEGINNING : positionIn(cursor) });
    const asCsv = format === undefined ? wantsCsv(request, reply) : format === "csv";
    if (asCsv) reply.header("content-disposition", disposition(`${version.dataset.id}-v${version.number}-files.csv`));
    if (asCsv && limit === undefined) {
      closeDownloadOnRevocation(context, request, reply, version.reader.grant);
      return sendCsv(reply, everyLine(found));
    }
    const size = limit ?? PAGE;
    const first = await firstOf(found, size + 1);
    const page = { rows: first, views: first.map(viewFile), limit: size, cursor: writePosition };
    const entries = pageOf(context, request, reply, page);
    if (!asCsv) return entries;
    return sendCsv(reply, [csvOf(COLUMNS), ...first.slice(0, entries.length).map(csvLine)].join(""));
  },
});

async function* everyLine(found: AsyncIterable<DatasetFile[]>): AsyncGenerator<string> {
  yield csvOf(COLUMNS);
  for await (const files of found) yield files.map(csvLine).join("");
}

function csvLine(file: DatasetFile): string {
  return csvOf(COLUMNS.map((name) => file[name]));
}

function viewFile(file: DatasetFile): Static<typeof DatasetFileView> {
  const { path, bytes, sha512, contentType, lastModified, verifiedBy, verifiedWith } = file;
  const by = verifiedBy as Static<typeof DatasetFileView>["verifiedBy"];
  return { path, bytes, sha512, contentType, lastModified, verifiedBy: by, verifiedWith };
}
