import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { OUTSIDER_ATTEMPTS, OUTSIDER_ROUTES, sendAttempt, type Target } from "../support/api/outsider-attempts.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { createLink } from "../support/api/reviewer-links.ts";
import { findPackage } from "../support/archive/package.ts";
import { bagErrors, crateErrors, readZip, withoutBagFolder } from "../support/archive/package-formats.ts";
import { Canary } from "../support/identity/canary.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const BUCKET = "kanarienbucket-von-1987";
const OWNER = "amselowner";
const CURATOR = "elsterkuratorin";
const FILES = { "README.md": "# Plots", "plots/a.csv": "1;2", "gimpelgeheim/x.csv": "secret" };
const SELECTION = { include: ["**", "zaunkoenig-*"], exclude: ["gimpelgeheim/**"] };

let s3: S3Server;
let datacite: DataciteAccount;
let service: TestService;
let admin: string;
let ada: string;
let bob: string;
let carla: string;

beforeAll(async () => {
  s3 = await startS3Server({ region: "eu-canary-1" });
  s3.addAccount(keys);
  s3.createBucket(BUCKET);
  for (const [key, content] of Object.entries(FILES)) {
    s3.put(BUCKET, key, content, { metadata: { "x-note": "canary-of-metadata" } });
  }
  datacite = await openDatacite();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_AUDIT_INTERVAL: "1 second",
    ACCESSION_AUDIT_SHARE: "100%",
    ...datacite.settings(),
  });
  const tokens = await Tokens.open(service);
  admin = tokens.admin;
  ada = (await tokens.create(OWNER, "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  carla = (await tokens.create(CURATOR, "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await datacite.close();
  await s3.close();
});

interface Archived {
  one: PublicationClient;
  submission: string;
}

/** Archives the bucket with the canaries in all details of the source. */
async function archived(more: object = {}): Promise<Archived> {
  const { dataset, submission } = await archiveAs(service, s3, ada, {
    more: {
      s3Access: { endpoint: s3.endpoint, region: "eu-canary-1", bucket: BUCKET, ...keys },
      selection: SELECTION,
      ...more,
    },
  });
  return { one: new PublicationClient(service, dataset), submission };
}

async function published(request: object = {}): Promise<Archived> {
  const found = await archived();
  await found.one.done(ada, "request", { agreement: true, access: "open", comment: "Starenkommentar", ...request });
  await found.one.done(carla, "approve", { comment: "Meisenkommentar" });
  await found.one.until(ada, "published");
  return found;
}

/** What nobody but owner and curators learns: the source, the submission, and accounts. */
const sourceOf = (submissions: string[]) => [
  ...[BUCKET, new URL(s3.endpoint).host, "eu-canary-1", "zaunkoenig-", "gimpelgeheim", "canary-of-metadata"],
  ...[OWNER, CURATOR, "Starenkommentar", "Meisenkommentar", ...submissions],
];
const SERVICE_FILES = ["submission.json", "source-manifest.jsonl", "datacite.json"].map((name) => `metadata/${name}`);
const PATHS = ["data/README.md", "data/plots", "data/", "metadata", "ro-crate-metadata.json", ...SERVICE_FILES];

const HTML = { accept: "text/html", "accept-language": "en" };

/** Answers to outsiders that contain a canary. */
async function leaks(dataset: string, canaries: Canary, callers: (string | undefined)[], words: string[] = []) {
  const target: Target = { dataset, paths: PATHS, prefixes: ["data/", "metadata/"], words: ["plot", ...words] };
  const attempts = OUTSIDER_ROUTES.flatMap((route) => OUTSIDER_ATTEMPTS[route]?.(target) ?? []);
  const found = new Set<string>();
  for (const token of callers) {
    for (const attempt of attempts) {
      const { status, head, bytes } = await sendAttempt(service.url, attempt, token);
      if (canaries.isIn(head) || canaries.isIn(bytes)) found.add(`${attempt.method} ${attempt.path}: ${status}`);
    }
  }
  return [...found];
}

const bytesOf = async (path: string, token?: string, headers: Record<string, string> = {}) =>
  sendAttempt(service.url, { method: "GET", path, headers }, token);

