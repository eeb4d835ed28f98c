/** @module-tag extended */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type RecordedResponse, recordResponses, withoutInstance } from "../support/api/record-responses.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { type CommandResult, runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const LARGE = 40_000_000;
const FINAL = ["completed", "failed", "cancelled", "waiting"];

type Person = "ada" | "bob" | "carla" | "root";
type Answers = Record<Exclude<Person, "root">, Record<string, RecordedResponse>>;

let s3: S3Server;
let service: TestService;
let tokens: Record<Person, string>;
const ids = { odd: "", drifting: "", quiet: "", listed: "", retried: "", backwards: "" };
/** Ids of the withdrawn dataset and its submission. */
const gone = { id: "", dataset: "" };
let before: {
  answers: Answers;
  gone: Record<"submission" | "receipt" | "dataset", RecordedResponse>;
  archive: string[];
};
let run: CommandResult;
let archiveAfter: string[];

async function signIn(): Promise<typeof tokens> {
  const given = await Tokens.open(service);
  const create = async (name: string, role: "submitter" | "curator") => (await given.create(name, role)).token;
  return {
    ada: await create("ada", "submitter"),
    bob: await create("bob", "submitter"),
    carla: await create("carla", "curator"),
    root: given.admin,
  };
}

async function submit(
  as: Person,
  bucket: string,
  title: string,
  more: object = {},
  digests?: readonly object[],
): Promise<string> {
  const body = {
    metadata: { ...goodMetadata, title, ...more },
    s3Access: { endpoint: s3.endpoint, bucket, ...keys },
    ...(digests && { digests }),
  };
  const answer = await service.api.post("/submission/upload/s3upload", body, bearer(tokens[as]));
  expect(answer.status, answer.text).toBe(202);
  return answer.json.id;
}

/** Waits until the submission no longer progresses, and expects this status. */
async function until(id: string, status: string): Promise<void> {
  for (;;) {
    const { text, json } = await service.api.get(`/submission/${id}`, bearer(tokens.root));
    if (json.status === status) return;
    if (FINAL.includes(json.status)) throw new Error(`${status} was expected: ${text}`);
    await sleep(40);
  }
}

async function askAll(): Promise<Answers> {
  const as = (who: Person) => recordResponses(service.api, bearer(tokens[who]), Object.values(ids));
  return { ada: await as("ada"), bob: await as("bob"), carla: await as("carla") };
}

async function askForGone(): Promise<typeof before.gone> {
  const as = bearer(tokens.ada);
  const ask = async (path: string) => {
    const { status, headers, text } = await service.api.get(path, as);
    return { status, type: headers.get("content-type"), link: null, text: withoutInstance(text) };
  };
  return {
    submission: await ask(`/submission/${gone.id}`),
    receipt: await ask(`/submission/${gone.id}/receipt`),
    dataset: await ask(`/dataset/${gone.dataset}`),
  };
}

/** Every file of the archive with its size and the time of its last change, so that writes are visible. */
async function traces(): Promise<string[]> {
  const options = { maxBuffer: 1 << 28 };
  const { stdout } = await promisify(execFile)("find", [service.archive, "-printf", "%p %s %T@ %C@\n"], options);
  return stdout.split("\n").sort();
}

/** Fills buckets with special cases. */
function fillBuckets(): void {
  const bucket = (name: string, count: number) => {
    s3.createBucket(name);
    for (let i = 0; i < count; i++) s3.put(name, `o/${i}`, `number ${i}`, { metadata: { plot: `${i}` } });
  };
  bucket("odd", 1_200);
  for (const [index, key] of oddKeys.entries()) s3.put("odd", key, `content ${index} of ${key.length}`);
  for (const key of ["ice", "more-ice"]) s3.put("odd", key, "cold", { storageClass: "GLACIER" });
  s3.put("odd", "large", { seed: "l", size: LARGE }, { partSize: 8 * 1024 * 1024 });
  s3.put("odd", "opaque", "nothing to compare with", { etag: "opaque-1", encryption: "aws:kms" });
  s3.put("odd", "gz.csv", Buffer.from([0x1f, 0x8b, 1]), { contentEncoding: "gzip", checksum: "sha256" });
  for (const name of ["drifting", "quiet", "listed", "retried"]) bucket(name, 20);
  bucket("backwards", 300);
  // The first two listings are those of the check and of the submission.
  s3.addFault({
    match: { bucket: "drifting", operation: "list", nth: 3 },
    fault: {
      run: () => {
        s3.put("drifting", "o/2", "changed");
        s3.remove("drifting", "o/4");
        s3.put("drifting", "o/new", "appeared");
      },
    },
  });
}

async function archiveEverything(): Promise<void> {
  ids.odd = await submit("ada", "odd", "Barley", { unknownMember: 1, authors: [AUTHOR_WITH_ADDRESS] });
  ids.drifting = await submit("bob", "drifting", "Wheat that moves");
  ids.quiet = await submit("bob", "quiet", "Without special cases");
  const list = (content: string) => `${createHash("sha256").update(content).digest("hex")}  o/7\n`;
  s3.put("listed", "sums", list("number 7").replace("o/7", "o/8"));
  const lists = [{ text: list("number 7"), name: "SHA256SUMS" }, { key: "sums" }];
  ids.listed = await submit("bob", "listed", "With digest lists", {}, lists);
  await until(ids.listed, "waiting");
  const differing = { keys: ["o/8"], reason: "damaged" };
  await service.api.post(`/submission/${ids.listed}/exclude`, differing, bearer(tokens.bob));
  await until(ids.odd, "waiting");
  const excluded = { keys: ["ice", "more-ice"], reason: "never restored, “cold”\u0007" };
  await service.api.post(`/submission/${ids.odd}/exclude`, excluded, bearer(tokens.ada));

  const denied = { match: { bucket: "retried", operation: "get", key: "o/3" }, fault: { status: 403 } } as const;
  const allow = s3.addFault(denied);
  ids.retried = await submit("bob", "retried", "Second attempt");
  await until(ids.retried, "waiting");
  allow();
  await service.api.post(`/submission/${ids.retried}/retry`, {}, bearer(tokens.bob));

  for (const id of [ids.odd, ids.drifting, ids.quiet, ids.listed, ids.retried]) await until(id, "completed");
  Object.assign(s3.quirks, { pageLimit: 50, backwards: true });
  ids.backwards = await submit("ada", "backwards", "Listed out of order");
  await until(ids.backwards, "completed");
  Object.assign(s3.quirks, { pageLimit: 1_000, backwards: false });
}

