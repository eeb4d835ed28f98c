import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs, untilCatalogued } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const author = { role: "Creator", lastName: "Müller", firstName: "Änne", orcid: "0000-0002-1825-0097" };

const DATASETS = {
  wheat: {
    metadata: {
      ...goodMetadata,
      title: "Drought responses of winter wheat",
      description: "<p>Yields of <strong>twenty cultivars</strong> were measured in plots without irrigation.</p>",
      authors: [author],
      subjects: ["wheat", "drought"],
    },
    files: { "README.md": "# Plots", "weather/rainfall-2025.csv": "1;2", "weather/rainfall-2026.csv": "3;4" },
  },
  barley: {
    metadata: {
      ...goodMetadata,
      title: "Gerstenerträge und Düngung",
      description: "Messungen an Häusern mit Beeten. Keine Angabe zu Weizen.",
      authors: [{ ...author, firstName: "Anna", lastName: "Schäfer", orcid: "0000-0001-5109-3700" }],
      subjects: ["Gerste", "drought"],
    },
    files: { "secret-plots.tiff": "x" },
    request: { access: "embargoed", embargoDate: inDays(30), reason: "A paper is in review" },
  },
  images: {
    metadata: {
      ...goodMetadata,
      title: "Café images of the plots",
      description: "The wheat is visible.<br>Measured by people.&#0;&#1;&#xD800;",
      authors: [author],
      subjects: ["images"],
      license: "MIT",
      fundingReferences: [{ funderName: "Plant Fund" }],
    },
    files: { "confidential-names.png": "x" },
    request: { access: "restricted", reason: "Persons are visible" },
  },
};
type Name = keyof typeof DATASETS;

let s3: S3Server;
let service: TestService;
const published: Partial<Record<Name, PublicationClient>> = {};

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  for (const [name, dataset] of Object.entries(DATASETS))
    published[name as Name] = await publishAs(service, s3, dataset);
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const search = (query: string) => service.api.get(`/datasets?${query}`);
async function found(query: string): Promise<string[]> {
  const { status, json, text } = await search(query);
  if (status !== 200) throw new Error(`${status} ${text}`);
  const names = new Map(Object.entries(published).map(([name, { dataset }]) => [dataset, name]));
  return json.datasets.map(({ id }: { id: string }) => names.get(id) ?? id);
}
const q = (text: string) => found(new URLSearchParams({ q: text }).toString());

describe("a search finds", () => {
  test.each([
    ["", ["images", "barley", "wheat"]],
    ["wheat drought", ["wheat"]],
    ["wheat", ["wheat", "images"]],
    ["WHEAT", ["wheat", "images"]],
    ["drough", ["wheat", "barley"]],
    ["measurement", ["images", "wheat"]],
    ["haus", ["barley"]],
    ["Gerstenertrag", ["barley"]],
    ["gerstenertraege", ["barley"]],
    ["cafe", ["images"]],
    ["Mueller", ["wheat", "images"]],
    ["Muller", ["wheat", "images"]],
    ["Müller", ["wheat", "images"]],
    ["0000-0001-5109-3700", ["barley"]],
    ['"winter wheat"', ["wheat"]],
    ['"wheat winter"', []],
    ["wheat -drought", ["images"]],
    ['wheat -"winter wheat"', ["images"]],
    ["responses of the wheat", ["wheat"]],
    ["rainfall", ["wheat"]],
    ["rainfall-2025.csv", ["wheat"]],
    ["nothing", []],
    ["'); drop table dataset; --", []],
    ["& | ! ( ) :* <->", ["images", "barley", "wheat"]],
    ["\\ \u{1f33e} wheat'", ["wheat", "images"]],
  ])("“%s”", async (text, names) => {
    const result = await q(text);
    // Equally good ones are in any order, unless the list is sorted by time.
    expect(text === "" || /^&/.test(text) ? result : result.toSorted()).toEqual(
      text === "" || /^&/.test(text) ? names : names.toSorted(),
    );
  });
});

test("each file is found by its whole name, also if its words are in other names", async () => {
  for (const name of [
    "rainfall-2025.csv",
    "rainfall-2026.csv",
    "weather/rainfall-2026.csv",
    '"rainfall 2026"',
    "rainfall-2026",
  ]) {
    expect([name, await q(name)]).toEqual([name, ["wheat"]]);
  }
  expect(await q("rainfall-2027.csv")).toEqual([]);
});