describe("details of the source of a published dataset", () => {
  test("are in no answer to outsiders, and the owner finds them", async () => {
    const { one, submission } = await published();
    const canaries = new Canary(sourceOf([submission]));
    expect(await leaks(one.dataset, canaries, [undefined])).toEqual([]);
    const path = `/dataset/${one.dataset}`;
    for (const place of ["/files/metadata/submission.json", "/export/ro-crate", "/export/bagit", "/files/metadata"]) {
      for (const reader of [ada, carla, admin]) {
        expect([place, canaries.isIn((await bytesOf(path + place, reader)).bytes)]).toEqual([place, true]);
      }
    }
  });

  test("are left out of packages that are valid, and of files with the digests that are listed", async () => {
    const { one } = await published();
    // The service writes a revision with the DOI after the publication.
    await service.settled();
    const path = `/dataset/${one.dataset}`;
    const { json: files } = await one.get(undefined, "/files");
    expect(files.map((file: { path: string }) => file.path)).toEqual([
      ...["metadata/datacite.json", "metadata/datacite.xml", "metadata/submission.json", "ro-crate-metadata.json"],
      ...["data/README.md", "data/plots/a.csv"],
    ]);
    for (const file of files as { path: string; bytes: number; sha512: string }[]) {
      const { bytes } = await bytesOf(`${path}/files/${file.path}`);
      expect([file.path, bytes.length, createHash("sha512").update(bytes).digest("hex")]).toEqual([
        ...[file.path, file.bytes, file.sha512],
      ]);
      const part = await bytesOf(`${path}/files/${file.path}`, undefined, { range: "bytes=1-2" });
      expect([file.path, part.status, part.bytes]).toEqual([file.path, 206, bytes.subarray(1, 3)]);
    }
    const { json: kept } = await one.get(undefined, "/files/metadata/submission.json");
    expect(Object.keys(kept)).toEqual(["dataset", "metadata"]);
    expect(kept.metadata.title).toBe(goodMetadata.title);
    expect((await one.get(undefined, "/files/metadata/source-manifest.jsonl")).status).toBe(404);
    const crate = await readZip((await bytesOf(`${path}/export/ro-crate`)).bytes);
    expect(crateErrors(crate)).toEqual([]);
    expect([...crate.keys()].filter((name) => !name.endsWith("/")).toSorted()).toEqual(
      files.map((file: { path: string }) => file.path).toSorted(),
    );
    const bag = withoutBagFolder(await readZip((await bytesOf(`${path}/export/bagit`)).bytes), one.dataset);
    expect(bagErrors(bag)).toEqual([]);
    expect(crateErrors(bag)).toEqual([]);
  });

  test("are shown if the owner agrees with the request, and curators see that", async () => {
    const { one } = await archived();
    const asked = await one.done(ada, "request", { agreement: true, access: "open", showSource: true });
    expect(asked.showSource).toBe(true);
    expect((await one.get(carla)).json.showSource).toBe(true);
    await one.done(carla, "approve");
    await one.until(ada, "published");
    const { json } = await one.get(undefined, "/files/metadata/submission.json");
    expect(json.source).toMatchObject({ endpoint: s3.endpoint, bucket: BUCKET, selection: SELECTION });
    // Until the published version is described in its archive.
    await service.settled();
    const lists = [await one.get(undefined, "/files"), await one.get(ada, "/files")];
    expect(lists[0]?.json).toEqual(lists[1]?.json);
    expect((await one.get(undefined)).json).toMatchObject({ showSource: true, publishOnApproval: true });
    // The agreement is about one version.
    await archived({ dataset: { id: one.dataset } });
    await one.service.api.post(
      `/dataset/${one.dataset}/publication/request?version=2`,
      { agreement: true, access: "open" },
      bearer(ada),
    );
    expect((await one.get(ada, "/publication?version=2")).json.showSource).toBe(false);
  });

  test("are not in what reviewers get", async () => {
    const { one, submission } = await archived();
    const canaries = new Canary(sourceOf([submission]));
    for (const anonymous of [false, true]) {
      const { secret } = await createLink(service, ada, one.dataset, { anonymous });
      for (const path of ["/review", "/review/files", "/review/zip", "/review/files/ro-crate-metadata.json"]) {
        const { status, bytes } = await bytesOf(path, secret);
        expect([path, canaries.isIn(bytes)]).toEqual([path, false]);
        if (!anonymous) expect([path, status]).toEqual([path, 200]);
      }
      if (!anonymous) expect(crateErrors(await readZip((await bytesOf("/review/zip", secret)).bytes))).toEqual([]);
    }
  });
});

