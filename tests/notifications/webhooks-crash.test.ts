/** @module-tag extended */
import { rm } from "node:fs/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Api } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { Canary } from "../support/identity/canary.ts";
import { freePort } from "../support/network/ports.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { type Receiver, startReceiver } from "../support/receivers/receiver.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let data: string;
let receiver: Receiver;
let program: Program;
let api: Api;
let port: number;
let logs = "";

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("small");
  s3.put("small", "a.csv", "a");
  data = await createDataFolder();
  receiver = await startReceiver();
  port = await freePort();
});
afterAll(async () => {
  await program.end("SIGKILL");
  await receiver.stop();
  await s3.close();
  await rm(data, { recursive: true, force: true });
});

async function begin(settings: Record<string, string> = {}): Promise<void> {
  program = await startProgram(data, { ACCESSION_LOG_LEVEL: "trace", ACCESSION_PORT: String(port), ...settings });
  api = new Api(`http://127.0.0.1:${port}`);
}

async function kill(): Promise<void> {
  await program.end("SIGKILL");
  logs += program.log();
}

test("kill -9 during a delivery, an unavailable endpoint, changed egress rules: all deliveries arrive in order", async () => {
  await begin();
  const { json: webhook } = await api.post("/webhook", { url: `${receiver.url}/with-a-canary-in-it` });
  const first = (type: string) => receiver.received.find(({ json }) => json.type === `submission.${type}`);
  // A delivery without a response is in progress when the service is killed.
  receiver.answer(({ json }) => (json.type === "submission.transferring" ? new Promise<number>(() => undefined) : 204));
  const { id } = await api.submit({ endpoint: s3.endpoint, bucket: "small", ...keys });
  await vi.waitUntil(() => first("transferring") !== undefined);
  await kill();
  receiver.answer(() => 204);

  await receiver.stop();
  await begin();
  const waiting = async () => (await api.get(`/webhook/${webhook.id}/deliveries?status=pending`)).json.at(-1);
  await vi.waitUntil(async () => (await waiting()).error?.code === "connection_refused");
  // Otherwise the settings below would also block the source.
  await vi.waitUntil(async () => (await api.get(`/submission/${id}`)).json.status === "completed");
  await kill();

  // A service with a public URL is not a local installation, so callers may not use addresses of this machine.
  await begin({ ...TOKENS, ACCESSION_PUBLIC_URL: "https://data.example.org" });
  api.headers = bearer((await Tokens.open({ data, api })).admin);
  await vi.waitUntil(async () => (await waiting()).error?.code === "address_refused", {
    interval: 100,
  });
  expect((await waiting()).error.message).toMatch(
    /^This service may not connect to “127\.0\.0\.1”: deliveries over http:/,
  );
  await kill();

  await receiver.start();
  await begin();
  await receiver.until("completed");
  const types = receiver.accepted().map(({ json }) => json.type.replace("submission.", ""));
  expect(types).toEqual(["accepted", "listing", "transferring", "verifying", "packaging", "completed"]);
  const twice = receiver.received.filter(({ json }) => json.type === "submission.transferring");
  expect(twice.map(({ headers }) => headers["webhook-id"])).toEqual([
    (await deliveryOf("transferring")).id,
    expect.anything(),
  ]);
  for (const delivery of receiver.accepted()) {
    new Webhook(webhook.secret).verify(delivery.body, delivery.headers as Record<string, string>);
    expect(delivery.json.data.submission).toBe(id);
  }

  async function deliveryOf(type: string) {
    const found = (await api.get(`/webhook/${webhook.id}/deliveries`)).json;
    return found.find((one: { type: string }) => one.type === type);
  }

  await kill();
  const secret = new Canary([webhook.secret.slice("whsec_".length)]);
  expect(secret.isIn(logs)).toBe(false);
  expect(logs).not.toContain("with-a-canary-in-it");
  const { found, searched } = await secret.filesBelow(data);
  expect(found).toEqual([]);
  expect(searched).toBeGreaterThan(16_000_000);
});
