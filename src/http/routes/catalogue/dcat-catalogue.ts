import { Type } from "typebox";
import { type ListedDataset, publishedAfter } from "../../../db/catalogue/site-lists.ts";
import { METADATA_FORMATS } from "../../../describe/formats/formats.ts";
import { keyOfVersion, PublishedDescriptions } from "../../catalogue/describe-published.ts";
import type { HttpContext } from "../../context.ts";
import { siteUrl } from "../../dataset/readable-version.ts";
import type { Server } from "../../fastify.ts";
import { optionalText } from "../../schemas/basics.ts";
import { sendList } from "../../site/send.ts";

/** Datasets per page, and datasets that are described together. */
const PAGE = 100;
const TOGETHER = 10;
/** A page ends before its limit when it has become this large. */
const MOST_CHARACTERS = 4 * 2 ** 20;

const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dcterms: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  hydra: "http://www.w3.org/ns/hydra/core#",
};

/** The published datasets as a catalogue according to DCAT-AP, in pages. Each is described with its newest version. */
export function dcatCatalogue(server: Server, context: HttpContext): void {
  const descriptions = new PublishedDescriptions(context);
  const after = optionalText({ pattern: "^\\d{1,18}$" });
  const schema = { hide: true, querystring: Type.Object({ after }) };
  server.get("/catalogue.jsonld", { schema }, async (request, reply) => {
    const { after: start = "0" } = request.query;
    const listed = await publishedAfter(context.db, { after: start, limit: PAGE + 1, now: new Date() });
    const { contexts, datasets, last } = await describe(descriptions, listed.slice(0, PAGE));
    const hasMore = last !== undefined && last !== listed.at(-1);
    const address = `${siteUrl(context)}/catalogue.jsonld`;
    const page = (position: string) => ({ "@id": position === "0" ? address : `${address}?after=${position}` });
    const document = JSON.stringify({
      "@context": { ...Object.assign({}, ...contexts), ...CONTEXT },
      "@graph": [
        catalogueOf(context, datasets),
        {
          ...page(start),
          "@type": "hydra:PartialCollectionView",
          "hydra:first": page("0"),
          ...(hasMore && { "hydra:next": page(last.no) }),
        },
        ...datasets,
      ],
    });
    return sendList(request, reply, `application/ld+json; profile="http://www.w3.org/ns/dcat#"`, document);
  });
}

function catalogueOf(context: HttpContext, datasets: readonly { "@id"?: string }[]): object {
  const { name, url, ror } = context.publisher;
  return {
    "@id": `${siteUrl(context)}/`,
    "@type": "dcat:Catalog",
    "dcterms:title": name,
    "dcterms:description": `Published datasets of ${name}`,
    "dcterms:publisher": {
      ...(ror !== undefined && { "@id": ror }),
      "@type": "foaf:Organization",
      "foaf:name": name,
      ...(url !== undefined && { "foaf:homepage": { "@id": url } }),
    },
    "foaf:homepage": { "@id": `${siteUrl(context)}/` },
    "dcat:dataset": datasets.map((dataset) => ({ "@id": dataset["@id"] })),
  };
}

/** Describes datasets in order, until the page is full. `last` is the last one that was read. */
async function describe(descriptions: PublishedDescriptions, listed: readonly ListedDataset[]) {
  const contexts: object[] = [];
  const datasets: { "@id"?: string }[] = [];
  let last: ListedDataset | undefined;
  let characters = 0;
  for (let start = 0; start < listed.length && characters < MOST_CHARACTERS; start += TOGETHER) {
    const some = listed.slice(start, start + TOGETHER);
    const described = await descriptions.of(some, { mediaTypes: false });
    for (const one of some) {
      last = one;
      const found = described.get(keyOfVersion(one));
      if (found === undefined) continue;
      const text = METADATA_FORMATS.dcat.write(found);
      characters += text.length;
      const { "@context": vocabularies, ...dataset } = JSON.parse(text) as { "@context": object; "@id"?: string };
      contexts.push(vocabularies);
      datasets.push(dataset);
    }
  }
  return { contexts, datasets, last };
}
