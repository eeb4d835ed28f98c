import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS } from "../support/api/callers.ts";
import { archiveAs, type PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { shown, unescaped } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** What Firefox and Chromium send after a click. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const UNKNOWN = "/dataset/00000000-0000-4000-8000-000000000000";
const PROBLEM = "application/problem+json; charset=utf-8";

let s3: S3Server;
let service: TestService;
let open: PublicationClient;
let closed: PublicationClient;
let hidden: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  open = await publishAs(service, s3);
  closed = await publishAs(service, s3, {
    files: { "a.csv": "1\n" },
    request: { access: "restricted", reason: "Names of persons" },
  });
  hidden = (await archiveAs(service, s3, undefined)).dataset;
  // With sign-in, a request without a token is one of the public.
  await service.restart(undefined, TOKENS);
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function get(path: string, accept: string, language = "en") {
  const headers = { accept, "accept-language": language };
  const answer = await fetch(service.url + path, { headers, redirect: "manual" });
  return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text(), answer };
}

test("a browser that opens a wrong public address gets a page, and a program the problem, with the same status", async () => {
  const dataset = `/dataset/${open.dataset}`;
  const addresses: [string, number][] = [
    [`${dataset}?version=7`, 404],
    [`${dataset}?version=abc`, 422],
    [`${dataset}?lang=fr`, 422],
    [`${dataset}?after=x`, 422],
    [`${dataset}/files/nope.txt`, 404],
    [`/dataset/${closed.dataset}/files/data/a.csv`, 403],
    [`${UNKNOWN}/files/data/a.csv`, 401],
    ["/dataset/nope", 404],
    ["/dataset/nope?version=abc", 404],
    ["/collections/nope", 404],
    ["/about", 404],
    ["/nope", 404],
    ["/%zz", 404],
    ["/download/nope", 404],
  ];
  for (const [path, status] of addresses) {
    const page = await get(path, BROWSER);
    expect([path, page.status, page.type]).toEqual([path, status, "text/html; charset=utf-8"]);
    expect(page.answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.answer.headers.get("cache-control") ?? "no-store").toBe("no-store");
    expect(page.text).toContain('<link rel="stylesheet" href="/site/');
    expect(page.text).toContain('<a href="/">');
    expect(page.text).not.toContain("submitter");
    for (const accept of ["application/json", "*/*"]) {
      const problem = await get(path, accept);
      const asked = path.startsWith("/dataset/nope") ? [401, 404, 422] : [status];
      expect([path, problem.type]).toEqual([path, PROBLEM]);
      expect(asked).toContain(problem.status);
    }
  }
});

test("a browser gets the same page for a dataset that is not public and for one that does not exist", async () => {
  const answerTo = async (path: string, dataset: string, accept = BROWSER) => {
    const { status, text, answer } = await get(path, accept);
    const headers = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
    const request = new RegExp(`${dataset}|${answer.headers.get("x-request-id")}`, "g");
    return JSON.stringify([status, headers, text]).replace(request, "ID");
  };
  const unknown = UNKNOWN.replace("/dataset/", "");
  for (const accept of [BROWSER, "text/html"]) {
    for (const rest of ["", "?version=1", "?version=2", "?version=abc", "?lang=de", "/files/data/a.csv"]) {
      const existing = await answerTo(`/dataset/${hidden}${rest}`, hidden, accept);
      expect(existing).toBe(await answerTo(`/dataset/${unknown}${rest}`, unknown, accept));
    }
  }
});

