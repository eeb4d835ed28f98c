import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { archiveAs, type PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { shown, unescaped } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Its files are open, and not under the embargo of the example. */
const { embargoDate: _, ...openMetadata } = maximalMetadata;

const HOSTILE = `Roots </title></script><script>alert(1)</script> & "it's"`;
let s3: S3Server;
let service: TestService;
let maximal: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct", ACCESSION_PUBLISHER: "Archive & Sons" });
  const files = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`plots/<${n}>.csv`, `1;${n}`]));
  maximal = await publishAs(service, s3, { metadata: openMetadata, files });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + path, { redirect: "manual", headers: { accept: "text/html", ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const landing = (one: PublicationClient, query = "", headers = {}) => open(`/dataset/${one.dataset}${query}`, headers);

describe("the landing page", () => {
  test("quotes the address in the command for readers without scripts, because shells interpret the question mark", async () => {
    const { text } = await landing(maximal);
    expect(text).toContain(`accession compare DIR "${service.url}/dataset/${maximal.dataset}?version=1"`);
  });

  test("shows all public metadata, and no private ones", async () => {
    const { status, text } = await landing(maximal);
    expect(status).toBe(200);
    const page = shown(text);
    for (const wanted of [
      maximalMetadata.title,
      maximalMetadata.description,
      "Carberry, Josiah",
      "Root Imaging Consortium",
      "Brown University",
      "Leibniz Institute of Plant Genetics",
      "Creative Commons Attribution 4.0 International",
      "Hordeum vulgare",
      "Roots of barley",
      "is derived from:",
      "Phenotyping of crops below ground",
      "51.8267° N",
      "Curator, Ada (Data curator)",
      "4 May 2026 – 27 July 2026 (Weekly photographs)",
      "for any purpose if they credit the authors",
      "We thank the gardeners",
      "45 files",
      "45 files have names that are not possible on every system",
      "Windows does not allow a character of this name.",
      "and 25 more",
      "plots/<0>.csv",
      "Archive & Sons",
    ]) {
      expect(page).toContain(wanted);
    }
    for (const hidden of ["Prospect Street", "02912-1234", "Providence", s3.endpoint, "bucket-"]) {
      expect(text).not.toContain(hidden);
    }
    expect(text).toContain('href="https://orcid.org/0000-0002-1825-0097"');
    expect(text).toContain('href="https://ror.org/02skbsp27"');
  });

  test("is the same in German, with its own alternates, and the text of the metadata in its language", async () => {
    const german = await landing(maximal, "", { "accept-language": "de-AT,de;q=0.9,en;q=0.5" });
    expect(german.text).toContain('<html lang="de">');
    expect(shown(german.text)).toContain("Verwandte Werke");
    expect(shown(german.text)).toContain("[Datensatz]");
    expect(shown(german.text)).not.toContain("[Data set]");
    expect(german.text).toContain(`hreflang="en" href="${service.url}/dataset/${maximal.dataset}?lang=en"`);
    expect(german.text).toContain('<h1 lang="de">');
    expect((await landing(maximal, "?lang=en", { "accept-language": "de" })).text).toContain('<html lang="en">');
    expect(german.headers.get("vary")).toBe("Origin, Accept, Accept-Language");
  });

  test("has its head for machines: JSON-LD, tags of reference managers, and Open Graph", async () => {
    const { text } = await landing(maximal);
    const [, data = ""] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      "@type": "Dataset",
      name: maximalMetadata.title,
      includedInDataCatalog: { "@type": "DataCatalog", name: "Archive & Sons", url: `${service.url}/` },
    });
    const tags = [...text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"(?: lang="[^"]+")?>/g)].map(
      ([, name, value]) => [name, unescaped(value ?? "")],
    );
    expect(tags).toContainEqual(["citation_title", maximalMetadata.title]);
    expect(tags).toContainEqual(["citation_author", "Carberry, Josiah"]);
    expect(tags).toContainEqual(["citation_author_institution", "Brown University"]);
    expect(tags).toContainEqual(["og:site_name", "Archive & Sons"]);
    // The same elements as the export in Dublin Core, in which texts are not shortened.
    const xml = await (await fetch(`${service.url}/dataset/${maximal.dataset}/export/dublin-core`)).text();
    const elements = [...xml.matchAll(/<dc:(\w+)[^>]*>([^<]*)</g)].map(([, name, value]) => [
      `DC.${name}`,
      unescaped(value ?? ""),
    ]);
    const names = "title creator subject description publisher contributor date type identifier relation".split(" ");
    expect([...new Set(elements.map(([name]) => name))]).toEqual(
      [...names, "coverage", "language", "rights"].map((name) => `DC.${name}`),
    );
    expect(tags.filter(([name]) => name?.startsWith("DC."))).toEqual(elements);
    expect(text).toContain('<meta name="DC.title" content="Gerstenwurzelbilder der Feldsaison" lang="de-AT">');
    for (const schema of ["DC", "DCTERMS"])
      expect(text).toContain(`<link rel="schema.${schema}" href="http://purl.org/dc/`);
  });

  test("cites the dataset in several styles, names the formats in words, and shows the markup of descriptions", async () => {
    const description = "<p>Roots of <i>Hordeum vulgare</i>, H<sub>2</sub>O</p><script>alert(1)</script>";
    const { authors } = maximalMetadata;
    const keywords = ["Barley & roots"];
    const titles = [{ title: "A second title", titleType: "Subtitle" }];
    const one = await publishAs(service, s3, {
      metadata: { ...goodMetadata, authors, description, titles, subjects: keywords },
    });
    const { text } = await landing(one);
    expect(text).toContain(
      "<p>Roots of <i>Hordeum vulgare</i>, H<sub>2</sub>O</p>&lt;script&gt;alert(1)&lt;/script&gt;",
    );
    expect(text).toContain('<meta name="description" content="Roots of Hordeum vulgare, H2O');
    const page = shown(text);
    for (const wanted of [
      "Carberry, J.",
      "@misc{carberry",
      "Croissant (JSON-LD)",
      "DataCite (XML)",
      "A second title",
    ]) {
      expect(page).toContain(wanted);
    }
    expect(text).toContain(`href="${service.url}/dataset/${one.dataset}/export/ris"`);
    const [, keyword = ""] = /<a href="([^"]+)">Barley &amp; roots<\/a>/.exec(text) ?? [];
    expect((await open(unescaped(keyword))).text).toContain(`/dataset/${one.dataset}`);
  });

  test("has a description that search engines accept, and the day on which it was changed", async () => {
    const description = "Roots were photographed each week. ".repeat(400);
    const one = await publishAs(service, s3, { metadata: { ...goodMetadata, description } });
    const embedded = async () => {
      const { text } = await landing(one);
      return JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(text)?.[1] ?? "{}");
    };
    const before = await embedded();
    expect(before.description).toMatch(/^Roots were photographed.{4900,4990}…$/);
    expect(before.dateModified).toBeUndefined();
    const changed = await service.api.send(`/dataset/${one.dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, description: "Short." } }),
      headers: { "content-type": "application/json", "if-match": "*" },
    });
    expect(changed.status).toBe(200);
    await vi.waitUntil(async () => (await embedded()).description === "Short.");
    expect((await embedded()).dateModified).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("can be linked from other sites with its files and exports, which their scripts and frames do not get", {
    tags: "extended",
  }, async () => {
    const path = `/dataset/${maximal.dataset}`;
    const link = { accept: "text/html,*/*;q=0.8", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    // Unlike `fetch`, this sends exactly these headers.
    const statusOf = async (to: string, headers: Record<string, string>) => {
      const { statusCode, body } = await request(service.url + to, { headers: { ...link, ...headers } });
      await body.dump();
      return statusCode;
    };
    for (const to of ["", "/files/data/plots/%3C0%3E.csv", "/export/bibtex", "/export/bagit"]) {
      const asked = [
        { "sec-fetch-dest": "document" },
        { "sec-fetch-dest": "iframe" },
        { "sec-fetch-dest": "empty", "sec-fetch-mode": "no-cors" },
      ];
      expect(await Promise.all(asked.map((headers) => statusOf(path + to, headers)))).toEqual([200, 403, 403]);
    }
    expect(await statusOf("/submission", { "sec-fetch-dest": "document" })).toBe(403);
    expect(await statusOf("/datasets?q=roots", { "sec-fetch-dest": "document" })).toBe(200);
  });

  test("is sent again only if it changed", async () => {
    const first = await landing(maximal);
    const etag = first.headers.get("etag") ?? "";
    const same = await landing(maximal, "", { "if-none-match": `"x", ${etag}` });
    expect([same.status, same.text]).toEqual([304, ""]);
    expect((await landing(maximal, "", { "if-none-match": '"x"' })).status).toBe(200);
    expect(Date.parse(first.headers.get("last-modified") ?? "")).toBeLessThanOrEqual(Date.now());
    expect(first.text.length).toBeLessThan(100_000);
  });

  test("shows hostile texts as texts, and follows changes of metadata, access and versions", async () => {
    const metadata = { ...goodMetadata, title: HOSTILE, description: HOSTILE, subjects: [HOSTILE] };
    const one = await publishAs(service, s3, { metadata, request: { access: "restricted", reason: HOSTILE } });
    const closed = await landing(one);
    expect(closed.text).not.toContain("<script>alert");
    expect(shown(closed.text)).toContain(HOSTILE);
    expect(shown(closed.text)).toContain("Access to the files is restricted.");
    expect(closed.text).not.toContain("a.csv");
    await one.done("none", "change-access", { access: "open", reason: "Agreed" });
    expect((await landing(one)).text).toContain("a.csv");
    await archiveAs(service, s3, undefined, {
      metadata: { ...goodMetadata, title: "Roots, again" },
      more: { dataset: { id: one.dataset } },
    });
    expect(shown((await landing(one)).text)).not.toContain("Roots, again");
    const second = await service.api.post(`/dataset/${one.dataset}/publication/request?version=2`, {
      agreement: true,
      access: "open",
    });
    expect(second.status).toBe(200);
    await vi.waitUntil(async () => (await landing(one)).text.includes("Roots, again"));
    const changes = shown((await landing(one)).text);
    expect(changes).toContain("Changes since version 1");
    expect(changes).toContain("The files are the same.");
    expect(changes).toContain("Changed metadata: Title, Description, Keywords");
    const older = await landing(one, "?version=1");
    expect(shown(older.text)).not.toContain("Changes since");
    expect(shown(older.text)).toContain("A newer version of this dataset is available.");
    await service.api.post(`/dataset/${one.dataset}/publication/withdraw?version=1`, { reason: HOSTILE });
    const gone = await landing(one, "?version=1");
    expect(gone.status).toBe(410);
    expect(gone.text).not.toContain("<script>alert");
    expect(shown(gone.text)).toContain("Version 1 was withdrawn and is no longer public. The archive keeps its files");
    expect(gone.text).toContain('<meta name="robots" content="noindex">');
    expect(gone.text).toContain(`href="/dataset/${one.dataset}?version=2"`);
  });

  test("shows no earlier state after a change was answered, also while many readers open it", {
    tags: "extended",
  }, async () => {
    const one = await publishAs(service, s3, { request: { access: "restricted", reason: "Personal data" } });
    let isOver = false;
    const readers = Array.from({ length: 8 }, async () => {
      while (!isOver) await landing(one);
    });
    try {
      for (let n = 1; n <= 5; n++) {
        const title = `Title ${n} of the roots`;
        const changed = await service.api.send(`/dataset/${one.dataset}/metadata`, {
          method: "PUT",
          body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
          headers: { "content-type": "application/json", "if-match": "*" },
        });
        expect(changed.status).toBe(200);
        expect((await landing(one)).text).toContain(`>${title}</h1>`);
        const access = n % 2 === 1 ? "open" : "restricted";
        await one.done("none", "change-access", { access, reason: "Decided again" });
        expect((await landing(one)).text.includes("a.csv")).toBe(access === "open");
      }
    } finally {
      isOver = true;
      await Promise.all(readers);
    }
  });
});

describe("the catalogue page", () => {
  test("finds datasets, marks the matches, and offers values that narrow the search down", async () => {
    const { status, text } = await open("/?q=barley+photographs");
    expect(status).toBe(200);
    expect(text).toContain("<mark>Barley</mark> root images");
    expect(shown(text)).toContain("1 dataset for “barley photographs”");
    expect(shown((await open("/?q=nothing+at+all")).text)).toContain("No dataset was found.");
    const narrowed = await open(`/?author=${encodeURIComponent("https://orcid.org/0000-0002-1825-0097")}&format=csv`);
    expect(shown(narrowed.text)).toContain(maximalMetadata.title);
    expect(shown(narrowed.text)).toContain("Remove all filters");
  });

  test.each([
    "/?q=%00&page=-1&sort=none&subject=&unknown=1",
    "/?q[]=a&q=b&subject=x&subject=x&page=99999",
    `/?q=${"%F0%9F%8C%BE".repeat(80)}`,
    "/?q=%22&lang=xx",
    `/?q=${encodeURIComponent("<script>alert(1)</script>")}&type=%3Cb%3E`,
  ])("answers whatever its address says: %s", async (path) => {
    const { status, text } = await open(path);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script>alert|<b>/);
  });

  test("is the application of a service that only archives", { tags: "extended" }, async () => {
    await service.restart(undefined, { ACCESSION_PUBLICATION: "off" });
    const { status, headers } = await open("/");
    expect([status, headers.get("location")]).toEqual([302, "/app/"]);
    await service.restart(undefined, { ACCESSION_PUBLICATION: "direct" });
  });
});
