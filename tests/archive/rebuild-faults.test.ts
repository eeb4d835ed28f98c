import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { LOGS_MANIFEST, readLogsManifest } from "../../src/archive/receipts/logs.ts";
import { setTombstone } from "../../src/archive/receipts/tombstone.ts";
import { rebuildDatabase } from "../../src/main/database-commands.ts";
import { startService } from "../../src/main/start.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import type { File } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startProgram } from "../support/program/program.ts";
import { type CommandResult, runCommand, startCommand } from "../support/program/run-command.ts";
import { startTestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
/** Number of objects of each dataset. */
const SIZES = [1, 40, 1_200];

let s3: S3Server;
/** A data folder with three datasets in its archive and without a database. Every test has a copy. */
let template: string;
let datasets: { id: string; submission: string; files: File[] }[];
let data: string;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  template = await mkdtemp(join(tmpdir(), "accession-archive-"));
  await using service = await startTestService();
  datasets = [];
  for (const size of SIZES) {
    const bucket = `of-${size}`;
    s3.createBucket(bucket);
    for (let i = 0; i < size; i++) s3.put(bucket, `o/${i}`, `number ${i}`);
    const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket, ...keys });
    const { dataset } = await service.api.until(id, ["completed"]);
    datasets.push({ id: dataset?.id ?? "", submission: id, files: await service.api.files(id) });
  }
  await service.restart(() =>
    cp(service.data, template, {
      recursive: true,
      filter: (path) => !/^(database|lock)/.test(relative(service.data, path)),
    }),
  );
});
afterAll(async () => {
  await s3.close();
  await rm(template, { recursive: true, force: true });
});
beforeEach(async () => {
  // With an empty database, because its creation takes seconds.
  data = await createDataFolder();
  await cp(template, data, { recursive: true });
});
afterEach(() => rm(data, { recursive: true, force: true }));

const folderOf = async (n: number) => (await findPackage(join(data, "archive"), datasets[n]?.id ?? "")).folder;
const outcomes = (ran: CommandResult, outcome: string) => ran.lines.filter((line) => line.outcome === outcome);

async function change(file: string, edit: (text: string) => string): Promise<void> {
  const before = await readFile(file, "utf8");
  const after = edit(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
}

/** Changes a file of the logs and its digest in the manifest, as an attacker who knows the format would. */
async function changeLog(folder: string, name: string, edit: (text: string) => string): Promise<void> {
  const logs = join(folder, "logs/v1");
  await change(join(logs, name), edit);
  const digest = createHash("sha512").update(await readFile(join(logs, name)));
  await change(join(logs, LOGS_MANIFEST), (text) =>
    text.replace(new RegExp(`^[0-9a-f]+(?=  ${name}$)`, "m"), digest.digest("hex")),
  );
}

describe("an invalid dataset is reported and not restored; the others are restored", () => {
  const flip = (text: string) => text.replace(/A/, "B");
  test.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ["a changed receipt", (at) => change(join(at, "logs/v1/receipt.jws"), flip), /receipt\.jws was changed/],
    [
      "a receipt changed together with its digest",
      (at) => changeLog(at, "receipt.jws", (text) => text.replace(/\.../, (part) => `${part}x`)),
      /receipt\.jws is not a valid receipt/,
    ],
    [
      "another owner",
      (at) => change(join(at, "logs/v1/submission.json"), (text) => text.replace('"local"', '"mallory"')),
      /submission\.json was changed/,
    ],
    [
      "a truncated log",
      (at) => change(join(at, "logs/v1/events.jsonl"), (text) => text.slice(0, -9)),
      /events\.jsonl was changed/,
    ],
    [
      "a missing line of the log",
      (at) => change(join(at, "logs/v1/events.jsonl"), (text) => text.slice(text.indexOf("\n") + 1)),
      /events\.jsonl was changed/,
    ],
    ["a missing log", (at) => rm(join(at, "logs/v1/events.jsonl")), /events\.jsonl is missing/],
    ["no manifest of the logs", (at) => rm(join(at, "logs/v1", LOGS_MANIFEST)), /manifest-sha512\.txt is missing/],
    ["no logs", (at) => rm(join(at, "logs"), { recursive: true }), /logs is missing/],
    [
      "a changed source manifest",
      (at) => change(join(at, MANIFEST), (text) => text.replace('"o/7"', '"o/x"')),
      /source-manifest\.jsonl was changed/,
    ],
    [
      "an invalid source manifest",
      (at) => change(join(at, MANIFEST), (text) => text.replace('"bytes":8', '"bytes":-8')),
      /source-manifest\.jsonl, line \d+ does not have the format/,
    ],
    ["a changed inventory", (at) => change(join(at, "v1/inventory.json"), flip), /inventory\.json was changed/],
    [
      "no root inventory",
      (at) => rm(join(at, "inventory.json")),
      /\/inventory\.json is missing: the dataset is not published/,
    ],
    ["a changed root inventory", (at) => change(join(at, "inventory.json"), flip), /\/inventory\.json was changed/],
    ["no sidecar", (at) => rm(join(at, "inventory.json.sha512")), /inventory\.json\.sha512 is missing/],
    [
      "a sidecar of another inventory",
      (at) => change(join(at, "inventory.json.sha512"), () => `${"ab".repeat(64)} inventory.json\n`),
      /inventory\.json\.sha512 belongs to another inventory/,
    ],
    ["no declaration", (at) => rm(join(at, "0=ocfl_object_1.1")), /0=ocfl_object_1\.1 is missing/],
  ])("%s", { tags: "extended" }, async (_, damage, reason) => {
    const folder = await folderOf(1);
    await damage(folder);
    const ran = await runCommand(["rebuild"], data);
    expect(ran.code, ran.stderr).toBe(1);
    const path = relative(join(data, "archive"), folder);
    expect(outcomes(ran, "refused")).toEqual([{ outcome: "refused", path, reason: expect.stringMatching(reason) }]);
    expect(outcomes(ran, "taken_in")).toHaveLength(2);
    expect(ran.lines.at(-1)).toMatchObject({ ok: false, taken_in: 2, refused: 1 });
  });

  test("a dataset in the folder of another one", { tags: "extended" }, async () => {
    const folder = await folderOf(1);
    await rm(folder, { recursive: true });
    await cp(await folderOf(0), folder, { recursive: true });
    const ran = await runCommand(["rebuild"], data);
    expect(outcomes(ran, "refused")).toMatchObject([{ reason: expect.stringContaining("for another one") }]);
    expect(outcomes(ran, "taken_in")).toHaveLength(2);
  });

  test("a second run restores it after it was repaired", { tags: "extended" }, async () => {
    const folder = await folderOf(1);
    const receipt = join(folder, "logs/v1/receipt.jws");
    const whole = await readFile(receipt);
    await change(receipt, flip);
    expect((await runCommand(["rebuild"], data)).code).toBe(1);
    await writeFile(receipt, whole);
    const again = await runCommand(["rebuild"], data);
    expect(again.code, again.stderr).toBe(0);
    expect(again.lines.at(-1)).toMatchObject({ taken_in: 1, known: 2 });
    await expectAll();
  });
});