test("the page of a dataset that is not public leads to the sign-in in both languages, and to the catalogue", async () => {
  for (const path of [UNKNOWN, `${UNKNOWN}/files/data/a.csv`]) {
    const english = await get(path, BROWSER);
    const german = await get(path, BROWSER, "de");
    for (const { text } of [english, german]) {
      expect(text).toContain(`<a href="/app/datasets/${UNKNOWN.replace("/dataset/", "")}" data-forward`);
      expect(text).toContain('<li><a href="/">');
      expect(shown(text)).not.toMatch(/token|Authorization|Bearer/i);
      expect(text).not.toContain(`href="${UNKNOWN}"`);
    }
    expect(shown(english.text)).toContain("Sign in to open what is not public");
    expect(shown(german.text)).toContain("Anmelden, um Nichtöffentliches zu öffnen");
  }
  expect((await get("/dataset/nope", BROWSER)).text).not.toContain("data-forward");
  const version = await get(`/dataset/${hidden}?version=2`, BROWSER);
  expect(version.text).toContain(`<a href="/app/datasets/${hidden}?version=2" data-forward`);
  const asked = await get(UNKNOWN, "application/json");
  expect(asked.text).toContain("Authorization: Bearer");
});

test("a page of a problem leads only to other languages in which it shows the same problem", async () => {
  const paths: [string, boolean][] = [
    ["/nope", true],
    ["/nope?a=b", true],
    [UNKNOWN, true],
    [`/dataset/${open.dataset}?version=7`, true],
    [`/dataset/${open.dataset}?version=abc&lang=de`, true],
    [`/dataset/${open.dataset}/preview/data/a?version=9`, true],
    ["/collections/nope", true],
    // Another language would correct this one.
    [`/dataset/${open.dataset}?lang=fr`, false],
    [`/dataset/${open.dataset}?lang=de&lang=en`, false],
    // This operation has no parameter “lang”.
    [`/dataset/${open.dataset}/files/nope.txt`, false],
    [`/dataset/${closed.dataset}/files/data/a.csv`, false],
    ["/download/nope", true],
    ["//example.org/x", false],
    ["/%zz", false],
  ];
  for (const [path, isOffered] of paths) {
    const page = await get(path, BROWSER);
    const links = [...page.text.matchAll(/<a href="([^"]*)" hreflang="(\w+)"/g)];
    expect([path, links.length > 0, page.text.includes('rel="alternate" hreflang')]).toEqual([
      path,
      isOffered,
      isOffered,
    ]);
    for (const [, address = "", language] of links) {
      const other = await get(unescaped(address), BROWSER);
      expect([path, other.status]).toEqual([path, page.status]);
      expect(other.text).toContain(`<html lang="${language}">`);
    }
  }
});

test("the page of a wrong address says in both languages what is wrong, and leads to the dataset and to itself", async () => {
  const path = `/dataset/${open.dataset}?version=abc&lang=`;
  const english = await get(`${path}en`, BROWSER);
  expect(english.text).toContain("<h1>The address contains errors</h1>");
  expect(english.text).toContain("version: ");
  expect(english.text).toContain(`<a href="/dataset/${open.dataset}?lang=en">Open the page of the dataset</a>`);
  expect(english.text).toContain(`href="/dataset/${open.dataset}?version=abc&amp;lang=de"`);
  const german = await get(`${path}de`, BROWSER);
  expect(german.text).toContain("<h1>Die Adresse enthält Fehler</h1>");
  const missing = await get("/nope<script>", BROWSER, "de");
  expect(missing.text).toContain("<h1>Nicht gefunden</h1>");
  expect(missing.text).not.toContain("<script");
  const elsewhere = await get("//example.org/x", BROWSER);
  expect(elsewhere.text).not.toContain("//example.org");
});

test("an address that needs a token, and one of a script, have problems for programs only", async () => {
  expect((await get("/submission/nope", BROWSER)).type).toBe(PROBLEM);
  const post = await fetch(`${service.url}/dataset/${open.dataset}`, { method: "POST", headers: { accept: BROWSER } });
  expect([post.status, post.headers.get("content-type")]).toEqual([405, PROBLEM]);
});

test("the page of a file that does not exist names the file", async () => {
  const page = await get(`/dataset/${open.dataset}/preview/nope.txt`, BROWSER);
  expect(page.status).toBe(404);
  expect(page.text).toContain("no file “nope.txt”");
  expect(page.text).toContain(`/dataset/${open.dataset}#files"`);
});
