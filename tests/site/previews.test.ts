import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { CSV, HOSTILE_HTML, HOSTILE_SVG, OBJECTS } from "../support/data-source/odd-dataset.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const PDF = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";
const README = `# Roots <script>alert(1)</script>

A paragraph with *emphasis*, <b>HTML</b>, [the table](tables/data.csv), [a folder](tables/), [elsewhere](https://example.org/),
[code](javascript:alert(1)), [above](../../etc/passwd), [root](/app/) and [data](data:text/html,x).

![a leaf](images/leaf.png) ![tracker](https://example.org/pixel.png) ![](//example.org/x.png)

| plot | depth |
| --- | --- |
| 1 | 20 |

<iframe src="https://example.org/"></iframe><img src=x onerror=alert(1)>
`;

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

const FILES: Record<string, string | Buffer> = {
  "README.md": README,
  "tables/readme.TXT": "As text: <b>not bold</b>\n# no heading",
  "tables/data.csv": CSV,
  "tables/tabs.tsv": "a\tb\n1\t2\n",
  "tables/long.csv": Array.from({ length: 200 }, (_, n) => `${n};x`).join("\n"),
  "tables/wide.csv": `${Array.from({ length: 10_000 }, (_, n) => `column ${n}`).join(",")}\n${"1,".repeat(9_999)}1\n`,
  "tables/one-line.csv": `start,${"x".repeat(2_000_000)}`,
  "tables/open-quote.csv": `a,b\n1,2\n3,"never closed\n${"4,5\n".repeat(50_000)}`,
  "tables/nul.csv": "a,b\n1,\0\n",
  "tables/utf16.csv": Buffer.from("\ufeffÄhre;Grün\n1;2\n", "utf16le"),
  "tables/latin1.csv": Buffer.from("\xc4hre;Gr\xfcn\n1;2\n", "latin1"),
  "tables/packed.csv": gzipSync("a,b\n1,2\n"),
  "tables/formula.csv": 'a,b\n"=HYPERLINK(""http://example.org"")",<img src=x onerror=alert(1)>\n',
  "data.json": '{"a":[1,{"b":12345678901234567890}],"c":{},"d":"<script>"}',
  "deep.json": `${"[".repeat(40_000)}${"]".repeat(40_000)}`,
  "wrong.json": '{"a":',
  "page.html": HOSTILE_HTML,
  "picture.svg": HOSTILE_SVG,
  "images/leaf.png": OBJECTS["images/leaf.png"] ?? "",
  "images/false.png": HOSTILE_HTML,
  "images/picture.html": OBJECTS["images/leaf.png"] ?? "",
  "paper.pdf": PDF,
  "empty.txt": "",
  "instrument.bin": Buffer.from([1, 0, 2]),
  "notes/long.txt": `${"The quick brown fox. ".repeat(10_000)}the end`,
  "notes/README.markdown": `${"> ".repeat(20_000)}deep`,
  "hostile/README.md": `Hello <kbd> <script/src="../data.json"></script/>\n\n> <pre> <img/src=x onerror="alert(1)">`,
  "hostile/slow.md": "> ```\na\n".repeat(12_500),
};

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  one = await publishAs(service, s3, { files: FILES as Record<string, string> });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function open(path: string, headers: Record<string, string> = {}) {
  const own = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ...headers };
  const answer = await fetch(service.url + path, { redirect: "manual", headers: own });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const preview = (path: string, query = "") =>
  open(`/dataset/${one.dataset}/preview/data/${path.split("/").map(encodeURIComponent).join("/")}${query}`);
const landing = (query = "") => open(`/dataset/${one.dataset}${query}`);
/** The part of a page that shows a file. */
const contentOf = (text: string) => text.slice(text.indexOf("<main"), text.indexOf("</main>"));

