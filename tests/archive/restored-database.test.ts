/** @module-tag extended */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { rebuildDatabase } from "../../src/main/database-commands.ts";
import { startService } from "../../src/main/start.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { type CommandResult, runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** A database that was restored from a backup, and an archive that has changed since. */

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const FILE = "/files/data/plots/a.csv";
const SETTINGS = { ...TOKENS, ACCESSION_PUBLICATION: "direct", ACCESSION_AUDIT_INTERVAL: "off" };

let s3: S3Server;
let service: TestService;
let ada: string;
let admin: string;

/** What is done to each dataset after the backup. */
const changes = {
  published: async (one) => {
    await one.done(ada, "request", { agreement: true, access: "restricted" });
    await one.until(ada, "published");
  },
  restricted: (one) => one.done(ada, "change-access", { access: "restricted", reason: "Consent" }),
  embargoed: (one) =>
    one.done(ada, "change-access", { access: "embargoed", embargoDate: "2099-01-01", reason: "Article" }),
  opened: (one) => one.done(ada, "change-access", { access: "open", reason: "Published" }),
  "its publication withdrawn": (one) => one.done(admin, "withdraw", { reason: "A mistake" }),
  withdrawn: async ({ dataset }) => {
    await service.api.post(`/dataset/${dataset}/withdraw`, { reason: "Consent was taken back" }, bearer(admin));
  },
  "a new version": async ({ dataset }) => {
    await archiveAs(service, s3, ada, { files: { "plots/a.csv": "1;3" }, more: { dataset: { id: dataset } } });
  },
  "a new version, published": async (one) => {
    const of = { dataset: { id: one.dataset } };
    await archiveAs(service, s3, ada, { files: { "plots/a.csv": "1;4" }, more: of });
    await one.done(ada, "request", { agreement: true, access: "open" });
    await one.until(ada, "published");
  },
  revised: ({ dataset }) => revise(dataset, "Barley, corrected"),
  "a new version and withdrawn": async ({ dataset }) => {
    await archiveAs(service, s3, ada, { files: { "plots/a.csv": "1;5" }, more: { dataset: { id: dataset } } });
    await service.api.post(`/dataset/${dataset}/withdraw`, { reason: "All of it" }, bearer(admin));
  },
} satisfies Record<string, (one: PublicationClient) => Promise<unknown>>;
type Name = keyof typeof changes;

const datasets = new Map<Name | "unchanged" | "new", PublicationClient>();
/** Submissions that were open when the backup was taken: one ends before the database is lost. */
const open = { archived: "", waiting: "" };
let before: Map<string, unknown>;
let after: Map<string, unknown>;
let starts: string[];
let run: CommandResult;
let again: CommandResult;
/** A rebuild while the service is running. */
let beside: CommandResult;

async function archived(name: Name | "new"): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = new PublicationClient(service, dataset);
  datasets.set(name, one);
  return one;
}

async function revise(dataset: string, title: string): Promise<void> {
  const metadata = { ...goodMetadata, title };
  const path = `/dataset/${dataset}/metadata`;
  const state = (await service.api.get(path, bearer(ada))).headers.get("etag") ?? "";
  const answer = await service.api.send(path, {
    method: "PUT",
    body: JSON.stringify({ metadata }),
    headers: { "content-type": "application/json", "if-match": state, ...bearer(ada) },
  });
  expect(answer.status, answer.text).toBe(200);
}

/** A submission that waits for a decision about an object. */
async function undecided(bucket: string): Promise<string> {
  s3.createBucket(bucket);
  s3.put(bucket, "a.csv", "1;2");
  s3.put(bucket, "cold.csv", "3;4", { storageClass: "GLACIER" });
  const body = { metadata: goodMetadata, s3Access: { endpoint: s3.endpoint, bucket, ...keys } };
  const { json } = await service.api.post("/submission/upload/s3upload", body, bearer(ada));
  await until(json.id, "waiting");
  return json.id;
}

async function decide(id: string): Promise<void> {
  const excluded = { keys: ["cold.csv"], reason: "never restored" };
  await service.api.post(`/submission/${id}/exclude`, excluded, bearer(ada));
  await until(id, "completed");
}

const statusOf = async (id: string) => (await service.api.get(`/submission/${id}`, bearer(ada))).json.status;

async function until(id: string, status: string): Promise<void> {
  await vi.waitUntil(async () => (await statusOf(id)) === status);
}

/** What people without an account, the owner and an admin see of a dataset. */
async function seen({ dataset }: { dataset: string }): Promise<unknown> {
  const found: unknown[] = [];
  for (const [as, headers] of [
    ["public", {}],
    ["owner", bearer(ada)],
    ["admin", bearer(admin)],
  ] as const) {
    for (const path of ["", "/versions", FILE, "/metadata", "/publication"]) {
      const { status, json, text } = await service.api.get(`/dataset/${dataset}${path}`, headers);
      const shown = path === FILE ? text.slice(0, 3) : withoutUnarchived(json);
      found.push([as, path, status, status === 200 || status === 410 ? shown : undefined]);
    }
  }
  return found;
}