test("words in names of several files are no reason to leave a dataset out", async () => {
  expect(await q('cultivars -"rainfall readme"')).toEqual(["wheat"]);
});

test("the markup of descriptions is neither shown nor searched", async () => {
  expect(await q("strong")).toEqual([]);
  const { json } = await service.api.get("/datasets?q=cultivars");
  expect(json.datasets[0].description).toBe("Yields of twenty cultivars were measured in plots without irrigation.");
  const shown = await service.api.get("/?q=cultivars", { accept: "text/html" });
  expect(shown.text).toContain("were measured in plots");
  expect(shown.text).not.toContain("strong&gt;");
  const feed = await service.api.get("/feed.atom?q=cultivars");
  expect(feed.text).toContain("Yields of twenty cultivars were");
  for (const format of ["bibtex", "ris", "csl", "dublin-core", "schema-org", "dcat"]) {
    const { status, text } = await service.api.get(`/dataset/${json.datasets[0].id}/export/${format}`);
    expect([format, status, /strong/.test(text)]).toEqual([format, 200, false]);
  }
});

test("a match in the title is better than one in the description", async () => {
  expect(await q("wheat")).toEqual(["wheat", "images"]);
});

test("names of files that are closed are not searched, until the files are open", async () => {
  expect(await q("confidential")).toEqual([]);
  expect(await q("secret")).toEqual([]);
  expect(await q("secret -wheat")).toEqual([]);
  // Excluding a word of a closed name reveals nothing, either.
  expect((await q("-confidential")).toSorted()).toEqual(["barley", "images", "wheat"]);
  const images = published.images as PublicationClient;
  await images.done("none", "change-access", { access: "open", reason: "The persons agreed" });
  expect(await q("confidential")).toEqual(["images"]);
  await images.done("none", "change-access", { access: "restricted", reason: "A person objected" });
  expect(await q("confidential")).toEqual([]);
});

describe("values narrow a search down", () => {
  test.each([
    ["subject=drought", ["barley", "wheat"]],
    ["subject=drought&subject=images", ["images", "barley", "wheat"]],
    ["subject=drought&subject=images&licence=MIT", ["images"]],
    [`author=${encodeURIComponent("https://orcid.org/0000-0002-1825-0097")}`, ["images", "wheat"]],
    ["licence=MIT", ["images"]],
    ["format=csv", ["wheat"]],
    ["access=open", ["wheat"]],
    ["access=embargoed&access=restricted", ["images", "barley"]],
    ["type=Dataset&year=1066", []],
    ["q=wheat&access=restricted", ["images"]],
    ["subject=unknown", []],
  ])("%s", async (query, names) => {
    expect((await found(query)).toSorted()).toEqual(names.toSorted());
  });

  test("and are counted, those of a chosen kind as if none were chosen", async () => {
    const { json } = await search("facets=true&subject=images");
    const of = (kind: string) =>
      Object.fromEntries(
        json.facets
          .filter((facet: { kind: string }) => facet.kind === kind)
          .map(({ label, datasets }: { label: string; datasets: number }) => [label, datasets]),
      );
    expect(json.total).toBe(1);
    expect(of("subject")).toEqual({ drought: 2, images: 1, wheat: 1, Gerste: 1 });
    expect(of("licence")).toEqual({ "MIT License": 1 });
    expect(of("access")).toEqual({ restricted: 1 });
    expect(of("author")).toEqual({ "Müller, Änne": 1 });
  });
});

test("pages continue without a loss or a repetition, in each order", async () => {
  for (const sort of ["newest", "oldest", "title", "relevance"]) {
    for (const text of ["", "q=plots&"]) {
      const all = await found(`${text}sort=${sort}`);
      const paged: string[] = [];
      let path: string | undefined = `/datasets?${text}sort=${sort}&limit=1`;
      while (path !== undefined) {
        const answer = await service.api.get(path);
        expect(answer.status).toBe(200);
        expect(answer.json.total).toBe(all.length);
        paged.push(...answer.json.datasets.map(({ id }: { id: string }) => id));
        path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
      }
      expect([sort, paged.length, new Set(paged).size]).toEqual([sort, all.length, all.length]);
    }
  }
  expect((await search("cursor=AAAA")).status).toBe(400);
});

test("the words that match are named, so that they can be marked", async () => {
  const { json } = await search("q=measurements%20plot");
  expect(json.matches.toSorted()).toEqual(["measured", "plots"]);
});