test("a receipt that ends with a line feed, as earlier releases wrote it, is valid", {
  tags: "extended",
}, async () => {
  const folder = await folderOf(0);
  const receipt = join(folder, "logs/v1/receipt.jws");
  await changeLog(folder, "receipt.jws", (text) => `${text}\n`);
  for (const file of [receipt, join(await folderOf(1), "logs/v1/receipt.jws")]) {
    const verified = await runCommand(["receipt", "verify", file, "--archive", join(data, "archive")], data);
    expect(verified.code, verified.stderr).toBe(0);
  }
  const checked = await runCommand(["verify", join(data, "archive")], data);
  expect(checked.lines).toEqual([expect.objectContaining({ ok: true })]);
  expect((await runCommand(["rebuild"], data)).lines.at(-1)).toMatchObject({ ok: true, taken_in: 3 });
  const program = await startProgram(data);
  try {
    const { text } = await program.api.get(`/submission/${datasets[0]?.submission}/receipt`);
    expect(`${text}\n`).toBe(await readFile(receipt, "utf8"));
  } finally {
    await program.end("SIGTERM");
  }
});

const MANIFEST = "v1/content/metadata/source-manifest.jsonl";

/** Expects that the service on the rebuilt database has every dataset with all its files. */
async function expectAll(): Promise<void> {
  const program = await startProgram(data);
  try {
    expect((await program.api.get("/submission?limit=1000")).json).toHaveLength(SIZES.length);
    for (const { id, submission, files } of datasets) {
      expect((await program.api.get(`/dataset/${id}`)).json).toMatchObject({ version: 1, versions: [{ submission }] });
      expect(await program.api.files(submission)).toEqual(files);
    }
  } finally {
    await program.end("SIGTERM");
  }
}

test("foreign files and objects are reported and not changed", { tags: "extended" }, async () => {
  const ocfl = join(data, "archive/ocfl");
  const digest = "ab".repeat(64);
  await mkdir(join(ocfl, `aba/bab/aba/${digest}/v1/content`), { recursive: true });
  await writeFile(join(ocfl, `aba/bab/aba/${digest}/0=ocfl_object_1.1`), "ocfl_object_1.1\n");
  await writeFile(join(ocfl, `aba/bab/aba/${digest}/v1/content/file`), "foreign");
  await mkdir(join(ocfl, "notes/deep"), { recursive: true });
  for (const name of ["a", "b"]) await writeFile(join(ocfl, "notes/deep", name), "a note");
  const ran = await runCommand(["rebuild"], data);
  expect(ran.code, ran.stderr).toBe(0);
  expect(outcomes(ran, "left_alone").map(({ path }) => path)).toEqual(["ocfl/notes", `ocfl/aba/bab/aba/${digest}`]);
  expect(ran.lines.at(-1)).toMatchObject({ ok: true, taken_in: 3, left_alone: 2 });
});

