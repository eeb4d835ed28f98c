import { Type } from "typebox";
import { type Months, sumOf, usageByDataset, usageByMonth, usageOfAll } from "../../../db/usage/read.ts";
import { Problem } from "../../../domain/problems.ts";
import type { HttpContext } from "../../context.ts";
import { datasetUrl } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/catalogue-examples.ts";
import { nextPage } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { csvOf, sendCsv, wantsCsv } from "../../responses/csv.ts";
import { linkNext, paging, requireCursor } from "../../responses/paging.ts";
import { optionalText } from "../../schemas/basics.ts";
import { CatalogueUsage } from "../../schemas/usage.ts";
import { requireUsage, USAGE_COLUMNS, usageLines } from "../../usage/usage.ts";

/** Default number of datasets per page. */
const PAGE = 100;
/** Datasets whose lines of CSV are read together. */
const BATCH = 500;
const COLUMNS = ["Dataset", "Title", ...USAGE_COLUMNS] as const;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const month = (description: string) =>
  optionalText({ pattern: "^[12][0-9]{3}-(?:0[1-9]|1[0-2])$", description, examples: ["2026-01"] });

const [used] = examples.catalogueUsage.datasets;
const [inMonth] = examples.catalogueUsage.months;
const csv = csvOf(COLUMNS) + (used && inMonth ? usageLines(inMonth, [used.id, used.title]) : "");

/** Returns how often all published datasets were used, in total, by month, and by dataset. */
export const catalogueUsage = operation({
  route: "GET /usage",
  operationId: "getUsage",
  summary: "Retrieve the usage statistics of all datasets",
  description:
    "Returns how often all datasets that are or were published were used, in total, by month and by dataset, by the rules of COUNTER R5.1 (docs/usage-statistics.md). As `text/csv`, the lines of all datasets and months are returned unless `limit` is given.",
  tag: "Catalogue",
  problems: ["not_found"],
  querystring: Type.Object({
    from: month("First month, `YYYY-MM` in UTC. Default: eleven months before the last one."),
    until: month("Last month, `YYYY-MM` in UTC. Default: the present month."),
    ...paging(PAGE),
  }),
  response: {
    200: documented(CatalogueUsage, {
      description: "The usage statistics, with a page of datasets.",
      headers: { Link: nextPage },
      example: examples.catalogueUsage,
      media: { "text/csv": csv },
    }),
  },
  handler: async (context, request, reply) => {
    requireUsage(context);
    const { limit, cursor } = request.query;
    const months = monthsOf(request.query, new Date());
    const after = cursor === undefined ? undefined : requireCursor(cursor, UUID);
    const asCsv = wantsCsv(request, reply);
    if (asCsv && limit === undefined) return sendCsv(reply, everyLine(context, months, after));
    const size = limit ?? PAGE;
    const found = await usageByDataset(context.db, months, { after, limit: size + 1 });
    const page = found.slice(0, size);
    const last = page.at(-1);
    if (found.length > size && last !== undefined) linkNext(request, reply, context.basePath, last.dataset);
    if (asCsv) return sendCsv(reply, csvOf(COLUMNS) + (await linesOf(context, months, page)));
    const all = await usageOfAll(context.db, months);
    const datasets = page.map(({ dataset, title, regular, machine }) => ({
      id: dataset,
      url: datasetUrl(context, { id: dataset }),
      ...{ title, regular, machine },
    }));
    return { ...months, total: sumOf(all), months: all, datasets };
  },
});

/** @throws Problem `bad_request` */
function monthsOf(query: { from?: string; until?: string }, now: Date): Months {
  const { until = now.toISOString().slice(0, 7) } = query;
  const [year = 0, last = 1] = until.split("-").map(Number);
  const { from = new Date(Date.UTC(year, last - 12, 1)).toISOString().slice(0, 7) } = query;
  if (from > until) throw new Problem("bad_request", "The month “from” is after the month “until”");
  return { from, until };
}

async function* everyLine(context: HttpContext, months: Months, start: string | undefined): AsyncGenerator<string> {
  yield csvOf(COLUMNS);
  let after = start;
  for (;;) {
    const found = await usageByDataset(context.db, months, { after, limit: BATCH });
    yield await linesOf(context, months, found);
    after = found.at(-1)?.dataset;
    if (found.length < BATCH) return;
  }
}

async function linesOf({ db }: HttpContext, months: Months, used: readonly { dataset: string }[]): Promise<string> {
  const datasets = used.map(({ dataset }) => dataset);
  const found = await usageByMonth(db, months, datasets);
  return found.map((one) => usageLines(one, [one.dataset, one.title])).join("");
}
