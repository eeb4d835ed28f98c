import { appendFile, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { submitNextVersion } from "../support/archive/archived-versions.ts";
import { filesIn, forgeContent, forgeReceipt } from "../support/archive/forgery.ts";
import { findPackage } from "../support/archive/package.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const often = { ACCESSION_AUDIT_INTERVAL: "1 second", ACCESSION_AUDIT_SHARE: "100%" };
const waiting = { interval: 50 };
/** Metrics of the installation are cached for up to a minute. */
const patient = { timeout: 75_000, interval: 100 };
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  for (const bucket of ["one", "two"]) {
    s3.createBucket(bucket);
    for (let n = 0; n < 30; n++) s3.put(bucket, `run-${n}.csv`, `${bucket} ${n}\n`.repeat(2_000));
  }
});
afterAll(() => s3.close());

async function archived(service: Pick<TestService, "api">, bucket = "one"): Promise<{ id: string; dataset: string }> {
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket, ...keys });
  const { dataset } = await service.api.until(id, ["completed"]);
  return { id, dataset: dataset?.id ?? "" };
}

async function flip(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.write(Buffer.from([0xff]), 0, 1, 7);
  await handle.close();
}

async function metric(service: TestService, name: string): Promise<number> {
  const { text } = await service.api.get("/metrics");
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

describe("the scheduled audit", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(often);
    service.isDamaged = true;
  });
  afterAll(() => service.stop());

  const auditOf = async (dataset: string) => (await service.api.get(`/dataset/${dataset}`)).json.audit;
  const typesOf = async (id: string) => (await service.api.events(id)).map(({ type }) => type);

  test("re-reads datasets, and reports that they are unchanged", { tags: "extended" }, async () => {
    const { id, dataset } = await archived(service);
    await expect.poll(() => auditOf(dataset), waiting).not.toBeNull();
    // 30 objects and the service files.
    expect(await auditOf(dataset)).toMatchObject({ ok: true, files: 35, findings: [] });
    expect((await auditOf(dataset)).bytes).toBeGreaterThan(30 * 10_000);
    expect(await typesOf(id)).toContain("audit_passed");
  });

  const damages: [string, (file: string) => Promise<void>][] = [
    ["v1/content/data/run-7.csv", (file) => flip(file)],
    ["logs/v1/receipt.jws", (file) => flip(file)],
    ["v1/content/data/run-8.csv", (file) => rm(file)],
    ["v1/content/data/extra", (file) => writeFile(file, "")],
    ["v1/content/metadata/datacite.xml", (file) => appendFile(file, " ")],
  ];

  test("reports a flipped byte, and a missing, an unexpected and a longer file, in dataset and log", async () => {
    await damageEach();
  });

  test("counts damages in the metrics", { tags: "extended" }, async () => {
    const known = await metric(service, "accession_audit_damaged_datasets");
    await damageEach();
    // Counted after the result is stored.
    const counted = (name: string) => expect.poll(() => metric(service, `accession_audit_${name}`), patient);
    await counted("faults_total").toBeGreaterThanOrEqual(damages.length);
    await counted("damaged_datasets").toBe(known + damages.length);
    await counted("datasets_total").toBeGreaterThan(0);
    await counted("bytes_total").toBeGreaterThan(30 * 10_000);
    await counted("last_run_timestamp_seconds").toBeGreaterThan(1_700_000_000);
  });

  /** Damages a dataset in each way, and waits until the audit has reported all of them. */
  async function damageEach(): Promise<void> {
    const cases = await Promise.all(damages.map(async (damage) => ({ ...(await archived(service)), damage })));
    for (const { dataset, damage } of cases) {
      const { folder } = await findPackage(service.archive, dataset);
      await damage[1](join(folder, damage[0]));
    }
    for (const { id, dataset, damage } of cases) {
      const [path] = damage;
      await expect.poll(async () => (await auditOf(dataset))?.ok, waiting).toBe(false);
      expect((await auditOf(dataset)).findings, path).toEqual([expect.objectContaining({ path })]);
      const event = (await service.api.events(id)).find(({ type }) => type === "audit_failed");
      expect(event).toMatchObject({ data: { count: 1, findings: [expect.objectContaining({ path })] } });
      expect(event?.message).toContain(path);
    }
  }

  const forgeries: [string, (folder: string) => Promise<unknown>, string[]][] = [
    [
      "content that was replaced together with inventory and sidecar",
      (folder) => forgeContent(filesIn(folder), "v1/content/data/run-7.csv", ["v1", "v2"]),
      ["EL06 v1/inventory.json", "EL06 v2/inventory.json"],
    ],
    [
      "a version's receipts replaced, and signed by another key",
      async (folder) => {
        await forgeContent(filesIn(folder), "v1/content/data/run-7.csv", ["v1", "v2"]);
        for (const version of ["v1", "v2"]) await forgeReceipt(filesIn(folder), version);
      },
      ["EL05 logs/v1/receipt.jws", "EL05 logs/v2/receipt.jws"],
    ],
    [
      "a receipt that is missing",
      (folder) => rm(join(folder, "logs/v1"), { recursive: true }),
      ["EL02 logs/v1/receipt.jws"],
    ],
  ];

  test.each(forgeries)(
    "compares every version with its issued receipt: %s",
    { tags: "extended" },
    async (_, forge, expected) => {
      const { dataset } = await archived(service);
      await submitNextVersion(service.api, { endpoint: s3.endpoint, bucket: "two", ...keys }, { id: dataset });
      const { folder } = await findPackage(service.archive, dataset);
      await forge(folder);
      // An audit that is running during the change may find a part of it. The next one finds all of it.
      const found = async () => {
        const findings: { code: string; path: string }[] = (await auditOf(dataset))?.findings ?? [];
        return findings.map(({ code, path }) => `${code} ${path}`);
      };
      await expect.poll(found, waiting).toEqual(expected);
      await service.api.post(`/dataset/${dataset}/withdraw`, { reason: "forged" });
    },
  );

  test("reports a dataset whose folder is missing, and that it is restored", { tags: "extended" }, async () => {
    const { dataset } = await archived(service);
    const { folder } = await findPackage(service.archive, dataset);
    await rename(folder, join(service.data, "elsewhere"));
    // An audit that is running finds single missing files. The next one finds the missing folder.
    const detail = async () => (await auditOf(dataset))?.findings[0]?.detail;
    await expect.poll(detail, waiting).toBe("The dataset's folder is missing");
    await rename(join(service.data, "elsewhere"), folder);
    await expect.poll(async () => (await auditOf(dataset)).ok, waiting).toBe(true);
  });
});