/** Without what only the database has: who did what, and when exactly. */
// biome-ignore lint/suspicious/noExplicitAny: any member of an answer.
function withoutUnarchived(json: any): unknown {
  const text = JSON.stringify(json, (key, value) => {
    const own = [
      "history",
      "changes",
      "since",
      "requestedBy",
      "requestedAt",
      "agreement",
      "accessReason",
      "approvedBy",
    ];
    const more = ["approvedAt", "removedAt", "actions", "reason", "publishOnApproval", "instance"];
    return [...own, ...more].includes(key) ? undefined : value;
  });
  return JSON.parse((text ?? "null").replaceAll(service.api.url, ""));
}

async function see(): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const [name, one] of datasets) all.set(name, await seen(one));
  return all;
}

const environment = () => ({ ACCESSION_DATA: service.data, ACCESSION_PORT: "0", ...SETTINGS, ...service.settings });

/** Starts the service. @returns why it does not start */
async function refusal(): Promise<string> {
  try {
    const started = await startService(readConfig({ ACCESSION_LOG_LEVEL: "silent", ...environment() }));
    await started.stop();
    return "started";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Rebuilds until the first dataset is updated. */
async function interruptedRebuild(): Promise<void> {
  const interruption = new AbortController();
  const listener = {
    outcome: ({ outcome }: { outcome: string }) => outcome === "updated" && interruption.abort(new Error("stop")),
    looking: () => {},
    writing: () => {},
  };
  const rebuilding = rebuildDatabase(readConfig(environment()), listener, interruption.signal);
  await expect(rebuilding).rejects.toThrow("stop");
}

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService(SETTINGS);
  const tokens = await Tokens.open(service);
  admin = tokens.admin;
  ada = (await tokens.create("ada", "submitter")).token;
  const names = [...Object.keys(changes), "unchanged"] as Name[];
  await Promise.all(
    names.map(async (name) => {
      const one = await archived(name);
      if (name === "published") return;
      await one.done(ada, "request", { agreement: true, access: name === "opened" ? "restricted" : "open" });
      await one.until(ada, "published");
    }),
  );
  const webhook = await service.api.post("/webhook", { url: "http://127.0.0.1:9/" }, bearer(ada));
  expect(webhook.status, webhook.text).toBe(201);
  Object.assign(open, { archived: await undecided("archived-later"), waiting: await undecided("still-open") });
  let restore = async () => {};
  await service.restart(async () => {
    restore = await service.backUpDatabase();
  });
  await decide(open.archived);
  await Promise.all(
    Object.entries(changes).map(([name, change]) => change(datasets.get(name as Name) as PublicationClient)),
  );
  await changes.published(await archived("new"));
  await service.settled();
  beside = await runCommand(["rebuild"], service.data, { env: { ...SETTINGS, ...service.settings } });
  before = await see();
  await service.restart(async () => {
    await restore();
    starts = [await refusal()];
    await interruptedRebuild();
    starts.push(await refusal());
    run = await runCommand(["rebuild"], service.data, { env: { ...SETTINGS, ...service.settings } });
    again = await runCommand(["rebuild"], service.data, { env: { ...SETTINGS, ...service.settings } });
  });
  after = await see();
});
afterAll(async () => {
  await service?.stop();
  await s3?.close();
});

test("the service does not start on a database that is older than the archive, also after an interrupted rebuild", () => {
  expect(starts).toHaveLength(2);
  for (const reason of starts) {
    expect(reason).toContain("The database is older than the archive");
    expect(reason).toContain("accession rebuild");
  }
});

test("a rebuild beside a running service is refused", () => {
  expect(beside.code).toBe(1);
  expect(beside.stderr).toMatch(/Other processes use the database|is in use by another process/);
});

test("a rebuild reports what it has taken over, and a second one finds nothing newer", () => {
  expect([run.code, run.stderr]).toEqual([0, ""]);
  expect(run.lines.at(-1)).toMatchObject({ ok: true, refused: 0, left_alone: 0 });
  const { updated, taken_in, known } = run.lines.at(-1);
  expect(updated + known).toBe(datasets.size - 1);
  expect(taken_in).toBe(2);
  expect(again.lines.at(-1)).toMatchObject({ ok: true, taken_in: 0, updated: 0, known: datasets.size + 1 });
});

describe("after a rebuild, people see the state of the archive: a dataset that was", () => {
  test.each([...(Object.keys(changes) as Name[]), "unchanged", "new"] as const)("%s after the backup", (name) => {
    expect(after.get(name)).toEqual(before.get(name));
  });
});

test("tokens and webhooks stay, and an open submission is completed or known as completed", async () => {
  expect((await service.api.get("/webhook", bearer(ada))).json).toHaveLength(1);
  expect(await statusOf(open.archived)).toBe("completed");
  expect(await statusOf(open.waiting)).toBe("waiting");
  await decide(open.waiting);
});

test("the service goes on from there", async () => {
  const one = datasets.get("a new version") as PublicationClient;
  await archiveAs(service, s3, ada, { files: { "plots/a.csv": "2" }, more: { dataset: { id: one.dataset } } });
  await revise(datasets.get("revised")?.dataset ?? "", "Barley, corrected again");
  const restricted = datasets.get("restricted") as PublicationClient;
  await restricted.done(ada, "change-access", { access: "open", reason: "Agreed" });
  expect((await restricted.get(undefined, FILE)).status).toBe(200);
  await service.settled();
  const { stdout, code } = await runVerify();
  expect(code, stdout).toBe(0);
});

async function runVerify(): Promise<{ code: number | null; stdout: string }> {
  const ran = await runCommand(["verify"], service.data, { env: service.settings });
  return { code: ran.code, stdout: JSON.stringify(ran.lines) };
}
