import type { HttpContext } from "../../context.ts";
import { siteUrl } from "../../dataset/readable-version.ts";
import type { Server } from "../../fastify.ts";
import { element, xmlDocument } from "../../responses/xml.ts";
import { sendList, siteOf } from "../../site/send.ts";

const OPEN_SEARCH = "http://a9.com/-/spec/opensearch/1.1/";
const LONGEST_SHORT_NAME = 16;
const LONGEST_LONG_NAME = 48;

/** Describes the search of the catalogue for browsers and other search clients (OpenSearch 1.1). */
export function openSearch(server: Server, context: HttpContext): void {
  server.get("/opensearch.xml", { schema: { hide: true } }, async (request, reply) => {
    const { name } = siteOf(context);
    const url = siteUrl(context);
    const document = element(
      "OpenSearchDescription",
      [
        element("ShortName", name.slice(0, LONGEST_SHORT_NAME).trim()),
        element("Description", `Published datasets of ${name}`),
        element("Url", undefined, { type: "text/html", template: `${url}/?q={searchTerms}` }),
        element("Url", undefined, { type: "application/atom+xml", template: `${url}/feed.atom?q={searchTerms}` }),
        element("LongName", name.slice(0, LONGEST_LONG_NAME).trim()),
        element("OutputEncoding", "UTF-8"),
        element("InputEncoding", "UTF-8"),
      ],
      { xmlns: OPEN_SEARCH },
    );
    return sendList(request, reply, "application/opensearchdescription+xml; charset=utf-8", xmlDocument(document));
  });
}