describe("a version that is not public", () => {
  const HIDDEN = { "drosselfolder/staradded.csv": "2", "drosselfolder/b.csv": "3" };

  /** A dataset with a published version, and a second one with other files, title and comments. */
  async function withSecond(): Promise<
    Archived & { canaries: Canary; second: (action: string, token: string) => Promise<unknown> }
  > {
    const { one, submission } = await published();
    const later = await archiveAs(service, s3, ada, {
      files: HIDDEN,
      metadata: { ...goodMetadata, title: "Rotkehlchen in the second version" },
      more: { dataset: { id: one.dataset } },
    });
    const names = ["Rotkehlchen", "drosselfolder", "staradded", "Grasmücke"];
    const canaries = new Canary([...sourceOf([submission, later.submission]), ...names]);
    const asked = { agreement: true, access: "open", publishOnApproval: false };
    const second = async (action: string, token: string) => {
      const body = { comment: "Grasmücke", ...(action === "request" && asked) };
      const path = `/dataset/${one.dataset}/publication/${action}?version=2`;
      const { headers } = await one.get(token, "/publication?version=2");
      const { status, text } = await service.api.post(path, body, {
        ...bearer(token),
        ...(action === "approve" && { "if-match": headers.get("etag") ?? "" }),
      });
      expect([action, status, status === 200 ? "" : text]).toEqual([action, 200, ""]);
    };
    return { one, submission: later.submission, canaries, second };
  }
  const words = ["Rotkehlche", "drosselfolde", "staradde"];

  test("is not shown while it is reviewed", { tags: "extended" }, async () => {
    const { one, canaries, second } = await withSecond();
    await second("request", ada);
    await second("comment", carla);
    expect(await leaks(one.dataset, canaries, [undefined], words)).toEqual([]);
  });

  test.each([
    ["in_review", "comment"],
    ["changes_requested", "request-changes"],
    ["declined", "decline"],
    ["approved", "approve"],
  ])("is not shown in the state %s", { tags: "extended" }, async (state, action) => {
    const { one, canaries, second } = await withSecond();
    await second("request", ada);
    await second(action, carla);
    expect((await one.get(ada, "/publication?version=2")).json.state).toBe(state);
    expect(await leaks(one.dataset, canaries, [undefined, bob], words)).toEqual([]);
  });

  test("is not shown after the public version was withdrawn", { tags: "extended" }, async () => {
    const { one, canaries, second } = await withSecond();
    const path = `/dataset/${one.dataset}/publication/withdraw?version=1`;
    expect((await service.api.post(path, { reason: "A mistake" }, bearer(carla))).status).toBe(200);
    await second("request", ada);
    expect(await leaks(one.dataset, canaries, [undefined, bob], words)).toEqual([]);
    expect((await one.get(undefined, "")).json).toMatchObject({ code: "publication_withdrawn" });
  });

  test("is not shown after the dataset was withdrawn", { tags: "extended" }, async () => {
    const { one, canaries, second } = await withSecond();
    await second("request", ada);
    const withdrawal = await service.api.post(`/dataset/${one.dataset}/withdraw`, { reason: "A name" }, bearer(admin));
    expect(withdrawal.status).toBe(202);
    expect(await leaks(one.dataset, canaries, [undefined, bob], words)).toEqual([]);
    const { json } = await one.get(undefined, "");
    expect(json.tombstone).toMatchObject({ title: goodMetadata.title, withdrawnBy: null, versions: [{ version: 1 }] });
  });

  test("does not decide whether the public version counts as intact", { tags: "extended" }, async () => {
    const { one } = await withSecond();
    // The second version follows the revision with which the archive names the DOI of the first one.
    const { folder } = await findPackage(service.archive, one.dataset);
    const flip = async (path: string) => {
      const file = join(folder, path);
      const bytes = await readFile(file);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await writeFile(file, bytes);
    };
    const audits = async () =>
      Promise.all([undefined, ada].map(async (reader) => (await one.get(reader, "")).json.audit?.ok));
    const page = async () => (await bytesOf(`/dataset/${one.dataset}`, undefined, HTML)).bytes.toString();
    await expect.poll(audits).toEqual([true, true]);
    await flip("v3/content/data/drosselfolder/b.csv");
    await expect.poll(audits).toEqual([true, false]);
    expect(await page()).toContain("all files are intact");
    await flip("v1/content/data/README.md");
    await expect.poll(audits).toEqual([false, false]);
    for (const path of ["v1/content/data/README.md", "v3/content/data/drosselfolder/b.csv"]) await flip(path);
  });

  test("does not appear in the dates of public versions", async () => {
    const { dataset } = (await archived()).one;
    await archiveAs(service, s3, ada, { files: HIDDEN, more: { dataset: { id: dataset } } });
    const path = `/dataset/${dataset}/publication`;
    for (const [action, body, token] of [
      ["request", { agreement: true, access: "open" }, ada],
      ["approve", {}, carla],
    ] as const) {
      const { headers } = await service.api.get(`${path}?version=2`, bearer(token));
      const sent = { ...bearer(token), "if-match": headers.get("etag") ?? "" };
      expect((await service.api.post(`${path}/${action}?version=2`, body, sent)).status).toBe(200);
    }
    const read = async () => (await service.api.get(`/dataset/${dataset}`)).json;
    await vi.waitUntil(async () => (await service.api.get(`${path}?version=2`)).json.state === "published");
    const { createdAt, versions } = await read();
    expect(versions).toMatchObject([{ version: 2, submission: null }]);
    expect(createdAt).toBe(versions[0].publishedAt);
    const withdrawn = await service.api.post(`/dataset/${dataset}/withdraw`, { reason: "A name" }, bearer(admin));
    expect(withdrawn.status, withdrawn.text).toBe(202);
    const gone = await service.api.get(`/dataset/${dataset}`);
    expect(gone.status, gone.text).toBe(410);
    const { tombstone } = gone.json;
    expect(tombstone).toMatchObject({ createdAt, versions: [{ version: 2 }] });
  });
});