test("a run reads only its share, and the next run continues after it", { tags: "extended" }, async () => {
  // Off until the dataset exists: a first run that began before the restart would be counted with the second.
  await using service = await startTestService({ ACCESSION_AUDIT_INTERVAL: "off", ACCESSION_AUDIT_SHARE: "30%" });
  const { dataset } = await archived(service);
  const bytes = () => metric(service, "accession_audit_bytes_total");
  const running = () => metric(service, 'accession_jobs{queue="audit",state="running"}');
  const audit = async () => (await service.api.get(`/dataset/${dataset}`)).json.audit;
  const all = 30 * 13_000;
  /** Moves earlier runs an hour back. No other run begins until the next restart. */
  const anHourLater = () =>
    service.restart(
      async () => {
        const database = await service.database();
        const earlier = (column: string) => `${column} = ${column} - interval '61 minutes'`;
        await sql
          .raw(`update audit_run set ${earlier("began_at")}, ${earlier("finished_at")}`)
          .execute(database.queries);
        await database.close();
      },
      { ACCESSION_AUDIT_INTERVAL: "1 hour" },
    );
  let read = 0;
  for (let runs = 0; runs < 2; runs++) {
    const before = read;
    await anHourLater();
    await expect.poll(bytes, patient).toBeGreaterThan(before);
    await expect.poll(running, patient).toBe(0);
    read = await bytes();
    expect(read - before).toBeLessThan((all * 2) / 3);
    expect(await audit()).toBeNull();
  }
  // The run ended within a dataset. None of its files is read twice.
  await anHourLater();
  await expect.poll(audit, waiting).toMatchObject({ ok: true, files: 35 });
  expect(await bytes()).toBeLessThan(2 * all);
});

test("all datasets are audited, the least recently audited first", { tags: "extended" }, async () => {
  await using service = await startTestService(often);
  const datasets = [await archived(service, "one"), await archived(service, "two")];
  for (const { dataset } of datasets) {
    await expect.poll(async () => (await service.api.get(`/dataset/${dataset}`)).json.audit, waiting).not.toBeNull();
  }
});

test("nothing is read if audits are disabled", { tags: "extended" }, async () => {
  await using service = await startTestService({ ACCESSION_AUDIT_INTERVAL: "off" });
  await archived(service);
  await service.restart();
  expect(await metric(service, "accession_audit_last_run_timestamp_seconds")).toBe(0);
});

test("kill -9 during audits: the next start continues, and no dataset is reported as damaged", {
  tags: "extended",
}, async () => {
  const data = await createDataFolder();
  let program = await startProgram(data, often);
  try {
    const { id, dataset } = await archived(program);
    for (let kills = 0; kills < 2; kills++) {
      await sleep(300 + 400 * kills);
      await program.end("SIGKILL");
      program = await startProgram(data, often);
    }
    await expect.poll(async () => (await program.api.get(`/dataset/${dataset}`)).json.audit?.ok, waiting).toBe(true);
    expect((await program.api.events(id)).map(({ type }) => type)).not.toContain("audit_failed");
  } finally {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  }
});
