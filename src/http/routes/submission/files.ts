import { Type } from "typebox";
import { everyFile, type FileFilter, filesAfter } from "../../../db/chunks/files.ts";
import type { HttpContext } from "../../context.ts";
import * as examples from "../../openapi/examples.ts";
import { operation } from "../../operation.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { closeDownloadOnRevocation } from "../../responses/close-on-revocation.ts";
import { csvHeader, csvLine, sendCsv, wantsCsv } from "../../responses/csv.ts";
import { pageAnswer, pageOf, paging, requireCursor } from "../../responses/paging.ts";
import { viewFile } from "../../responses/views.ts";
import { FileView, IdParams, optionalInteger, optionalText } from "../../schemas.ts";

const { error: _, ...listed } = examples.file;
const CSV = `${csvHeader}${Object.values(listed).join(",")},,\r\n`;

/** Default number of entries per page. */
const PAGE = 100;

/** Lists the objects of a submission and their states, in the order of the listing. */
export const submissionFiles = operation({
  route: "GET /submission/:id/files",
  operationId: "listFiles",
  summary: "List the files of a submission",
  description:
    "Returns files in the order of the listing. As `text/csv`, all files are returned unless `limit` is given. A page with very long names can have fewer entries than `limit`.",
  tag: "Submissions",
  params: IdParams,
  querystring: Type.Object({
    state: Type.Optional(
      Type.Enum(["listed", "stored", "failed", "excluded"], {
        description: "Only files in this state.",
        examples: ["stored"],
      }),
    ),
    prefix: optionalText({
      maxLength: 2_048,
      description: "Only files whose path starts with this text.",
      examples: ["data/measurements/"],
    }),
    from: optionalInteger({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Position in the listing to start at, counted from 0. Ignored if `cursor` is given.",
      examples: [0],
    }),
    ...paging(PAGE),
  }),
  response: pageAnswer(FileView, "files", examples.file, { media: { "text/csv": CSV } }),
  handler: async (context, request, reply) => {
    const row = await requireSubmission(context, request);
    const { state, prefix, from = 0, limit, cursor } = request.query;
    const filter = { state, prefix };
    const after = cursor === undefined ? from - 1 : Number(requireCursor(cursor, /^\d{1,15}$/));
    const asCsv = wantsCsv(request, reply);
    if (asCsv && limit === undefined) {
      closeDownloadOnRevocation(context, request, reply);
      return sendCsv(reply, everyLine(context, row, { ...filter, after }));
    }
    const size = limit ?? PAGE;
    const found = await filesAfter(context.db, row.id, row.attempt, { ...filter, after, limit: size + 1 });
    const page = {
      rows: found,
      views: found.map(viewFile),
      limit: size,
      cursor: ({ seq }: { seq: number }) => String(seq),
    };
    const entries = pageOf(context, request, reply, page);
    if (!asCsv) return entries;
    return sendCsv(reply, [csvHeader, ...found.slice(0, entries.length).map(csvLine)].join(""));
  },
});

async function* everyLine(
  context: HttpContext,
  row: { id: string; attempt: number },
  filter: FileFilter,
): AsyncGenerator<string> {
  yield csvHeader;
  for await (const objects of everyFile(context.db, row.id, row.attempt, filter)) yield objects.map(csvLine).join("");
}
