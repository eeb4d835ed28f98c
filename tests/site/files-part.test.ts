import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { shown, unescaped } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const files = { ...Object.fromEntries(oddKeys.map((key) => [key, `content of ${key}`])), "x.bin": "\0\u0001" };
  one = await publishAs(service, s3, { files });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const part = async (query = "") => (await service.api.get(`/dataset/${one.dataset}/page/files${query}`)).json;
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => unescaped(value));

describe("the list of files in the application", () => {
  test("has working addresses for all files and folders, also those that the archive has added", async () => {
    const { html } = await part();
    const pages = [html, (await part("?find=a")).html, (await part("?folder=twin%2F")).html];
    const links = pages.flatMap((page) => attributes(page, "href"));
    expect(links.length).toBeGreaterThan(100);
    expect(links).not.toContain("");
    const paths = links.filter((link) => link.startsWith(`/dataset/${one.dataset}/files/`));
    for (const path of paths) expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200]);
    // Also if another version is published meanwhile.
    for (const path of paths) expect(path).toMatch(/\?version=1$/);
    const names = links.flatMap((link) => new URL(link, service.url).searchParams.get("file") ?? []);
    const { json } = await service.api.get(`/dataset/${one.dataset}/files?limit=1000`);
    const known = json.map(({ path }: { path: string }) => path);
    for (const name of names) expect(known).toContain(name);
    expect(names).toEqual(expect.arrayContaining(["metadata/datacite.json", "data/x.bin"]));
    expect(attributes(html, "data-file").map(decodeURIComponent)).toEqual(
      expect.arrayContaining(["metadata/datacite.json", "data/x.bin"]),
    );
  });

  test("says what it shows, also to those who do not see that it has changed", async () => {
    expect((await part("?find=x.bin")).status).toBe("1 file found.");
    expect((await part("?folder=twin%2F&lang=de")).status).toBe("twin: 1 Eintrag");
    const gone = await part("?folder=gone%2F");
    expect(gone.status).toContain("no folder “gone/”");
    expect(shown(gone.html)).toContain("no folder “gone/”");
  });

  test("shows the text that describes a folder, whose links lead to pages of the application", async () => {
    const readme = [
      "# Roots <script>alert(1)</script>",
      "[the table](tables/a.csv), [the tables](tables/), [elsewhere](https://example.org/)",
      "![a leaf](images/leaf.png)",
    ].join("\n\n");
    const files = { "README.md": readme, "tables/a.csv": "1;2", "images/leaf.png": "not an image" };
    const { dataset } = await publishAs(service, s3, { files });
    const { json } = await service.api.get(`/dataset/${dataset}/page/files`);
    const [, text = ""] = /<section class="readme"(.*?)<\/section>/s.exec(json.html) ?? [];
    expect(text).toContain("<h3>Roots &lt;script&gt;");
    const page = `/app/datasets/${dataset}`;
    expect(attributes(text, "href")).toEqual([
      `${page}?folder=data%2Ftables&file=data%2Ftables%2Fa.csv`,
      `${page}?folder=data%2Ftables`,
      "https://example.org/",
    ]);
    expect(attributes(text, "src")).toEqual([`/dataset/${dataset}/files/data/images/leaf.png?version=1`]);
    for (const query of ["?folder=tables%2F", "?find=readme", "?folder=gone%2F"]) {
      const other = await service.api.get(`/dataset/${dataset}/page/files${query}`);
      expect([query, other.json.html.includes('class="readme"')]).toEqual([query, false]);
    }
  });

  test("can be skipped by keyboard if it is long", async () => {
    const long = await part();
    expect(long.html).toContain('<a class="skip" href="#after-files">Skip the list</a>');
    expect(long.html).toContain('id="after-files" tabindex="-1"');
    expect((await part("?folder=twin%2F")).html).not.toContain('after-files">');
  });

  test("unfolds the files that the archive has added if they are asked for", async () => {
    expect((await part("")).html).toContain('<details class="more">');
    expect((await part("?added=true")).html).toContain('<details class="more" open>');
  });
});
