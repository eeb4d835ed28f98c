import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { recordOf } from "../../src/archive/receipts/signing.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand, textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const open = { agreement: true, access: "open" };
let s3: S3Server;
let account: DataciteAccount;
let service: TestService;
let ada: string;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  service = await startTestService({
    ...TOKENS,
    ...account.settings(),
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_CONCEPT_DOI: "on",
  });
  ada = (await (await Tokens.open(service)).create("ada", "submitter")).token;
});
afterEach(() => {
  account.reset();
  s3.clearFaults();
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

const clientOf = (dataset: string) => new PublicationClient(service, dataset);

/** Publishes a version, and waits until the service has nothing left to do for it. */
async function published(one: PublicationClient): Promise<string> {
  await one.done(ada, "request", open);
  const { doi } = await one.until(ada, "published");
  await service.settled();
  return doi;
}

async function archivedAndPublished(): Promise<{ one: PublicationClient; submission: string; doi: string }> {
  const { dataset, submission } = await archiveAs(service, s3, ada);
  const one = clientOf(dataset);
  return { one, submission, doi: await published(one) };
}

async function text(path: string): Promise<string> {
  const { status, text: body } = await service.api.get(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

const objectOf = (dataset: string) => join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`));

/** What the newest state of an archived object states, read without the service. */
async function archivedDocuments(dataset: string) {
  const folder = objectOf(dataset);
  const { head, versions, manifest } = JSON.parse(await readFile(join(folder, "inventory.json"), "utf8"));
  const state: [string, string[]][] = Object.entries(versions[head].state);
  const read = async (path: string) => {
    const [digest = ""] = state.find(([, paths]) => paths.includes(path)) ?? [];
    return readFile(join(folder, manifest[digest][0]), "utf8");
  };
  const graph: Record<string, unknown>[] = JSON.parse(await read("ro-crate-metadata.json"))["@graph"];
  const { identifier } = graph.find((entity) => entity["@id"] === "./") as { identifier: { "@id": string } };
  const json = JSON.parse(await read("metadata/datacite.json"));
  return {
    crate: [identifier["@id"], graph.find((entity) => entity["@id"] === identifier["@id"])?.propertyID],
    json: json.identifiers,
    xml: /<identifier identifierType="(\w+)">([^<]+)</.exec(await read("metadata/datacite.xml"))?.slice(1),
    issued: json.dates.find(({ dateType }: { dateType: string }) => dateType === "Issued")?.date,
    title: json.titles[0].title,
  };
}

async function newestRecord(dataset: string) {
  const folder = join(objectOf(dataset), "logs", "publication");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jws")).toSorted();
  return recordOf(await readFile(join(folder, names.at(-1) ?? "missing"), "utf8"));
}

const namedIn = (doi: string) => ({
  crate: [`https://doi.org/${doi}`, "https://registry.identifiers.org/registry/doi"],
  json: [{ identifier: doi, identifierType: "DOI" }],
  xml: ["DOI", doi],
  issued: new Date().toISOString().slice(0, 10),
  title: goodMetadata.title,
});

test("API, page, exports and archive name the DOI of a published version", async () => {
  const { one, submission, doi } = await archivedAndPublished();
  const url = `https://doi.org/${doi}`;
  const path = `/dataset/${one.dataset}`;
  const identified = { identifier: url, identifierType: "DOI" };

  for (const as of [{}, bearer(ada)]) {
    const { json } = await service.api.get(path, as);
    expect(json).toMatchObject({ ...identified, versions: [{ version: 1, ...identified }] });
    expect((await service.api.get(`${path}/versions`, as)).json).toMatchObject([identified]);
  }
  expect((await service.api.get("/dataset", bearer(ada))).json[0]).toMatchObject({ id: one.dataset, ...identified });
  expect((await service.api.get("/datasets")).json.datasets[0]).toMatchObject({ id: one.dataset, ...identified });
  expect((await service.api.get(`/submission/${submission}`, bearer(ada))).json).toMatchObject(identified);
  expect((await one.get()).json).toMatchObject(identified);

  const html = await (await fetch(service.url + path, { headers: { accept: "text/html" } })).text();
  for (const part of [`content="${doi}"`, `href="${url}"`, `"@id":"${url}"`]) expect(html).toContain(part);
  const stated = {
    bibtex: `doi = {${doi}}`,
    ris: `DO  - ${doi}`,
    csl: `"DOI": "${doi}"`,
    "schema-org": `"@id": "${url}"`,
    dcat: `"dcterms:identifier": "${url}"`,
    "dublin-core": `<dc:identifier>${url}</dc:identifier>`,
    "datacite-xml": `<identifier identifierType="DOI">${doi}</identifier>`,
    "datacite-json": `"identifier": "${doi}"`,
  };
  for (const [format, part] of Object.entries(stated)) expect(await text(`${path}/export/${format}`)).toContain(part);
  expect((await one.get(undefined, "")).headers.get("link")).toContain(`<${url}>; rel="cite-as"`);
  expect(await text(`${path}/linkset`)).toContain(`"cite-as":[{"href":"${url}"}]`);
  expect(await text("/oai?verb=ListRecords&metadataPrefix=oai_dc")).toContain(url);
  expect(await text("/oai?verb=ListRecords&metadataPrefix=datacite")).toContain(stated["datacite-xml"]);
  expect(await text("/feed.atom")).toContain(`<id>${url}</id>`);
  // The files of a ZIP file are not compressed.
  expect(await text(`${path}/export/bagit`)).toContain(`External-Identifier: ${url}`);

  const revisions = (await service.api.get(`${path}/revisions`, bearer(ada))).json;
  expect(revisions).toMatchObject([{ revision: 2, changedBy: "", note: `Published under ${url}` }, { revision: 1 }]);
  expect(await archivedDocuments(one.dataset)).toEqual(namedIn(doi));
  // The record names the newest revision.
  expect((await newestRecord(one.dataset)).dataset).toMatchObject({ version: 1, revision: 2 });
});

test("commands name the DOI, and so do database and archive after a rebuild", { tags: "extended" }, async () => {
  const { one, submission, doi } = await archivedAndPublished();
  const url = `https://doi.org/${doi}`;
  const path = `/dataset/${one.dataset}`;
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: ada };
  expect(await textOfCommand(["dataset", "metadata", one.dataset], service.data, env)).toContain(
    `, the service: Published under ${url}`,
  );
  expect(await textOfCommand(["dataset", "show", one.dataset], service.data, env)).toContain(`  ${url}\n`);
  expect(await textOfCommand(["status", submission], service.data, env)).toContain(`${url}, version 1`);

  const read = async () =>
    Promise.all(["", "/revisions"].map(async (part) => (await service.api.get(path + part, bearer(ada))).json));
  const before = await read();
  await service.restart(async () => {
    await service.recreateDatabase();
    const rebuilt = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ""]);
  });
  await service.settled();
  ada = (await (await Tokens.open(service)).create("ada", "submitter")).token;
  expect(await read()).toEqual(before);
  expect(await archivedDocuments(one.dataset)).toEqual(namedIn(doi));
  const verified = await runCommand(["verify", service.archive], service.data);
  expect(verified.code).toBe(0);
});

