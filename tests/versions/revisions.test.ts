import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Answer, type Api, goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import {
  contentDigests,
  expectDownloads,
  expectValid,
  fullyReadKeys,
  submitAndArchive,
  submitNextVersion,
} from "../support/archive/archived-versions.ts";
import { runCommand, textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let service: TestService;
let api: Api;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
  api = service.api;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function archived(bucket: string, contents: Record<string, string> = { "a.csv": "one", "b/c.csv": "two" }) {
  s3.createBucket(bucket);
  for (const [key, content] of Object.entries(contents)) s3.put(bucket, key, content);
  return submitAndArchive(api, accessTo(bucket));
}

const accessTo = (bucket: string) => ({ endpoint: s3.endpoint, bucket, ...keys });

async function change(
  id: string,
  metadata: object,
  ifMatch: string | undefined,
  more: { note?: string; headers?: Record<string, string>; api?: Api } = {},
): Promise<Answer> {
  const { note, headers, api: to = api } = more;
  return to.send(`/dataset/${id}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata, ...(note !== undefined && { note }) }),
    headers: {
      "content-type": "application/json",
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...headers,
    },
  });
}

const inventoryOf = async (id: string, version: string) =>
  JSON.parse(await readFile(join(await objectOf(id), version, "inventory.json"), "utf8"));

async function objectOf(id: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  const digest = createHash("sha512").update(`urn:uuid:${id}`).digest("hex");
  return join(service.archive, "ocfl", digest.slice(0, 3), digest.slice(3, 6), digest.slice(6, 9), digest);
}

test("a change of metadata is a new OCFL version without copied content, and every earlier state remains", async () => {
  const { dataset } = await archived("revised");
  const path = `/dataset/${dataset.id}/metadata`;
  const before = await api.get(path);
  expect(before.headers.get("etag")).toBe('"1.1"');
  const changed = { ...goodMetadata, title: "Barley roots, corrected", versionLabel: "2026.2" };
  const answer = await change(dataset.id, changed, '"1.1"', { note: "A better title" });
  expect([answer.status, answer.headers.get("etag"), answer.json.revision, answer.json.note]).toEqual([
    200,
    '"1.2"',
    2,
    "A better title",
  ]);
  expect((await api.get(path)).json).toEqual(answer.json);
  expect((await api.get(`${path}?revision=1`)).json).toEqual(before.json);
  expect(
    (await api.get(`/dataset/${dataset.id}/revisions`)).json.map((one: { revision: number }) => one.revision),
  ).toEqual([2, 1]);
  expect((await api.get(`/dataset/${dataset.id}`)).json).toMatchObject({ title: changed.title, version: 1 });
  const [entry] = (await api.get("/dataset?q=corrected")).json;
  expect([entry.id, entry.title, entry.metadata.title]).toEqual([dataset.id, changed.title, changed.title]);
  const cited = await fetch(`${api.url}/dataset/${dataset.id}/export/bibtex`);
  expect(await cited.text()).toContain("Barley roots, corrected");

  const { head, versions, manifest } = await inventoryOf(dataset.id, "v2");
  expect(head).toBe("v2");
  const own = Object.values(manifest as Record<string, string[]>)
    .flat()
    .filter((file) => file.startsWith("v2/"));
  expect(own.toSorted()).toEqual([
    "v2/content/metadata/datacite.json",
    "v2/content/metadata/datacite.xml",
    "v2/content/metadata/submission.json",
    "v2/content/ro-crate-metadata.json",
  ]);
  const pathsOf = (version: string) =>
    Object.values(versions[version].state as Record<string, string[]>)
      .flat()
      .toSorted();
  expect(pathsOf("v2")).toEqual(pathsOf("v1"));
  const contents = await contentDigests(s3, "revised");
  await expectDownloads(api, dataset.id, 1, contents);
  await expectValid(service.archive);
});

test("its receipt states the new inventory, and names the one before", async () => {
  const { dataset } = await archived("chained");
  for (const [index, title] of ["second", "third"].entries()) {
    const { status } = await change(dataset.id, { ...goodMetadata, title }, `"1.${index + 1}"`);
    expect(status).toBe(200);
  }
  const receipts = await Promise.all(
    ["v1", "v2", "v3"].map(async (version) => {
      const jws = await readFile(join(await objectOf(dataset.id), "logs", version, "receipt.jws"), "utf8");
      return JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());
    }),
  );
  expect(receipts.map(({ dataset: { revision }, title }) => [revision, title])).toEqual([
    [undefined, goodMetadata.title],
    [2, "second"],
    [3, "third"],
  ]);
  expect(receipts[1].previous.inventory).toEqual(receipts[0].digests.inventory);
  expect(receipts[2].previous.inventory).toEqual(receipts[1].digests.inventory);
  expect(receipts[2].digests.sourceManifest).toEqual(receipts[0].digests.sourceManifest);
});

describe("a change is refused", () => {
  test("without If-Match, after another change, and with invalid metadata; and repeated without effect", async () => {
    const { dataset } = await archived("refused-changes");
    const changed = { ...goodMetadata, title: "Changed" };
    const missing = await change(dataset.id, changed, undefined);
    expect([missing.status, missing.json.code]).toEqual([428, "if_match_required"]);
    expect((await change(dataset.id, changed, '"1.1"')).status).toBe(200);
    // The repeated request of a client that lost the first response.
    expect((await change(dataset.id, changed, '"1.1"')).json.revision).toBe(2);
    const late = await change(dataset.id, { ...goodMetadata, title: "Other" }, '"1.1"');
    expect([late.status, late.json.code]).toEqual([412, "metadata_conflict"]);
    for (const tag of ["1.1", "", '"1"', '"1.1", x', '"p1.1.1"', 'W/"1.1"']) {
      const malformed = await change(dataset.id, changed, tag);
      expect([malformed.status, malformed.json.code], tag).toEqual([400, "bad_request"]);
      expect(malformed.json.detail).toMatch(/^The header If-Match must be \* or the ETag .* such as "1\.1"/);
    }
    const wrong = await change(dataset.id, { ...goodMetadata, authors: [], dates: [{ date: "2026-13" }] }, '"1.2"');
    expect(wrong.status).toBe(422);
    const pointers = wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toContain("/metadata/dates/0/date");
    expect((await api.get(`/dataset/${dataset.id}/revisions`)).json).toHaveLength(2);
  });

  test("while another version is being archived", { tags: "extended" }, async () => {
    const { dataset } = await archived("busy");
    s3.addFault({ match: { bucket: "busy", operation: "get" }, fault: { delay: 2_000 } });
    s3.put("busy", "new.csv", "new");
    const { id } = await api.submit(accessTo("busy"), { dataset: { id: dataset.id } });
    const answer = await change(dataset.id, { ...goodMetadata, title: "Changed" }, "*");
    expect([answer.status, answer.json.code]).toEqual([409, "dataset_busy"]);
    s3.clearFaults();
    await api.until(id, ["completed"]);
    expect((await change(dataset.id, { ...goodMetadata, title: "Changed" }, "*")).json).toMatchObject({
      version: 2,
      revision: 2,
    });
  });
});

test("of several concurrent changes with the same ETag, one wins", async () => {
  const { dataset } = await archived("concurrent");
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => change(dataset.id, { ...goodMetadata, title: `Title ${index}` }, '"1.1"')),
  );
  const revisions = (await api.get(`/dataset/${dataset.id}/revisions`)).json;
  expect(revisions.map((one: { revision: number }) => one.revision)).toEqual([2, 1]);
  const won = answers.filter(({ status }) => status === 200);
  expect(won.length).toBeGreaterThan(0);
  const refused = answers.filter(({ status }) => status !== 200).map(({ json }) => json.code);
  // Replaced by the same user’s later change, during the publication of the first one, or after it.
  expect(["change_replaced", "dataset_busy", "metadata_conflict"]).toEqual(
    expect.arrayContaining([...new Set(refused)]),
  );
  await expectValid(service.archive);
});

test("a later version follows a revision, keeps unchanged objects, and all states are readable", {
  tags: "extended",
}, async () => {
  const { dataset } = await archived("followed");
  const before = await contentDigests(s3, "followed");
  expect((await change(dataset.id, { ...goodMetadata, title: "Revised" }, '"1.1"')).status).toBe(200);
  s3.put("followed", "new.csv", "new");
  s3.clearHistory();
  const next = await submitNextVersion(api, accessTo("followed"), dataset);
  expect(next.dataset.version).toBe(2);
  expect((await api.receipt(next.id)).digests.inventory?.path).toBe("v3/inventory.json");
  expect((await api.receipt(next.id)).changes).toMatchObject({ since: 1, kept: { total: 2, notRead: 2 } });
  expect((await change(dataset.id, { ...goodMetadata, title: "Revised again" }, '"2.1"')).json.revision).toBe(2);
  await expectDownloads(api, dataset.id, 1, before);
  await expectDownloads(api, dataset.id, 2, await contentDigests(s3, "followed"));
  expect((await api.get(`/dataset/${dataset.id}/metadata?version=1`)).json.metadata.title).toBe("Revised");
  expect((await api.get(`/dataset/${dataset.id}/files?version=2&limit=1000`)).json).toHaveLength(3 + 5);
  await expectValid(service.archive);
});

test("a failed version can be retried after a change of the metadata, with the content that it has read", {
  tags: "extended",
}, async () => {
  await using limited = await startTestService({ ACCESSION_QUOTA_BYTES: "2000000" });
  s3.createBucket("retried");
  s3.put("retried", "a.csv", "one");
  const { dataset } = await submitAndArchive(limited.api, accessTo("retried"));
  for (let i = 0; i < 6; i++) s3.put("retried", `b${i}.csv`, `new ${i}`);
  s3.put("retried", "z.bin", { seed: "too much", size: 3_000_000 });
  s3.quirks.pageLimit = 2;
  s3.addFault({ match: { bucket: "retried", operation: "list" }, fault: { delay: 700 } });
  const { id } = await limited.api.submit(accessTo("retried"), { dataset: { id: dataset.id } });
  const failed = await limited.api.until(id, ["failed"]);
  expect(failed.progress.objectsStored).toBeGreaterThan(1);
  s3.clearFaults();
  delete s3.quirks.pageLimit;
  s3.remove("retried", "z.bin");
  const revised = await change(dataset.id, { ...goodMetadata, title: "Revised" }, '"1.1"', { api: limited.api });
  expect(revised.json.revision).toBe(2);
  s3.clearHistory();
  expect((await limited.api.post(`/submission/${id}/retry`, { s3Access: accessTo("retried") })).status).toBe(202);
  await limited.api.until(id, ["completed"]);
  expect(fullyReadKeys(s3)).not.toContain("b0.csv");
  await expectDownloads(limited.api, dataset.id, 2, await contentDigests(s3, "retried"));
  await expectValid(limited.archive);
});

test("a database rebuilt from the archive has the same revisions", { tags: "extended" }, async () => {
  const { dataset } = await archived("rebuilt");
  await change(dataset.id, { ...goodMetadata, title: "Revised" }, '"1.1"', { note: "A note" });
  s3.put("rebuilt", "new.csv", "new");
  await submitNextVersion(api, accessTo("rebuilt"), dataset);
  await change(dataset.id, { ...goodMetadata, title: "Revised again" }, '"2.1"');
  const read = async () => {
    const paths = ["", "/metadata", "/metadata?version=1", "/revisions", "/revisions?version=1", "/versions"];
    return Promise.all(paths.map(async (path) => (await api.get(`/dataset/${dataset.id}${path}`)).json));
  };
  const before = await read();
  await service.restart(async () => {
    await service.recreateDatabase();
    const rebuilt = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ""]);
  });
  api = service.api;
  expect(await read()).toEqual(before);
  await expectDownloads(api, dataset.id, 2, await contentDigests(s3, "rebuilt"));
});

test("curators may change metadata, other submitters may not", { tags: "extended" }, async () => {
  await using own = await startTestService(TOKENS);
  const tokens = await Tokens.open(own);
  const [ada, bob, curator] = [
    await tokens.create("ada", "submitter"),
    await tokens.create("bob", "submitter"),
    await tokens.create("carla", "curator"),
  ];
  s3.createBucket("of-ada");
  s3.put("of-ada", "a", "a");
  const body = { metadata: goodMetadata, s3Access: accessTo("of-ada") };
  const { json } = await own.api.post("/submission/upload/s3upload", body, bearer(ada.token));
  const read = async () => (await own.api.get(`/submission/${json.id}`, bearer(ada.token))).json;
  await expect.poll(async () => (await read()).status).toBe("completed");
  const { id } = (await read()).dataset;
  const as = (token: string, title: string, ifMatch: string) =>
    change(id, { ...goodMetadata, title }, ifMatch, { headers: bearer(token), api: own.api });
  expect((await as(bob.token, "Stolen", "*")).status).toBe(404);
  expect((await as(curator.token, "Curated", '"1.1"')).json).toMatchObject({ changedBy: "carla", revision: 2 });
  expect((await as(ada.token, "Own", '"1.2"')).json).toMatchObject({ changedBy: "ada", revision: 3 });
});

test("the command line shows the metadata and changes them", async () => {
  const { dataset } = await archived("commanded");
  const file = join(service.data, "new-metadata.json");
  await writeFile(file, JSON.stringify({ ...goodMetadata, title: "Changed by a command" }));
  const run = (...args: string[]) =>
    runCommand(["dataset", ...args], service.data, { env: { ACCESSION_URL: api.url } });
  const change = ["set-metadata", dataset.id, "--metadata", file, "--note", "A typing error", "--expect", "1.1"];
  const changed = await run(...change);
  expect([changed.code, changed.stderr, changed.lines[0].revision]).toEqual([0, "", 2]);
  const shown = await run("metadata", dataset.id);
  expect(shown.lines[0]).toMatchObject({ note: "A typing error", metadata: { title: "Changed by a command" } });
  await writeFile(file, JSON.stringify({ ...goodMetadata, title: "Too late" }));
  const late = await run(...change);
  expect(late.code).not.toBe(0);
  expect(late.stderr).toContain("The metadata were changed in the meantime");
  // Without --expect, the change replaces the current metadata and shows whose they were.
  const environment = { ACCESSION_URL: api.url };
  const replace = ["dataset", "set-metadata", dataset.id, "--metadata", file];
  const replacing = await textOfCommand(replace, service.data, environment);
  expect(replacing).toMatch(/^Replaces the state 1\.2 of .* by local\.\n/);
  expect(replacing).toContain("The metadata have the state 1.3.");
  expect(await textOfCommand(replace, service.data, environment)).toContain("Nothing was changed.");
  await writeFile(file, JSON.stringify({ ...goodMetadata, title: "Changed by a command" }));
  expect((await run("set-metadata", dataset.id, "--metadata", file, "--expect", "1.3")).code).toBe(0);
  const malformed = await run("set-metadata", dataset.id, "--metadata", file, "--expect", "r2");
  expect([malformed.code, malformed.stderr]).toEqual([2, expect.stringContaining("such as 1.2")]);
  const stdout = await textOfCommand(["dataset", "metadata", dataset.id], service.data, { ACCESSION_URL: api.url });
  expect(stdout).toMatch(/ {2}title +Changed by a command\n/);
  expect(stdout).toMatch(/ {4}– role: Creator, firstName: Josiah, lastName: Carberry, orcid: 0000-0002-1825-0097\n/);
  expect(stdout).toMatch(/\n {2}1\.2, .*: A typing error\n {2}1\.1, /);
});

test("until a change is archived, the same request joins it, and other users are refused", {
  tags: "extended",
}, async () => {
  await using own = await startTestService(TOKENS);
  const tokens = await Tokens.open(own);
  const [ada, curator] = [await tokens.create("ada", "submitter"), await tokens.create("carla", "curator")];
  const bucket = `pending-${Date.now()}`;
  s3.createBucket(bucket);
  s3.put(bucket, "a", "a");
  const body = { metadata: goodMetadata, s3Access: accessTo(bucket) };
  const { json } = await own.api.post("/submission/upload/s3upload", body, bearer(ada.token));
  const read = async () => (await own.api.get(`/submission/${json.id}`, bearer(ada.token))).json;
  await expect.poll(async () => (await read()).status).toBe("completed");
  const { id } = (await read()).dataset;
  // A file in place of the staging area: nothing can be archived.
  const staging = join(own.archive, "staging");
  await rename(staging, `${staging}-away`);
  await writeFile(staging, "");
  const as = (token: string, title: string) =>
    change(id, { ...goodMetadata, title }, '"1.1"', { headers: bearer(token), api: own.api });
  expect((await as(ada.token, "Pending")).status).toBe(202);
  expect((await as(curator.token, "Other")).json.code).toBe("dataset_busy");
  const again = as(ada.token, "Pending");
  await rm(staging);
  await rename(`${staging}-away`, staging);
  await again;
  expect((await as(ada.token, "Pending")).json.revision).toBe(2);
});