test("a service does not start after an interrupted rebuild, before another one has ended", {
  tags: "extended",
}, async () => {
  const config = readConfig({ ACCESSION_DATA: data, ACCESSION_PORT: "0", ACCESSION_LOG_LEVEL: "silent" });
  const interruption = new AbortController();
  const writing = () => interruption.abort(new Error("interrupted"));
  const listener = { outcome: () => undefined, looking: () => undefined, writing };
  await expect(rebuildDatabase(config, listener, interruption.signal)).rejects.toThrow("interrupted");
  await expect(startService(config)).rejects.toThrow(/rebuild of the database was interrupted.*again/);
  expect((await runCommand(["rebuild"], data)).code).toBe(0);
  await (await startService(config)).stop();
});

test("kill -9 at successive moments: datasets are complete or absent, and the next run restores the rest", {
  tags: "extended",
}, async () => {
  let known = 0;
  for (const milliseconds of [0, 15, 40]) {
    let child: ChildProcess | undefined;
    let isHeard = false;
    const killed = await startCommand(["rebuild"], data, {
      onStart: (process) => {
        child = process;
      },
      // The first output is that a dataset is restored, or known.
      onOutput: () => {
        if (!isHeard) setTimeout(() => child?.kill("SIGKILL"), milliseconds);
        isHeard = true;
      },
    });
    expect(killed.lines.length).toBeGreaterThan(0);
    expect(outcomes(killed, "refused")).toEqual([]);
    const found = outcomes(killed, "known").length + outcomes(killed, "taken_in").length;
    expect(found).toBeGreaterThanOrEqual(Math.min(known, 1));
    known = found;
  }
  const again = await runCommand(["rebuild"], data);
  expect(again.code, again.stderr).toBe(0);
  expect(again.lines.at(-1)).toMatchObject({ ok: true, refused: 0 });
  await expectAll();
});

test("packages from before the command existed are restored, too", { tags: "extended" }, async () => {
  for (const n of SIZES.keys()) {
    const folder = await folderOf(n);
    await changeLog(folder, "submission.json", (text) => {
      const { drift: _, driftTotal: __, ...old } = JSON.parse(text);
      const { addressing: ___, anonymous: ____, ...source } = old.source;
      return JSON.stringify({ ...old, source });
    });
    await rm(join(folder, "logs/v1/reads.jsonl"));
    await change(join(folder, "logs/v1", LOGS_MANIFEST), (text) => text.replace(/^.*reads\.jsonl\n/m, ""));
    expect(readLogsManifest(await readFile(join(folder, "logs/v1", LOGS_MANIFEST), "utf8"))?.size).toBe(3);
  }
  const ran = await runCommand(["rebuild"], data);
  expect(ran.code, ran.stderr).toBe(0);
  await expectAll();
});

test("an interrupted withdrawal is completed by the service", { tags: "extended" }, async () => {
  const [one] = datasets;
  if (one === undefined) throw new Error("There is a first dataset");
  const folder = await folderOf(0);
  const at = new Date().toISOString();
  await setTombstone(join(data, "archive"), folder, {
    dataset: { id: one.id, identifier: `urn:uuid:${one.id}`, title: "Gone", createdAt: at },
    versions: [{ version: 1, submission: one.submission, publishedAt: at, objects: 1, bytes: 8 }],
    withdrawn: { at, by: "root", reason: "Consent was taken back" },
  });
  const ran = await runCommand(["rebuild"], data);
  expect(ran.lines.at(-1)).toMatchObject({ ok: true, taken_in: 2, tombstone_taken_in: 1 });
  const program = await startProgram(data);
  try {
    await vi.waitUntil(async () => (await program.api.get(`/dataset/${one.id}`)).json.tombstone?.removedAt != null);
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  } finally {
    await program.end("SIGTERM");
  }
});

describe("a rebuild is refused", () => {
  test("while a service is running; an open submission stays open", { tags: "extended" }, async () => {
    const bucket = "slow";
    s3.createBucket(bucket);
    s3.put(bucket, "a", "a");
    s3.addFault({ match: { bucket, operation: "list", nth: 2, times: 1_000 }, fault: { stall: "forever" } });
    await runCommand(["rebuild"], data);
    const program = await startProgram(data);
    const { id } = await program.api.submit({ endpoint: s3.endpoint, bucket, ...keys });
    const running = await runCommand(["rebuild"], data);
    expect([running.code, running.lines]).toEqual([1, []]);
    expect(running.stderr).toContain("The database cannot be rebuilt");
    await program.end("SIGKILL");
    const ran = await runCommand(["rebuild"], data);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.lines.at(-1)).toMatchObject({ ok: true, taken_in: 0, updated: 0 });
    const again = await startProgram(data);
    expect((await again.api.get("/submission")).json).toContainEqual(expect.objectContaining({ id }));
    await again.end("SIGKILL");
  });

  test("if there is no archive", { tags: "extended" }, async () => {
    const env = { ACCESSION_ARCHIVE: join(data, "nowhere") };
    const ran = await runCommand(["rebuild"], data, { env });
    expect([ran.code, ran.lines]).toEqual([1, []]);
    expect(ran.stderr).toMatch(/nowhere is not an archive of Accession/);
  });
});
