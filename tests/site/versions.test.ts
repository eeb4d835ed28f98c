import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { archiveAs, type PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { shown, unescaped } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const { embargoDate: _, ...openMetadata } = maximalMetadata;

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

/** The text of a landing page, and whether it is there. */
async function landing(one: PublicationClient, query = "") {
  const answer = await fetch(`${service.url}/dataset/${one.dataset}${query}`, { headers: { accept: "text/html" } });
  return { status: answer.status, text: await answer.text() };
}

test("the landing page leads to the signed record of the publication, which the keys of the service verify", async () => {
  const one = await publishAs(service, s3, { request: { access: "open" } });
  const { text } = await landing(one);
  const link = unescaped(/<a href="([^"]+)">Signed publication record<\/a>/.exec(text)?.[1] ?? "");
  expect(link).toBe(`${service.url}/dataset/${one.dataset}/publication-record?version=1`);
  const answer = await fetch(link);
  expect(answer.headers.get("content-type")).toBe("application/jose");
  const keys = (await service.api.get("/.well-known/jwks.json")).json as JSONWebKeySet;
  const { payload } = await compactVerify(await answer.text(), createLocalJWKSet(keys));
  const record = JSON.parse(new TextDecoder().decode(payload));
  expect(record).toMatchObject({ state: "published", access: "open", dataset: { id: one.dataset, version: 1 } });
  expect(record.digests.inventory.sha512).toMatch(/^[0-9a-f]{128}$/);
  const unknown = await service.api.get(`/dataset/${one.dataset}/publication-record?version=2`);
  expect([unknown.status, unknown.json.code]).toEqual([404, "not_found"]);
});

test("the landing page shows what changed since the published version before, with names only while the files of both are open", async () => {
  const files = { "a.csv": "1", "b.csv": "2", "c.csv": "3" };
  const words = { title: "Leaves of wheat", description: "Measured once a week on twelve plots." };
  const metadata = { ...openMetadata, ...words };
  const one = await publishAs(service, s3, { metadata, files, request: { access: "open" } });
  const publishNext = async (version: number, changed: Record<string, string>, later: object) => {
    await archiveAs(service, s3, undefined, {
      metadata: later,
      files: changed,
      more: { dataset: { id: one.dataset } },
    });
    const path = `/dataset/${one.dataset}/publication/request?version=${version}`;
    expect((await service.api.post(path, { agreement: true, access: "open" })).status).toBe(200);
    await vi.waitUntil(async () => (await landing(one, `?version=${version}`)).status === 200);
  };
  const [first, ...others] = openMetadata.authors;
  const moved = { ...first, address: "2 Private Road", lastName: "Carberry-Hill" };
  await publishNext(
    2,
    { "a.csv": "1", "b.csv": "2b", "d.csv": "4", "e.csv": "5" },
    {
      ...metadata,
      title: "Leaves & <stems>",
      authors: [moved, ...others],
    },
  );
  const page = shown((await landing(one)).text);
  expect(page).toContain("2 files added, 1 file changed, 1 file removed, 1 file unchanged.");
  expect(page).toContain("Added files d.csv e.csv Changed files b.csv Removed files c.csv");
  expect(page).toContain("Changed metadata: Title, Authors");
  expect(page).toContain("Leaves of wheat → Leaves & <stems>");
  expect(page).toContain("Josiah Carberry-Hill");
  expect(page).not.toContain("Private Road");
  await one.done("none", "change-access", { access: "restricted", reason: "Personal data" });
  const closed = shown((await landing(one)).text);
  expect(closed).toContain("2 files added, 1 file changed");
  expect(closed).not.toContain("c.csv");
});

test("files are compared with the published version before also if a version between is not public", async () => {
  const one = await publishAs(service, s3, {
    metadata: openMetadata,
    files: { "a.csv": "1", "b.csv": "2", "c.csv": "3" },
  });
  const more = { dataset: { id: one.dataset } };
  await archiveAs(service, s3, undefined, { metadata: openMetadata, files: { "other.csv": "9" }, more });
  const files = { "a.csv": "1", "b.csv": "2b", "d.csv": "4" };
  await archiveAs(service, s3, undefined, { metadata: openMetadata, files, more });
  const path = `/dataset/${one.dataset}/publication/request?version=3`;
  expect((await service.api.post(path, { agreement: true, access: "open" })).status).toBe(200);
  await vi.waitUntil(async () => (await landing(one, "?version=3")).status === 200);
  const page = shown((await landing(one)).text);
  expect(page).toContain("Changes since version 1");
  expect(page).toContain("1 file added, 1 file changed, 1 file removed, 1 file unchanged.");
  expect(page).not.toContain("other.csv");
});