test("a DOI that is being registered is not an identifier yet, for readers and owner", async () => {
  const { dataset, submission } = await archiveAs(service, s3, ada);
  const one = clientOf(dataset);
  const urn = { identifier: `urn:uuid:${dataset}`, identifierType: "URN" };
  // The DOI of the version is complete at DataCite. That of the dataset is not, so that the version is not published yet.
  account.server.addFault({ match: { method: "POST" }, fault: { rewrite: (attributes) => attributes } });
  account.server.addFault({ match: { method: "POST" }, fault: { registration: "never" } });
  await one.done(ada, "request", open);
  await vi.waitUntil(async () => (await one.get(ada)).json.problem?.code === "doi_not_registered", { interval: 50 });
  const { doi, state } = (await one.get(ada)).json;
  expect([state, account.server.dois.get(doi)?.state]).toEqual(["registering", "findable"]);
  for (const as of [{}, bearer(ada)]) {
    const { json } = await service.api.get(`/dataset/${dataset}`, as);
    expect(json).toMatchObject(urn);
    expect(JSON.stringify(json)).not.toContain("10.5072");
    for (const format of ["bibtex", "datacite-xml", "schema-org", "ro-crate"]) {
      const { status, text: stated } = await service.api.get(`/dataset/${dataset}/export/${format}`, as);
      if (status === 200) expect([format, stated.includes("10.5072")]).toEqual([format, false]);
    }
  }
  expect((await service.api.get(`/submission/${submission}`, bearer(ada))).json).toMatchObject(urn);
  expect((await archivedDocuments(dataset)).xml).toEqual(["URN", urn.identifier]);
  expect((await service.api.get(`/dataset/${dataset}/versions`)).json).toEqual([]);
  await one.done(ada, "take-back");
});

