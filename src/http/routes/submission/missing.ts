import { Type } from "typebox";
import { statedDigestsOf, statedKeys } from "../../../db/submissions/digests.ts";
import type { SubmissionRow } from "../../../db/submissions/submissions.ts";
import type { HttpContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { closeDownloadOnRevocation } from "../../responses/close-on-revocation.ts";
import { csvOf, sendCsv, wantsCsv } from "../../responses/csv.ts";
import { pageAnswer, pageOf, paging, requireCursor } from "../../responses/paging.ts";
import { object, text } from "../../schemas/basics.ts";
import { IdParams } from "../../schemas.ts";

const MissingFile = object("MissingFile", "A file of a digest list that the source does not have.", {
  key: text("Key that the object would have, or path of the file in the upload."),
  digests: Type.Record(Type.String(), Type.String(), {
    description: "Its stated digests in lower-case hexadecimal, by algorithm.",
  }),
});

const EXAMPLE = {
  key: "measurements/run-8.csv",
  digests: { sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
};
const HEADER = csvOf(["key", "algorithm", "digest"]);
const CSV = HEADER + csvOf([EXAMPLE.key, "sha256", EXAMPLE.digests.sha256]);
const PAGE = 100;

/** Lists the files of digest lists that the source does not have. */
export const submissionMissing = operation({
  route: "GET /submission/:id/missing",
  operationId: "listMissingFiles",
  summary: "List the missing files of a submission",
  description:
    "Returns the files of the digest lists that the source did not have when it was listed, by key. The submission waits with `digest_files_missing`. As `text/csv`, all files are returned unless `limit` is given. The list is empty when the submission is over.",
  tag: "Submissions",
  params: IdParams,
  querystring: Type.Object(paging(PAGE)),
  response: pageAnswer(MissingFile, "files", EXAMPLE, { media: { "text/csv": CSV } }),
  handler: async (context, request, reply) => {
    const row = await requireSubmission(context, request);
    const { limit = PAGE, cursor } = request.query;
    const after = cursor === undefined ? "" : keyOf(requireCursor(cursor, /^[A-Za-z0-9_-]{1,2000}$/));
    const asCsv = wantsCsv(request, reply);
    if (asCsv && request.query.limit === undefined) {
      closeDownloadOnRevocation(context, request, reply);
      return sendCsv(reply, everyLine(context, row, after));
    }
    const rows = await firstKeys(context, row, after, limit + 1);
    const views = await viewsOf(context, row, rows);
    const page = { rows, views, limit, cursor: cursorOf };
    const entries = pageOf(context, request, reply, page);
    return asCsv ? sendCsv(reply, HEADER + entries.map(linesOf).join("")) : entries;
  },
});

function cursorOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** Without NUL, which PostgreSQL's text cannot contain. */
function keyOf(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString("utf8").replaceAll("\0", "");
}

async function firstKeys({ db }: HttpContext, { id, digests }: SubmissionRow, after: string, limit: number) {
  const reading = digests?.reading ?? 0;
  const found: string[] = [];
  for await (const keys of statedKeys(db, id, reading, { after, limit, isMissing: true })) {
    found.push(...keys);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function viewsOf({ db }: HttpContext, { id, digests }: SubmissionRow, keys: readonly string[]) {
  const stated = await statedDigestsOf(db, id, digests?.reading ?? 0, keys);
  return keys.map((key) => ({ key, digests: stated.get(key) ?? {} }));
}

async function* everyLine(context: HttpContext, row: SubmissionRow, after: string): AsyncGenerator<string> {
  yield HEADER;
  const { id, digests } = row;
  for await (const keys of statedKeys(context.db, id, digests?.reading ?? 0, { after, isMissing: true }))
    yield (await viewsOf(context, row, keys)).map(linesOf).join("");
}

function linesOf({ key, digests }: { key: string; digests: Record<string, string> }): string {
  return Object.entries(digests)
    .map(([algorithm, digest]) => csvOf([key, algorithm, digest]))
    .join("");
}