describe("the text that describes a folder", () => {
  test("is shown with its markup, without HTML, images of other sites, and links that are no addresses", async () => {
    const { text } = await landing();
    const [, shown = ""] = /<section class="readme"(.*?)<\/section>/s.exec(text) ?? [];
    expect(shown).toContain(">README.md</h2>");
    expect(shown).toContain("<h3>Roots &lt;script&gt;");
    expect(shown).toContain("<em>emphasis</em>");
    expect(shown).toContain("&lt;b&gt;HTML&lt;/b&gt;");
    expect(shown).toContain("<td>20</td>");
    const url = `${service.url}/dataset/${one.dataset}/preview/data`;
    const links = [...shown.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
    const tables = `${service.url}/dataset/${one.dataset}?folder=tables%2F#files`;
    expect(links).toEqual([`${url}/tables/data.csv`, tables, "https://example.org/", "https://example.org/"]);
    const images = [...shown.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src);
    expect(images).toEqual([`${url}/images/leaf.png?inline=true`]);
    expect(shown).not.toMatch(/<(?:script|iframe|b)\b/);
    const folder = await open(`/dataset/${one.dataset}/preview/data/tables/`);
    expect([folder.status, folder.headers.get("location")]).toEqual([
      303,
      `${service.url}/dataset/${one.dataset}?folder=tables%2F#files`,
    ]);
  });

  test("is that of the folder that is shown, and text as it is written", async () => {
    const { text } = await landing("?folder=tables/");
    expect(text).toContain(">readme.TXT</h2>");
    expect(text).toContain("As text: &lt;b&gt;not bold&lt;/b&gt;\n# no heading");
    // Nested deeper than a stack: shown as text.
    const deep = await landing("?folder=notes/");
    expect([deep.status, deep.text.includes("&gt; &gt; &gt; ")]).toEqual([200, true]);
    expect((await landing("?folder=images/")).text).not.toContain('class="readme"');
  });
});

test("HTML in a text never becomes an element", async () => {
  for (const { text } of [await landing("?folder=hostile/"), await preview("hostile/README.md")]) {
    expect(text).toContain("&lt;script/src=");
    expect(contentOf(text)).not.toMatch(/<(?:script\/|img\/|kbd)/);
  }
});

test("a text that would take long to render is shown as it is written", async () => {
  const { status, text } = await preview("hostile/slow.md");
  expect(status).toBe(200);
  expect(text).toContain("&gt; ```\na\n&gt; ```");
});

describe("the page of a file", () => {
  test("is linked from the list of files, leads back, and is not for search engines", async () => {
    const { text } = await landing("?folder=tables/");
    const [, href = ""] = /<a class="small no-print" href="([^"]+)" aria-label="Preview of data.csv">/.exec(text) ?? [];
    const page = await open(href.slice(service.url.length));
    expect(page.status).toBe(200);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.text).toContain(`<a href="${service.url}/dataset/${one.dataset}?folder=tables%2F#files">tables</a>`);
    expect(page.text).toContain(`href="${service.url}/dataset/${one.dataset}/files/data/tables/data.csv?version=1"`);
    expect((await landing()).text).not.toContain('aria-label="Preview of instrument.bin"');
    const german = await preview("tables/data.csv", "?lang=de");
    expect(german.text).toContain("Herunterladen");
  });

  test.each([
    ["tables/data.csv", ['<th scope="col">moisture</th>', "<td>one; with a semicolon</td>", "<td>=cmd()</td>"]],
    ["tables/tabs.tsv", ['<th scope="col">b</th>', "<td>2</td>"]],
    ["tables/long.csv", ["<td>49</td>", "Only the first rows and columns"]],
    ["tables/wide.csv", ['<th scope="col">column 49</th>', "Only the first rows and columns"]],
    ["tables/one-line.csv", ["start", "Only the first rows and columns"]],
    ["tables/open-quote.csv", ['<th scope="col">b</th>', "<td>2</td>", "Only the first rows and columns"]],
    ["tables/nul.csv", ["does not show the format"]],
    ["tables/utf16.csv", ['<th scope="col">Grün</th>', "utf-16le"]],
    ["tables/latin1.csv", ['<th scope="col">Ähre</th>', "windows-1252"]],
    ["tables/packed.csv", ["does not show the format"]],
    ["tables/formula.csv", ["=HYPERLINK(&quot;http", "<td>&lt;img src=x onerror=alert(1)&gt;</td>"]],
    ["data.json", ["  &quot;a&quot;: [", "&quot;b&quot;: 12345678901234567890", "&quot;c&quot;: {}"]],
    ["deep.json", ["[[[["]],
    ["wrong.json", ["{&quot;a&quot;:"]],
    ["page.html", ["&lt;script&gt;"]],
    ["picture.svg", ["&lt;svg"]],
    ["images/false.png", ["&lt;script&gt;"]],
    ["paper.pdf", ["Open the PDF", "paper.pdf?inline=true"]],
    ["empty.txt", ["The file is empty."]],
    ["instrument.bin", ["does not show the format"]],
    ["notes/long.txt", ["Only the beginning of the file is shown."]],
    ["README.md", ["<em>emphasis</em>"]],
  ])("shows %s, and never runs it", async (path, wanted) => {
    const { status, text, headers } = await preview(path);
    expect(status).toBe(200);
    for (const part of wanted) expect(contentOf(text)).toContain(part);
    expect(contentOf(text)).not.toMatch(/<(?:script|svg|iframe|object|embed)\b| onerror="/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text.length).toBeLessThan(700_000);
  });

  test("shows images and PDF from an address that sends nothing else inline", async () => {
    const image = await preview("images/leaf.png");
    expect(image.text).toContain(
      `src="${service.url}/dataset/${one.dataset}/preview/data/images/leaf.png?inline=true"`,
    );
    for (const [path, type] of [
      ["images/leaf.png", "image/png"],
      ["images/picture.html", "image/png"],
      ["paper.pdf", "application/pdf"],
    ]) {
      const { status, headers } = await preview(path ?? "", "?inline=true");
      expect([path, status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
        path,
        200,
        type,
        "nosniff",
      ]);
      expect(headers.get("content-disposition")).toMatch(/^inline/);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    expect((await preview("images/leaf.png", "?inline=true")).headers.get("content-security-policy")).toContain(
      "sandbox",
    );
    // Older browsers do not show a PDF in a sandbox.
    const { headers: ofPdf } = await preview("paper.pdf", "?inline=true");
    expect(ofPdf.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(ofPdf.get("content-disposition")).toMatch(/^inline; filename="?paper\.pdf"?$/);
    for (const path of [
      "page.html",
      "picture.svg",
      "images/false.png",
      "README.md",
      "tables/packed.csv",
      "empty.txt",
      "none.png",
    ]) {
      const { status, text } = await preview(path, "?inline=true");
      expect([path, status]).toEqual([path, 404]);
      expect(contentOf(text)).toContain("The dataset has no image and no PDF with this path");
      expect(contentOf(text)).not.toMatch(/<script|<svg/);
    }
    const file = await fetch(`${service.url}/dataset/${one.dataset}/files/data/images/leaf.png`);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
  });

  test("is not found for files that do not exist, whatever the address says", async () => {
    const german = await preview("none.txt", "?lang=de");
    const [, back = ""] = /<p><a href="([^"]+)#files">/.exec(german.text) ?? [];
    expect((await open(back.slice(service.url.length).replaceAll("&amp;", "&"))).status).toBe(200);
    for (const path of ["none.txt", "a//b", "../README.md", "%2e%2e/x", "x".repeat(3_000), "tables%00"]) {
      const { status } = await open(`/dataset/${one.dataset}/preview/data/${path}`);
      expect([path, status]).toEqual([path, expect.toSatisfy((code) => [303, 400, 404].includes(code))]);
    }
    const missing = await preview("none.txt");
    expect(missing.status).toBe(404);
    expect(missing.text).toContain("The dataset has no file “none.txt”.");
    expect((await open(`/dataset/${one.dataset}/preview/metadata/datacite.json`)).status).toBe(404);
  });

  test("counts as a view of the dataset, and not as a download", async () => {
    const counted = await publishAs(service, s3, {
      files: { "a.csv": "a,b\n1,2\n", "b.png": OBJECTS["images/leaf.png"] as string },
    });
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
    for (const path of ["a.csv", "b.png?inline=true"]) {
      expect((await open(`/dataset/${counted.dataset}/preview/data/${path}`, browser)).status).toBe(200);
    }
    await expect
      .poll(async () => (await service.api.get(`/dataset/${counted.dataset}/usage`)).json.total?.regular ?? {}, {
        timeout: 60_000,
      })
      .toMatchObject({ totalInvestigations: 2, totalRequests: 0 });
  });

  test("leads to the page of the dataset while its files are closed, which does not name them", async () => {
    const closed = await publishAs(service, s3, {
      files: { "secret.csv": "a,b\n1,2\n", "readme.md": "secret text" },
      request: { access: "restricted", reason: "Personal data" },
    });
    const path = `/dataset/${closed.dataset}/preview/data`;
    for (const name of ["secret.csv", "other.csv"]) {
      const { status, headers } = await open(`${path}/${name}`);
      expect([status, headers.get("location")]).toEqual([303, `/dataset/${closed.dataset}`]);
      expect((await open(`${path}/${name}?inline=true`)).status).toBe(403);
    }
    expect((await open(`/dataset/${closed.dataset}`)).text).not.toContain("secret");
    await closed.done("none", "change-access", { access: "open", reason: "Agreed" });
    expect((await open(`${path}/secret.csv`)).status).toBe(200);
    expect((await open(`/dataset/${closed.dataset}`)).text).toContain("secret text");
  });
});