test("the details of a dataset are what other operations return to the same caller", async () => {
  const { one, submission } = await published();
  // The service writes a revision with the DOI after the publication.
  await service.settled();
  const jsonOf = async (path: string, token?: string) =>
    JSON.parse((await bytesOf(`/dataset/${one.dataset}${path}`, token)).bytes.toString("utf8"));
  const receipt = (await bytesOf(`/submission/${submission}/receipt`, ada)).bytes.toString("utf8");
  for (const [token, own] of [
    [ada, receipt],
    [undefined, null],
  ] as const) {
    const publication = await one.get(token, "/publication");
    const { page, ...details } = (await jsonOf("?details=true", token)).details;
    expect(page.description).toContain("<h2");
    expect(details).toEqual({
      record: await jsonOf("/export/datacite-json", token),
      citation: await jsonOf("/export/csl", token),
      metadata: (await jsonOf("/files/metadata/submission.json", token)).metadata,
      publication: publication.json,
      publicationTag: publication.headers.get("etag"),
      receipt: own,
      unpacking: await jsonOf("/unpacking", token),
    });
  }
  expect((await jsonOf("", ada)).details).toBeUndefined();
});

test("the details of a dataset whose files are closed are public, except what is read from the files", async () => {
  const { one } = await published({ access: "restricted" });
  await service.settled();
  const { json } = await one.get(undefined, "?details=true");
  expect((await one.get(undefined, "/unpacking")).status).toBe(403);
  expect(json.details).toMatchObject({ receipt: null, unpacking: null, publication: { access: "restricted" } });
  expect(json.details.record).toEqual((await one.get(undefined, "/export/datacite-json")).json);
  const own = (await one.get(ada, "/files/metadata/submission.json")).json.metadata;
  expect(json.details.metadata).toEqual(own);
});

test("the reason for a restriction is only for owner and curators", async () => {
  const { one } = await published({ access: "restricted", reason: "Wiedehopf" });
  const { bytes } = await bytesOf(`/dataset/${one.dataset}`, undefined, HTML);
  expect(bytes.includes("restricted")).toBe(true);
  expect(bytes.includes("Wiedehopf")).toBe(false);
  expect((await one.get(carla)).json.accessReason).toBe("Wiedehopf");
});