const AUTHOR_WITH_ADDRESS = { ...goodMetadata.authors[0], address: "17 Sesame Lane", zipCode: "06466" };

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  fillBuckets();
  service = await startTestService({ ...TOKENS, ACCESSION_AUDIT_INTERVAL: "off" });
  tokens = await signIn();
  await archiveEverything();
  gone.id = await submit("ada", "quiet", "To be withdrawn");
  await until(gone.id, "completed");
  gone.dataset = (await service.api.get(`/submission/${gone.id}`, bearer(tokens.ada))).json.dataset.id;
  const withdrawal = { reason: "Consent was taken back" };
  await service.api.post(`/dataset/${gone.dataset}/withdraw`, withdrawal, bearer(tokens.root));
  await vi.waitUntil(async () => JSON.parse((await askForGone()).dataset.text).tombstone.removedAt !== null);
  before = { answers: await askAll(), gone: await askForGone(), archive: [] };
  await service.restart(async () => {
    before.archive = await traces();
    await service.recreateDatabase();
    run = await runCommand(["rebuild"], service.data, { env: service.settings });
    archiveAfter = await traces();
  });
  tokens = await signIn();
});
afterAll(async () => {
  await service?.stop();
  await s3?.close();
});

test("reports the restored datasets, and writes nothing to the archive", async () => {
  expect(run.stderr).toBe("");
  expect(run.code).toBe(0);
  expect(run.lines.filter(({ outcome }) => outcome === "left_alone")).toEqual([]);
  expect(run.lines.at(-1)).toMatchObject({ ok: true, taken_in: 6, tombstone_taken_in: 1, refused: 0, left_alone: 0 });
  expect(archiveAfter).toEqual(before.archive);
  expect((await checkRoot(join(service.archive, "ocfl"))).findings).toEqual([]);
});

test.each(["ada", "bob", "carla"] as const)("%s receives exactly the same responses as before", async (who) => {
  const after = await askAll();
  expect(Object.keys(after[who])).toEqual(Object.keys(before.answers[who]));
  for (const [path, answer] of Object.entries(before.answers[who])) {
    expect(withoutGone(after[who][path]), path).toEqual(withoutGone(answer));
  }
});

/** Lists without the withdrawn submission, whose request is no longer available; the test of withdrawal checks it. */
function withoutGone(answer: RecordedResponse | undefined): unknown {
  if (answer?.text.includes(`"id":"${gone.id}"`) !== true) return answer;
  const list: { id: string; metadata?: unknown; warnings?: unknown }[] = JSON.parse(answer.text);
  const text = list.map((one) => (one.id === gone.id ? { ...one, metadata: null, warnings: null } : one));
  return { ...answer, text };
}

test("the compared responses contain the special cases", () => {
  const { ada, bob, carla } = before.answers;
  const text = (answers: Record<string, RecordedResponse>, id: string, rest = "") =>
    answers[`/submission/${id}${rest} (application/json)`]?.text ?? "";
  expect(text(ada, ids.odd, "/files?limit=1000&state=excluded")).toContain("object_archived");
  expect(JSON.parse(text(bob, ids.drifting)).drift).toHaveLength(3);
  expect(JSON.parse(text(bob, ids.retried)).attempt).toBe(2);
  expect(JSON.parse(text(bob, ids.listed)).digests).toMatchObject({
    ...{ differing: 1, differingExcluded: 1, comparison: { files: 2 } },
  });
  expect(JSON.parse(text(bob, ids.odd)).status).toBe(404);
  expect(Object.keys(carla).length).toBeGreaterThan(60);
});

test("a withdrawn dataset is still withdrawn, and its owner has access to the receipt", async () => {
  const after = await askForGone();
  expect(after.receipt).toEqual(before.gone.receipt);
  const [old, now] = [before.gone.dataset, after.dataset].map(({ text }) => JSON.parse(text));
  expect(after.dataset.status).toBe(410);
  // The time of the removal is not recorded, only the fact.
  expect(now).toEqual({ ...old, tombstone: { ...old.tombstone, removedAt: old.tombstone.withdrawnAt } });
  const [was, is] = [before.gone.submission, after.submission].map(({ text }) => JSON.parse(text));
  // The request was removed with the content.
  expect(is).toEqual({ ...was, metadata: { title: "To be withdrawn" }, warnings: [] });
  const events = await service.api.get(`/submission/${gone.id}/events`, bearer(tokens.ada));
  expect(events.json.map(({ type }: { type: string }) => type)).toEqual([
    "publishing",
    "completed",
    "withdrawn",
    "removed",
  ]);
});

test("a second run finds no new datasets, and the service accepts submissions", async () => {
  await service.restart(async () => {
    const again = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect(again.code, again.stderr).toBe(0);
    expect(again.lines.at(-1)).toMatchObject({ ok: true, taken_in: 0, known: 7 });
  });
  const id = await submit("ada", "retried", "A new one");
  await until(id, "completed");
});
