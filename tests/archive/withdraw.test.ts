import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkReceiptAgainst } from "../../src/archive/receipts/receipt-check.ts";
import { verifyReceipt } from "../../src/archive/receipts/signing.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import type { Api } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startProgram } from "../support/program/program.ts";
import { textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const OBJECTS = 400;
const reason = "The owner of the plots took consent back\n<script>";
const waiting = { interval: 40 };
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("field");
  for (let n = 0; n < OBJECTS; n++) s3.put("field", `plot/${n}.csv`, `measurement ${n}\n`);
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function archived(api: Api): Promise<{ id: string; dataset: string }> {
  const { id } = await api.submit({ endpoint: s3.endpoint, bucket: "field", ...keys });
  const { dataset } = await api.until(id, ["completed"]);
  return { id, dataset: dataset?.id ?? "" };
}

const withdraw = (api: Api, dataset: string, body: unknown = { reason }) =>
  api.post(`/dataset/${dataset}/withdraw`, body);

const untilRemoved = (api: Api, dataset: string) =>
  vi.waitUntil(async () => (await api.get(`/dataset/${dataset}`)).json.tombstone?.removedAt != null, waiting);

/** Expects that neither files nor empty folders remain in place of the dataset. */
async function expectGone(archive: string, dataset: string, left: number): Promise<void> {
  expect(await checkRoot(join(archive, "ocfl"))).toMatchObject({ ok: true, findings: [], objects: left });
  await expect(findPackage(archive, dataset)).rejects.toThrow("No package");
  expect(await readdir(join(archive, "staging"))).toEqual([]);
  const folder = join(archive, "withdrawn", dataset);
  const tombstone = JSON.parse(await readFile(join(folder, "tombstone.json"), "utf8"));
  expect(tombstone).toMatchObject({ dataset: { id: dataset }, withdrawn: { by: "local", reason } });
  // No other logs, because they contain names and addresses.
  expect(await readdir(join(folder, "logs/v1"))).toEqual(["receipt.jws"]);
}

describe("a dataset that is withdrawn", () => {
  let id: string;
  let dataset: string;
  let other: string;
  let receipt: string;

  beforeAll(async () => {
    [{ id, dataset }, { dataset: other }] = await Promise.all([archived(service.api), archived(service.api)]);
    receipt = (await service.api.get(`/submission/${id}/receipt`)).text;
    const { status, json } = await withdraw(service.api, dataset);
    expect(status).toBe(202);
    expect(json).toMatchObject({ id: dataset, withdrawnBy: "local", reason, versions: [{ submission: id }] });
    await untilRemoved(service.api, dataset);
  });

  test("is answered with 410 and its tombstone", async () => {
    const { status, json } = await service.api.get(`/dataset/${dataset}`);
    expect([status, json.code]).toEqual([410, "dataset_withdrawn"]);
    expect(json.tombstone).toMatchObject({
      id: dataset,
      reason,
      withdrawnBy: "local",
      identifier: `urn:uuid:${dataset}`,
    });
    expect(Date.parse(json.tombstone.withdrawnAt)).toBeLessThanOrEqual(Date.parse(json.tombstone.removedAt));
  });

  test("is answered like this by every operation on it", async () => {
    for (const rest of [
      "/versions",
      "/files",
      "/files/data/plot/1.csv",
      "/files/data",
      "/export/bagit",
      "/export/ris",
      "/linkset",
    ]) {
      const { status, json } = await service.api.get(`/dataset/${dataset}${rest}`);
      expect([rest, status, json.code]).toEqual([rest, 410, "dataset_withdrawn"]);
    }
  });

  test("is reported by its submission, and the command line does not recommend deleting the source data", async () => {
    const withdrawn = { at: expect.stringMatching(/Z$/), by: "local", reason };
    expect((await service.api.get(`/submission/${id}`)).json.withdrawn).toEqual(withdrawn);
    const { json: listed } = await service.api.get("/submission?status=completed");
    const said = new Map(listed.map((one: { id: string; withdrawn: unknown }) => [one.id, one.withdrawn]));
    expect([said.size, said.get(id)]).toEqual([2, withdrawn]);
    expect([...said.values()].filter((one) => one === null)).toHaveLength(1);

    const env = { ACCESSION_URL: service.url };
    const say = (...args: string[]) => textOfCommand(args, service.data, env);
    const watched = await say("watch", id);
    expect(watched).toMatch(/Withdrawn .*The owner of the plots took consent back\\n<script>/);
    expect(watched).not.toContain("Can the source be deleted?");
    expect(await say("status", id)).toMatch(/withdrawn +20.*took consent back/);
    expect(await say("list")).toMatch(new RegExp(`${id} +withdrawn`));
  });

  test("leaves a valid storage root, its tombstone and its receipt", async () => {
    await expectGone(service.archive, dataset, 1);
  });

  test("keeps its receipt and its submission", async () => {
    expect((await service.api.get(`/submission/${id}/receipt`)).text).toBe(receipt);
    expect((await service.api.submission(id)).status).toBe("completed");
    const kept = await readFile(join(service.archive, "withdrawn", dataset, "logs/v1/receipt.jws"), "utf8");
    expect(kept).toBe(receipt);
    const types = (await service.api.events(id)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(["withdrawn", "removed"]);
  });

  test("is distinguished from a missing one when its receipt is checked", async () => {
    const jwks = JSON.parse(await readFile(join(service.archive, "jwks.json"), "utf8"));
    const verified = await verifyReceipt(receipt, jwks);
    if (!verified.ok) throw new Error(verified.detail);
    const found = await checkReceiptAgainst(verified.receipt, service.archive);
    expect(found).toEqual([expect.objectContaining({ code: "dataset_withdrawn" })]);
    expect(found[0]?.detail).toContain(reason);
  });

  test("can be withdrawn again without an effect", async () => {
    const before = (await service.api.get(`/dataset/${dataset}`)).json.tombstone;
    const { status, json } = await withdraw(service.api, dataset, { reason: "another" });
    expect([status, json]).toEqual([202, before]);
    expect((await service.api.events(id)).filter(({ type }) => type === "withdrawn")).toHaveLength(1);
  });

  test("does not affect other datasets", async () => {
    expect((await service.api.get(`/dataset/${other}`)).status).toBe(200);
    expect((await findPackage(service.archive, other)).manifest).toHaveLength(OBJECTS);
  });
});

describe("a withdrawal is refused", () => {
  let kept: string;
  beforeAll(async () => {
    kept = (await archived(service.api)).dataset;
  });

  test.each([
    ["without a reason", {}, 422],
    ["with an empty one", { reason: "" }, 422],
    ["with one of invisible characters only", { reason: "\u200b \u0301" }, 422],
    ["with another member", { reason, force: true }, 422],
    ["with NUL", { reason: "\0" }, 400],
  ])("%s", async (_, body, status) => {
    expect((await withdraw(service.api, kept, body)).status).toBe(status);
    expect((await service.api.get(`/dataset/${kept}`)).status).toBe(200);
  });

  test.each(["../x", "00000000-0000-0000-0000-000000000000", "%00"])(
    "of a dataset that does not exist: %s",
    async (id) => {
      expect((await withdraw(service.api, id)).status).toBe(404);
    },
  );

  test("while the dataset is being published", async () => {
    const { id, dataset } = await archived(service.api);
    await service.restart(async () => {
      const database = await service.database();
      await database.queries
        .updateTable("submission")
        .set({ status: "waiting", resume_status: "packaging", probe_at: null, waiting: WAITING })
        .where("id", "=", id)
        .execute();
      await database.close();
    });
    const { status, json } = await withdraw(service.api, dataset);
    expect([status, json.code]).toEqual([409, "dataset_busy"]);
    expect((await service.api.get(`/dataset/${dataset}`)).status).toBe(200);
  });
});

const WAITING = JSON.stringify({ code: "archive_unwritable", until: "2999-01-01T00:00:00.000Z" });

test("kill -9 at successive moments: the whole dataset or its tombstone, and finally the tombstone", {
  tags: "extended",
}, async () => {
  const data = await createDataFolder();
  const archive = join(data, "archive");
  let program = await startProgram(data);
  try {
    for (const milliseconds of [0, 15, 40]) {
      const { dataset } = await archived(program.api);
      const asked = withdraw(program.api, dataset).catch(() => undefined);
      await sleep(milliseconds);
      await program.end("SIGKILL");
      const answered = await asked;
      const { findings } = await checkRoot(join(archive, "ocfl"));
      // Empty folders are removed last.
      expect(findings.filter(({ code }) => code !== "E073")).toEqual([]);
      const stands = await readFile(join(archive, "withdrawn", dataset, "tombstone.json")).catch(() => undefined);
      if (stands === undefined) expect((await findPackage(archive, dataset)).manifest).toHaveLength(OBJECTS);
      program = await startProgram(data);
      const { status } = await program.api.get(`/dataset/${dataset}`);
      if (answered !== undefined) expect(status).toBe(410);
      if (status === 200) await withdraw(program.api, dataset);
      await untilRemoved(program.api, dataset);
      await expectGone(archive, dataset, 0);
    }
  } finally {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  }
});