test("private comments on a published version do not change the times of its public records", {
  tags: "extended",
}, async () => {
  const { one } = await published();
  const record = `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:127.0.0.1:${one.dataset}/1`;
  const times = async () => {
    const answers = await Promise.all([record, "/sitemap/1.xml"].map(async (path) => (await bytesOf(path)).bytes));
    const [, stamp] = /<datestamp>([^<]+)/.exec(answers.join("")) ?? [];
    const [, lastmod] = new RegExp(`${one.dataset}</loc><lastmod>([^<]+)`).exec(answers.join("")) ?? [];
    return { stamp, lastmod };
  };
  await expect.poll(async () => (await times()).stamp).toBeDefined();
  await service.settled();
  const before = await times();
  expect(before.lastmod).toBeDefined();
  await sleep(1_100);
  await one.done(carla, "comment", { comment: "Private" });
  await service.settled();
  expect(await times()).toEqual(before);
  // The formats of its files are still known.
  expect((await bytesOf("/datasets?format=csv&limit=100")).bytes.includes(one.dataset)).toBe(true);
  await one.done(ada, "change-access", { access: "restricted", reason: "Consent" });
  await expect.poll(times).not.toEqual(before);
});

test("a long history is returned in parts, and comments on each entry can be answered", {
  tags: "extended",
}, async () => {
  const { one } = await published();
  await service.restart(async () => {
    const database = await service.database();
    await sql`insert into publication_entry (dataset_id, version, no, at, actor, action, state, comment, revision)
    select ${one.dataset}, 1, no, now(), ${OWNER}, 'comment', 'published', repeat('x', 9000), 1
    from generate_series(100, 1000) as no`.execute(database.queries);
    await database.close();
  });
  const seen: number[] = [];
  let before: number | null = null;
  do {
    const answer = await one.get(ada, `/publication${before === null ? "" : `?before=${before}`}`);
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeLessThan(5 * 2 ** 20);
    const numbers = answer.json.history.map(({ id }: { id: number }) => id);
    expect(numbers.length).toBeLessThanOrEqual(200);
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
    seen.unshift(...numbers);
    before = answer.json.historyBefore;
  } while (before !== null);
  const all = (await one.get(ada)).json.history.at(-1).id;
  expect([seen[0], seen.at(-1), new Set(seen).size]).toEqual([1, all, seen.length]);
  expect(seen.length).toBeGreaterThan(900);
  expect((await one.get(undefined, "/publication?before=500")).json.history).toEqual([]);
  const reply = await one.done(carla, "comment", { comment: "Yes", answers: 150 });
  expect(reply.history.at(-1)).toMatchObject({ answers: 150, comment: "Yes" });
  expect((await one.act(carla, "comment", { comment: "Yes", answers: 50 })).json.errors).toMatchObject([
    { pointer: "/answers" },
  ]);
});

test("a service that only archives runs no checks before publication", async () => {
  await using archive = await startTestService();
  const { dataset } = await archiveAs(archive, s3, undefined, { files: { "empty.csv": "" } });
  const { status, json } = await archive.api.get(`/dataset/${dataset}/publication`);
  expect([status, json.state, json.checks]).toEqual([200, "private", []]);
});

// Only on PostgreSQL can a test hold a lock while the service runs.
describe.skipIf(!inject("onPostgres"))("a reader over the limit of requests", () => {
  test("is refused before the queries of a landing page", async () => {
    await using limited = await startTestService({ ACCESSION_PUBLICATION: "direct", ACCESSION_RATE_LIMIT: "40" });
    const { dataset } = await archiveAs(limited, s3, undefined);
    const page = () =>
      fetch(`${limited.url}/dataset/${dataset}`, { headers: { accept: "text/html" }, redirect: "manual" });
    await vi.waitUntil(async () => (await page()).status === 429, { interval: 0 });
    const database = await limited.database();
    await database.queries.transaction().execute(async (trx) => {
      await sql`lock table dataset, publication in access exclusive mode`.execute(trx);
      expect((await page()).status).toBe(429);
    });
    await database.close();
  });
});
