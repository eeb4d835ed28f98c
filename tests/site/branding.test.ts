import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/program/service.ts";

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>`;
const ABOUT = [
  "# About",
  "Text with **emphasis** and [a link](https://example.org/x).",
  "<script>alert(1)</script> and <b onclick=alert(1)>tags</b>",
  "[one](javascript:alert(1)) [two](//other.example.org) [three](data:text/html,x) ![image](https://other.example.org/i.png)",
].join("\n\n");
let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-branding-"));
  await writeFile(join(folder, "logo.svg"), LOGO);
  await writeFile(join(folder, "about.en.md"), ABOUT);
  await writeFile(join(folder, "about.de.md"), "# Über uns");
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_SITE_NAME: "Field data & more",
    ACCESSION_SITE_LOGO: join(folder, "logo.svg"),
    ACCESSION_SITE_COLOUR: "#1f4e79",
    ACCESSION_SITE_HEADER_COLOUR: "#f2c100",
    ACCESSION_SITE_IMPRINT_URL: "https://example.org/imprint,de=https://example.org/impressum",
    ACCESSION_SITE_PRIVACY_URL: "https://example.org/privacy",
    ACCESSION_SITE_CONTACT_URL: "mailto:help@example.org,de=https://example.org/kontakt",
    ACCESSION_SITE_ABOUT: `${join(folder, "about.en.md")},${join(folder, "about.de.md")}`,
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const open = async (path: string, language = "en") => {
  const answer = await fetch(service.url + path, { headers: { accept: "text/html", "accept-language": language } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

test("every page has the operator’s name, logo, colours and links, in the language of the reader", async () => {
  const { text } = await open("/", "de");
  expect(text).toContain("Field data &amp; more");
  expect(text).toContain('<a href="https://example.org/impressum">Impressum</a>');
  expect(text).toContain('<a href="https://example.org/privacy">Datenschutz</a>');
  expect(text).toContain('<a href="https://example.org/kontakt">Kontakt</a>');
  expect(text).toContain('<a href="/about">');
  const logo = await open(/<img src="([^"]+)"/.exec(text)?.[1] ?? "");
  expect([logo.status, logo.headers.get("content-type"), logo.text]).toEqual([200, "image/svg+xml", LOGO]);
  // The logo is an image of the page. If it is opened alone, its scripts do not run.
  expect(logo.headers.get("content-security-policy")).toContain("default-src 'none'");
  const colours = await open(/href="(\/site\/colours-[^"]+)"/.exec(text)?.[1] ?? "");
  expect(colours.text).toMatch(/^:root\{--link:light-dark\(#1f4e79,#[0-9a-f]{6}\);--fill:#1f4e79\}@media screen/);
  // Black is easier to read on yellow than white.
  expect(colours.text).toContain(".top{background:#f2c100;border-color:transparent;--text:#000000;--link:#000000}");
});

test("the application links to the same pages", async () => {
  const answer = await fetch(`${service.url}/service`);
  expect(await answer.json()).toMatchObject({
    links: {
      en: [
        { text: "Imprint", url: "https://example.org/imprint" },
        { text: "Privacy", url: "https://example.org/privacy" },
        { text: "Contact", url: "mailto:help@example.org" },
      ],
      de: [
        { text: "Impressum", url: "https://example.org/impressum" },
        { text: "Datenschutz", url: "https://example.org/privacy" },
        { text: "Kontakt", url: "https://example.org/kontakt" },
      ],
    },
  });
});

test("the page about the repository is Markdown without scripts, tags, images and other kinds of links", async () => {
  const { status, text } = await open("/about");
  expect(status).toBe(200);
  expect(text).toContain('<strong>emphasis</strong> and <a href="https://example.org/x">a link</a>');
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(text).not.toMatch(/<script>|<b |javascript:|other\.example\.org|data:text/);
  expect((await open("/about", "de")).text).toContain("<h1>Über uns</h1>");
});

test("a service without such a page has none", { tags: "extended" }, async () => {
  await service.restart(undefined, {
    ACCESSION_SITE_ABOUT: "",
    ACCESSION_SITE_LOGO: "",
    ACCESSION_SITE_COLOUR: "",
    ACCESSION_SITE_HEADER_COLOUR: "",
  });
  expect((await open("/about")).status).toBe(404);
  expect((await open("/")).text).not.toMatch(/href="\/about"|<img|colours-/);
});
