import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { unescaped } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

interface Shown {
  status: number;
  text: string;
  folders: { name: string; url: string }[];
  files: { name: string; url: string; digest: string }[];
  next: string | undefined;
}

async function open(address: string): Promise<Shown> {
  const answer = await fetch(address.split("#", 1)[0] ?? "", { headers: { accept: "text/html" }, redirect: "manual" });
  const text = await answer.text();
  const rows = [...text.matchAll(/<tr><td class="name"><a href="([^"]+)">([^<]+)<\/a>.*<\/tr>/g)].map(
    ([row, url, name]) => ({
      name: unescaped(name ?? ""),
      url: unescaped(url ?? ""),
      digest: /<code>([0-9a-f]{128})<\/code>/.exec(row)?.[1],
    }),
  );
  const next = /<a href="([^"]+)">More files<\/a>/.exec(text)?.[1];
  return {
    status: answer.status,
    text,
    folders: rows.filter(({ digest }) => digest === undefined),
    files: rows.flatMap(({ digest, ...row }) => (digest === undefined ? [] : [{ ...row, digest }])),
    next: next && unescaped(next),
  };
}
const pageOf = ({ dataset }: PublicationClient, query = "") => `${service.url}/dataset/${dataset}${query}`;

/** All pages of a folder. */
async function pagesOf(address: string): Promise<Shown[]> {
  const pages: Shown[] = [];
  for (let next: string | undefined = address; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(await open(next));
    expect(pages.at(-1)?.status).toBe(200);
  }
  return pages;
}

/** The files of a folder and of those below it. @param depth of the folders that are opened */
async function filesBelow(address: string, depth: number): Promise<Shown["files"]> {
  const pages = await pagesOf(address);
  const files = pages.flatMap((page) => page.files);
  if (depth === 0) return files;
  for (const { url } of pages.flatMap((page) => page.folders)) files.push(...(await filesBelow(url, depth - 1)));
  return files;
}

const numbered = (count: number, name: (n: string) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(String(n).padStart(4, "0")), String(n)]));

