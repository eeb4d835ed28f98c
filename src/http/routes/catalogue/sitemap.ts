import { publishedAfter, publishedRanges } from "../../../db/catalogue/site-lists.ts";
import { listCollections } from "../../../db/collections/collections.ts";
import { Problem } from "../../../domain/problems.ts";
import { collectionUrl } from "../../collection/view.ts";
import type { HttpContext } from "../../context.ts";
import { datasetUrl, siteUrl } from "../../dataset/readable-version.ts";
import type { Server } from "../../fastify.ts";
import { element, type Xml, xmlDocument } from "../../responses/xml.ts";
import { sendList } from "../../site/send.ts";

const SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9";
/** Numbers of catalogue entries per file. A file may contain 50,000 URLs, some of which are those of the catalogue and of collections. */
const PER_FILE = 40_000;

/**
 * The site map: an index, and files with the addresses of published datasets. Each file covers a range of numbers of catalogue
 * entries, so that a dataset moves to another file only with a new version.
 */
export function sitemap(server: Server, context: HttpContext): void {
  const hidden = { schema: { hide: true } };
  server.get("/sitemap.xml", hidden, async (request, reply) => {
    const ranges = await publishedRanges(context.db, PER_FILE, new Date());
    const found = new Map(ranges.map(({ range, changedAt }) => [range, changedAt]));
    // The first file exists always, because the format requires one.
    const files = [...new Set([0, ...found.keys()])].map((range) =>
      element("sitemap", [
        element("loc", `${siteUrl(context)}/sitemap/${range + 1}.xml`),
        lastModified(found.get(range)),
      ]),
    );
    return sendList(request, reply, XML, xmlDocument(element("sitemapindex", files, { xmlns: SITEMAPS })));
  });

  server.get<{ Params: { file: string } }>("/sitemap/:file", hidden, async (request, reply) => {
    const [, number] = /^([1-9]\d{0,8})\.xml$/.exec(request.params.file) ?? [];
    const range = Number(number) - 1;
    const datasets =
      number === undefined
        ? []
        : await publishedAfter(context.db, {
            after: String(range * PER_FILE),
            until: String((range + 1) * PER_FILE),
            limit: PER_FILE,
            now: new Date(),
          });
    if (datasets.length === 0 && range !== 0) throw new Problem("not_found", "The site map has no such file");
    const home = range === 0 ? await ownPages(context) : [];
    const urls = datasets.map(({ dataset_id: id, changed_at }) =>
      element("url", [element("loc", datasetUrl(context, { id })), lastModified(changed_at)]),
    );
    const document = xmlDocument(element("urlset", [...home, ...urls], { xmlns: SITEMAPS }));
    return sendList(request, reply, XML, document);
  });
}

/** The pages that are about no single dataset. There are few collections (`too_many_collections`). */
async function ownPages(context: HttpContext): Promise<Xml[]> {
  const collections = await listCollections(context.db);
  const pages = [
    `${siteUrl(context)}/`,
    ...(context.branding.about.length === 0 ? [] : [`${siteUrl(context)}/about`]),
    ...(collections.length === 0 ? [] : [`${siteUrl(context)}/collections`]),
    ...collections.map(({ id }) => collectionUrl(context, id)),
  ];
  return pages.map((page) => element("url", element("loc", page)));
}

const XML = "application/xml; charset=utf-8";

function lastModified(time: Date | undefined): Xml | undefined {
  return time && element("lastmod", time.toISOString());
}