test("while a later version is being archived, the archive names the DOI when it has ended", async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = clientOf(dataset);
  s3.createBucket("never-read");
  // The first read is that of the check before the submission.
  s3.addFault({ match: { bucket: "never-read", operation: "get", nth: 2, times: 1_000 }, fault: { stall: "forever" } });
  s3.put("never-read", "a.csv", "1");
  const access = {
    endpoint: s3.endpoint,
    bucket: "never-read",
    accessKey: "AKREADER",
    secretKey: "secret-key-of-the-bucket",
  };
  const body = { metadata: goodMetadata, s3Access: access, dataset: { id: dataset } };
  const later = await service.api.post("/submission/upload/s3upload", body, bearer(ada));
  expect(later.status, later.text).toBe(202);
  await one.done(ada, "request", open);
  const { doi } = await one.until(ada, "published");
  expect((await service.api.get(`/dataset/${dataset}`)).json.identifier).toBe(`https://doi.org/${doi}`);
  await vi.waitUntil(async () => (await one.get(ada)).json.attempts > 0, { interval: 50 });
  expect((await archivedDocuments(dataset)).xml?.[0]).toBe("URN");

  const cancelled = await service.api.post(`/submission/${later.json.id}/cancel`, {}, bearer(ada));
  expect(cancelled.status, cancelled.text).toBe(202);
  await vi.waitUntil(async () => (await archivedDocuments(dataset)).xml?.[1] === doi, { interval: 100 });
  expect(await archivedDocuments(dataset)).toEqual(namedIn(doi));
});

test("a user who has seen the metadata before publication is told that the service wrote them again", {
  tags: "extended",
}, async () => {
  const { one } = await archivedAndPublished();
  const change = (ifMatch: string) =>
    service.api.send(`/dataset/${one.dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, title: "Corrected" } }),
      headers: { "content-type": "application/json", "if-match": ifMatch, ...bearer(ada) },
    });
  const refused = await change('"1.1"');
  expect([refused.status, refused.json.code]).toEqual([412, "metadata_conflict"]);
  expect(refused.json.detail).toMatch(/^The service has written the metadata again, without a change, as revision 2: /);
  expect((await change('"1.2"')).status).toBe(200);
  await service.settled();
  // A later revision states the DOI, too, so that the service adds none.
  expect((await service.api.get(`/dataset/${one.dataset}/revisions`, bearer(ada))).json).toHaveLength(3);
  expect(await archivedDocuments(one.dataset)).toMatchObject({ title: "Corrected", xml: ["DOI", expect.anything()] });
});

test("each version has its DOI, also if the later one is submitted right after publication", {
  tags: "extended",
}, async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = clientOf(dataset);
  await one.done(ada, "request", open);
  const { doi: first } = await one.until(ada, "published");
  await archiveAs(service, s3, ada, { more: { dataset: { id: dataset } } });
  const requested = await service.api.post(`/dataset/${dataset}/publication/request?version=2`, open, bearer(ada));
  expect([requested.status, requested.text]).toEqual([200, expect.anything()]);
  const second = await vi.waitUntil(async () => {
    const { json } = await one.get(ada, "/publication?version=2");
    return json.state === "published" && json.doi;
  });
  await service.settled();
  expect((await service.api.get(`/dataset/${dataset}/versions`)).json).toMatchObject([
    { version: 2, identifier: `https://doi.org/${second}`, identifierType: "DOI" },
    { version: 1, identifier: `https://doi.org/${first}`, identifierType: "DOI" },
  ]);
  expect((await service.api.get(`/dataset/${dataset}?version=1`)).json.identifier).toBe(`https://doi.org/${first}`);
  expect(await archivedDocuments(dataset)).toEqual(namedIn(second));
  const revisions = async (version: number) =>
    (await service.api.get(`/dataset/${dataset}/revisions?version=${version}`, bearer(ada))).json.length;
  expect([await revisions(1), await revisions(2)]).toEqual([2, 2]);
});