describe("the files of a landing page", () => {
  test("are shown one folder at a time, with what is in each, and every link works", async () => {
    const files = {
      "README.md": "# Roots",
      "plots/2025/a.csv": "1;2",
      "plots/2025/b.csv": "3;4",
      "plots/2026/c & d.csv": "5",
      "plots/list.csv": "6",
      "zoo/1.txt": "7",
    };
    const one = await publishAs(service, s3, { files });
    const root = await open(pageOf(one));
    expect([root.folders, root.files].map((rows) => rows.map(({ name }) => name))).toEqual([
      ["plots/", "zoo/"],
      ["README.md"],
    ]);
    expect(root.text).toContain("4 files");
    expect(root.text).not.toContain('aria-label="Path of the folder"');
    const plots = await open(root.folders[0]?.url ?? "");
    expect([plots.folders, plots.files].map((rows) => rows.map(({ name }) => name))).toEqual([
      ["2025/", "2026/"],
      ["list.csv"],
    ]);
    const deep = await open(plots.folders[1]?.url ?? "");
    expect(deep.files.map(({ name }) => name)).toEqual(["c & d.csv"]);
    expect(await (await fetch(deep.files[0]?.url ?? "")).text()).toBe("5");
    expect(deep.text).toContain('<li aria-current="page">2026</li>');
    // Search engines list the page of the dataset, and follow its links.
    expect(deep.text).toContain('<meta name="robots" content="noindex">');
    expect(deep.text).toContain(`<link rel="canonical" href="${pageOf(one)}">`);
    expect(root.text).not.toContain("noindex");
    const [, up = ""] = /<li><a href="([^"]+)">plots<\/a><\/li>/.exec(deep.text) ?? [];
    expect((await open(unescaped(up))).files.map(({ name }) => name)).toEqual(["list.csv"]);
    const [, zip = ""] =
      /<a class="no-print" href="([^"]+)" aria-label="Download \(ZIP\): 2025"/.exec(plots.text) ?? [];
    const packed = await fetch(unescaped(zip));
    expect([packed.status, packed.headers.get("content-type")]).toEqual([200, "application/zip"]);
    const [, list = ""] = /<a href="([^"]+)">List of all files \(CSV\)<\/a>/.exec(root.text) ?? [];
    const lines = await (await fetch(unescaped(list), { headers: { accept: "text/html,*/*;q=0.8" } })).text();
    expect(lines).toContain("data/plots/2026/c & d.csv,1,");
    expect((await fetch(unescaped(list).replace("csv", "xml"))).status).toBe(422);
    // Without a slash, and in the language of the address.
    const german = await open(pageOf(one, "?folder=plots%2F2025&lang=de"));
    expect(german.text).toContain("Pfad des Ordners");
    expect(german.text).toContain('folder=plots%2F2025&amp;lang=en"');
    expect(german.text).toContain("folder=plots%2F&amp;lang=de#files");
  });

  test("are all found by following the links, whatever their keys are and in whatever order the source lists them", async () => {
    const long = { [`${"q".repeat(256)}/short`]: "1", ["r".repeat(1024)]: "2" };
    const files = { ...Object.fromEntries(oddKeys.map((key) => [key, `content of ${key}`])), ...long };
    const ordered = await publishAs(service, s3, { files });
    Object.assign(s3.quirks, { pageLimit: 10, backwards: true });
    const unordered = await publishAs(service, s3, { files });
    Object.assign(s3.quirks, { pageLimit: undefined, backwards: false });
    for (const dataset of [ordered, unordered]) {
      const listed: { path: string; sha512: string }[] = [];
      for (let cursor = ""; ; ) {
        const { json, headers } = await service.api.get(
          `/dataset/${dataset.dataset}/files?prefix=data/&limit=1000${cursor}`,
        );
        listed.push(...json);
        const [, more] = /cursor=([^&>]+)/.exec(headers.get("link") ?? "") ?? [];
        if (more === undefined) break;
        cursor = `&cursor=${more}`;
      }
      // One of them is in 511 folders.
      const deepest = listed.reduce(
        (path, file) => (file.path.split("/").length > path.split("/").length ? file.path : path),
        "",
      );
      const folder = deepest.slice("data/".length, deepest.lastIndexOf("/") + 1);
      const end = await open(pageOf(dataset, `?folder=${encodeURIComponent(folder)}`));
      const found = [...(await filesBelow(pageOf(dataset), 5)), ...end.files];
      expect(found.map(({ digest }) => digest).toSorted()).toEqual(listed.map(({ sha512 }) => sha512).toSorted());
      for (const { url, digest } of found) {
        const content = Buffer.from(await (await fetch(url)).arrayBuffer());
        expect(createHash("sha512").update(content).digest("hex")).toBe(digest);
      }
      expect(end.text.length).toBeLessThan(100_000);
      expect(end.text).not.toMatch(/[\u202a-\u202e\r\0]/);
    }
  });

  test("are divided into pages with addresses that can be shared, the folders first", async () => {
    const files = {
      ...numbered(250, (n) => `many/${n}/x`),
      ...numbered(150, (n) => `many/${n}.csv`),
      "many/0100.d/y": "y",
    };
    const one = await publishAs(service, s3, { files });
    const pages = await pagesOf(pageOf(one, "?folder=many/"));
    expect(pages.map((page) => [page.folders.length, page.files.length])).toEqual([
      ...Array.from({ length: 5 }, () => [50, 0]),
      [1, 49],
      [0, 50],
      [0, 50],
      [0, 1],
    ]);
    const folders = pages.flatMap((page) => page.folders.map(({ name }) => name.slice(0, -1)));
    expect(folders).toEqual(folders.toSorted());
    const names = pages.flatMap((page) => page.files.map(({ name }) => name));
    expect(names).toEqual(Object.keys(numbered(150, (n) => `${n}.csv`)));
    expect(new Set(names).size).toBe(150);
    for (const { text } of pages) expect(text.length).toBeLessThan(150_000);
    expect(pages[1]?.text).toContain("First files");
    // An address of an earlier version of the service leads to the folder of the file that follows.
    expect((await open(pageOf(one, "?after=3"))).text).toContain('<li aria-current="page">');
    expect((await open(pageOf(one, "?after=1000000"))).status).toBe(200);
  });

  test("are shown beside many files whose names are also those of folders", async () => {
    const files = { ...numbered(60, (n) => `a${n}`), ...numbered(60, (n) => `a${n}/x`), "b.csv": "1", "c.csv": "2" };
    const one = await publishAs(service, s3, { files });
    const pages = await pagesOf(pageOf(one));
    expect(pages.flatMap((page) => page.folders).length).toBe(61);
    expect(pages.flatMap((page) => page.files.map(({ name }) => name))).toEqual(["b.csv", "c.csv"]);
  });

  test("have a page that leads back where a folder does not exist, and no hostile address is an error of the service", async () => {
    const one = await publishAs(service, s3, { files: { "a/b/c.txt": "1", "<b>/x": "2" } });
    const folders = [
      "none/",
      "a//b",
      "a/b//",
      "../",
      "a/../a/",
      "./a",
      "//",
      "a/b/c.txt",
      "a\nb",
      "A/",
      "%keys/",
      "\u202ea/",
      "<script>alert(1)</script>",
      "' or 1=1 --",
      "/".repeat(4_000),
      "x/".repeat(4_000),
      "%F0%9F",
    ];
    for (const folder of folders) {
      const { status, text } = await open(pageOf(one, `?folder=${encodeURIComponent(folder)}`));
      expect([folder, status]).toEqual([folder, 404]);
      expect(text).toContain(`<a href="${pageOf(one)}#files">Open the files of the dataset</a>`);
      expect(text).toContain("noindex");
      expect(text).not.toMatch(/<script>|[\0\u202e]/);
    }
    for (const query of [
      "folder=a%00",
      "folder=%",
      "folder=%FF",
      "from=%00",
      "folder=a&from=%00%FF",
      "folder=a&folder=b",
      "from=a&from=b",
    ]) {
      expect([query, (await open(pageOf(one, `?${query}`))).status]).toEqual([
        query,
        expect.toSatisfy((is) => is < 500),
      ]);
    }
    const named = await open(pageOf(one, `?folder=${encodeURIComponent("<b>/")}`));
    expect([named.status, named.files.map(({ name }) => name)]).toEqual([200, ["x"]]);
    expect(named.text).not.toContain("<b>");
  });

  test("stay secret while they are closed, whatever folder a reader names", async () => {
    const request = { access: "restricted", reason: "Personal data" };
    const one = await publishAs(service, s3, { metadata: goodMetadata, files: { "secret/name.csv": "1" }, request });
    const without = ({ text }: Shown) =>
      text.replace(/<link rel="alternate" hreflang[^>]*>|<a [^>]*hreflang[^>]*>|<meta name="robots"[^>]*>\n/g, "");
    const pages = await Promise.all(
      ["?folder=secret/", "?folder=other/", "?after=0", "?folder=&from=secret"].map((query) =>
        open(pageOf(one, query)),
      ),
    );
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(page.text).not.toContain("name.csv");
      expect(without(page)).toBe(without(pages[0] as Shown));
    }
    await one.done("none", "change-access", { access: "open", reason: "Agreed" });
    expect((await open(pageOf(one, "?folder=secret/"))).files.map(({ name }) => name)).toEqual(["name.csv"]);
    await one.done("none", "change-access", { access: "restricted", reason: "Not agreed" });
    expect((await open(pageOf(one, "?folder=secret/"))).text).not.toContain("name.csv");
  });
});
