import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { shown } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let tokens: Tokens;
let ada: string;
let bob: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "direct" });
  tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function published(): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = new PublicationClient(service, dataset);
  await one.done(ada, "request", { agreement: true, access: "open" });
  await one.until(ada, "published");
  return one;
}

const withdrawDataset = (one: PublicationClient) =>
  service.api.post(
    `/dataset/${one.dataset}/withdraw`,
    { reason: "A name" },
    { authorization: `Bearer ${tokens.admin}` },
  );

test("the public tombstone of a dataset contains only published versions, and no accounts and submissions", async () => {
  const one = await published();
  const metadata = { ...goodMetadata, title: "PRIVATE second version" };
  const { submission } = await archiveAs(service, s3, ada, { metadata, more: { dataset: { id: one.dataset } } });
  expect((await withdrawDataset(one)).status).toBe(202);
  for (const reader of [undefined, bob]) {
    const { status, text, json } = await one.get(reader, "");
    expect(status).toBe(410);
    expect(json.tombstone).toMatchObject({
      title: goodMetadata.title,
      authors: ["Carberry, Josiah"],
      identifiers: [`urn:uuid:${one.dataset}`],
      withdrawnAt: expect.stringMatching(/Z$/),
      withdrawnBy: null,
      reason: "A name",
    });
    expect(json.tombstone.versions).toMatchObject([
      {
        ...{ version: 1, submission: null, receipt: null, objects: 2 },
        publication: { identifier: `urn:uuid:${one.dataset}`, publishedAt: expect.stringMatching(/Z$/) },
      },
    ]);
    expect(text).not.toMatch(new RegExp(`PRIVATE|"root"|/submission/|${submission}`));
  }
  const { json } = await one.get(ada, "");
  expect(json.tombstone).toMatchObject({ title: metadata.title, withdrawnBy: "root" });
  expect(json.tombstone.versions).toMatchObject([
    { version: 2, submission, receipt: expect.stringContaining(submission) },
    { version: 1, submission: expect.any(String) },
  ]);
});

test("a withdrawn version has title, authors, identifier, dates and reason, and the archive keeps its files", async () => {
  const one = await published();
  const { identifier, publishedAt } = (await one.get(ada)).json;
  await one.done(tokens.admin, "withdraw", { reason: "A name" });
  for (const path of ["", "/files", "/publication"]) {
    const { status, json } = await one.get(undefined, path);
    expect([path, status, json.code]).toEqual([path, 410, "publication_withdrawn"]);
    expect(json.withdrawn).toEqual({
      identifierType: "URN",
      ...{ version: 1, title: goodMetadata.title, authors: ["Carberry, Josiah"], identifier, publishedAt },
      ...{ at: expect.stringMatching(/Z$/), reason: "A name" },
    });
    expect(json.action).toContain("The archive keeps the files");
  }
  expect((await one.get(ada, "/files")).status).toBe(200);
});

test("the landing page of what was withdrawn has title, authors, citation, identifier, publisher, dates, reason and who withdrew it", async () => {
  const page = async (one: PublicationClient) => {
    const answer = await fetch(`${service.url}/dataset/${one.dataset}`, { headers: { accept: "text/html" } });
    return [answer.status, await answer.text()] as const;
  };
  const [version, dataset] = [await published(), await published()];
  await version.done(tokens.admin, "withdraw", { reason: "A <b>name</b>" });
  expect((await withdrawDataset(dataset)).status).toBe(202);
  const today = new Date().toISOString().slice(0, 10);
  for (const [one, what, reason, by] of [
    [version, "is no longer public. The archive keeps its files", "A &lt;b&gt;name&lt;/b&gt;", "A curator of the"],
    [dataset, "Its content was permanently deleted from the archive", "A name", "An administrator of the"],
  ] as const) {
    const [status, html] = await page(one);
    expect(status).toBe(410);
    for (const part of [
      `<h1>${goodMetadata.title}</h1>`,
      `urn:uuid:${one.dataset}`,
      what,
      "<dt>Authors</dt><dd>Carberry, Josiah</dd>",
      `<dt>Published on</dt><dd><time datetime="${today}T`,
      `<dt>Withdrawn on</dt><dd><time datetime="${today}T`,
      `<dt>Withdrawn by</dt><dd>${by} repository</dd>`,
      `Carberry, Josiah (${today.slice(0, 4)}). <cite>${goodMetadata.title}</cite> (Version 1) [Data set].`,
      `<h3>APA</h3><p>Carberry, J. (${today.slice(0, 4)}). <cite>${goodMetadata.title}</cite> (Version 1) [Data set].`,
      "  author = {Carberry, Josiah},",
      reason,
    ]) {
      expect(html).toContain(part);
    }
    expect(html).toMatch(/<dt>Publisher<\/dt><dd>[^<]+<\/dd>/);
    // Nothing of the other metadata, and nothing about their absence.
    expect(html).not.toMatch(/"root"|\/submission\/|abstract = |copyright = |keywords = /);
  }
});

test("the notice of a withdrawn version and its citation name it as its landing page did", async () => {
  const metadata = { ...goodMetadata, versionLabel: "2026.1 <b>" };
  const { dataset } = await archiveAs(service, s3, ada, { metadata });
  const one = new PublicationClient(service, dataset);
  await one.done(ada, "request", { agreement: true, access: "open" });
  await one.until(ada, "published");
  const page = async () => {
    const answer = await fetch(`${service.url}/dataset/${dataset}`, { headers: { accept: "text/html" } });
    return shown(await answer.text());
  };
  const citation = (text: string) => /Carberry, Josiah \(\d{4}\)\. .*? \(Version [^)]*\)/.exec(text)?.[0];
  const landing = await page();
  expect(citation(landing)).toContain("(Version 2026.1 <b>)");
  await one.done(tokens.admin, "withdraw", { reason: "A name" });
  const notice = await page();
  expect(notice).toContain("Version 2026.1 <b> was withdrawn");
  expect(citation(notice)).toBe(citation(landing));
  expect(notice).not.toContain("Version 1");
  expect((await withdrawDataset(one)).status).toBe(202);
  expect(citation(await page())).toBe(citation(landing));
});