test("changed metadata are found, and a withdrawn dataset is not found any more, from the answer on", async () => {
  const one = await publishAs(service, s3, { metadata: { ...goodMetadata, title: "Ephemeral rye" } });
  expect(await q("ephemeral")).toEqual([one.dataset]);
  const changed = await service.api.send(`/dataset/${one.dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title: "Lasting rye" } }),
    headers: { "content-type": "application/json", "if-match": "*" },
  });
  expect(changed.status).toBe(200);
  await untilCatalogued(service, one.dataset, "Lasting rye");
  expect(await q("lasting")).toEqual([one.dataset]);
  expect(await q("ephemeral")).toEqual([]);
  await one.done("none", "withdraw", { reason: "A mistake" });
  expect(await q("lasting")).toEqual([]);
});

test("each dataset states where the words were found; names of closed files are no such place", async () => {
  const placesOf = async (text: string) => {
    const { json } = await search(new URLSearchParams({ q: text }).toString());
    return json.datasets.map(({ title, matchedIn }: { title: string; matchedIn: string[] }) => [title, matchedIn]);
  };
  expect(await placesOf("rainfall")).toEqual([["Drought responses of winter wheat", ["files"]]]);
  expect(await placesOf("winter drought irrigation")).toEqual([
    ["Drought responses of winter wheat", ["title", "names", "metadata"]],
  ]);
  expect(await placesOf("Beete secret")).toEqual([]);
  expect(await placesOf("Beete -wheat")).toEqual([["Gerstenerträge und Düngung", ["metadata"]]]);
  expect(await placesOf("")).toHaveLength(3);
  expect((await placesOf("")).flatMap(([, places]: [string, string[]]) => places)).toEqual([]);
});

describe("the page of a search", () => {
  const page = (query: string) => service.api.get(`/?${query}`, { accept: "text/html", "accept-language": "en" });

  test("says why a dataset was found if its texts do not show it", async () => {
    expect((await page("q=rainfall")).text).toContain("Found in: names of files");
    const named = (await page("q=drought+gerste")).text;
    expect(named).toMatch(/Keywords: <mark>Gerste<\/mark>, <mark>drought<\/mark>/);
    expect(named).not.toContain("Found in:");
    expect((await page("")).text).not.toContain("Found in:");
  });

  test("offers the only value of a filter unless all found datasets have it", async () => {
    expect((await page("")).text).toContain('id="filter-funder"');
    expect((await page("q=café")).text).not.toContain('id="filter-funder"');
  });

  test("leads to the feed of the search, which finds the same datasets", async () => {
    const { text } = await page("q=wheat&licence=MIT&sort=oldest");
    const [, address = ""] =
      /<link rel="alternate" type="application\/atom\+xml" href="(\/feed\.atom\?[^"]+)"/.exec(text) ?? [];
    expect(text).toContain(`<a href="${address}">Feed of this search</a>`);
    const feed = await service.api.get(address.replaceAll("&amp;", "&"));
    expect(feed.status).toBe(200);
    expect(feed.text.match(/<entry>/g)).toHaveLength(1);
    expect(feed.text).toContain("Café images of the plots");
  });

  test("lists the most frequent values of a kind, and more of them on demand", async () => {
    const subjects = Array.from({ length: 12 }, (_, n) => `Keyword ${String(n).padStart(2, "0")}`);
    await publishAs(service, s3, { metadata: { ...goodMetadata, title: "Rye with many keywords", subjects } });
    const listed = (text: string) => subjects.filter((subject) => text.includes(`>${subject}</a>`)).length;
    const few = (await page("q=keyword")).text;
    expect(listed(few)).toBe(10);
    const [, address = ""] = /href="(\/\?[^"#]*more=subject[^"#]*)#filter-subject"/.exec(few) ?? [];
    const many = await service.api.get(address.replaceAll("&amp;", "&"), { accept: "text/html" });
    expect(listed(many.text)).toBe(12);
    expect(many.text).toContain("Show fewer");
    expect((await search("q=keyword&facets=true&facetLimit=11")).json.facets.filter(isSubject)).toHaveLength(11);
    expect((await search("q=keyword&facets=true")).json.facets.filter(isSubject)).toHaveLength(10);
    // A kind that does not exist is ignored, as everything in the address of a page that is not understood.
    expect(listed((await page("q=keyword&more=owner")).text)).toBe(10);
  });
});

const isSubject = ({ kind }: { kind: string }) => kind === "subject";
