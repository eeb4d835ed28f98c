import { createPublicKey, verify } from "node:crypto";
import { HTTP } from "cloudevents";
import { sql } from "kysely";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Answer, goodMetadata } from "../support/api/api.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { sampleOf } from "../support/receivers/prometheus.ts";
import { type Received, type Receiver, startReceiver } from "../support/receivers/receiver.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const JOURNEY = ["accepted", "listing", "transferring", "verifying", "packaging", "completed"];

let s3: S3Server;
let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("small");
  s3.put("small", "a.csv", "a");
  s3.put("small", "b.csv", "b");
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  for (const { id } of (await service.api.get("/webhook")).json) await remove(id);
});

const access = () => ({ endpoint: s3.endpoint, bucket: "small", ...keys });
const eventually = (check: () => boolean | Promise<boolean>) => vi.waitUntil(check, { interval: 40 });
const remove = (id: string) => service.api.send(`/webhook/${id}`, { method: "DELETE" });
const deliveries = async (id: string, query = "") => (await service.api.get(`/webhook/${id}/deliveries${query}`)).json;

/** Returns the numbers of delivered, failed and given-up deliveries of this service. */
async function counted(): Promise<number[]> {
  const { text } = await service.api.get("/metrics");
  const of = (outcome: string) => sampleOf(text, "accession_notices_total", { kind: "webhook", outcome }) ?? Number.NaN;
  return ["delivered", "failed", "given_up"].map(of);
}

async function register(more: object = {}): Promise<{ id: string; secret: string; publicKey: string }> {
  const answer = await service.api.post("/webhook", { url: receiver.url, ...more });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${answer.text}`);
  return answer.json;
}

const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const idOf = (delivery: Received) => headersOf(delivery)["webhook-id"];
const types = (found: Received[]) => found.map(({ json }) => json.type.replace("submission.", ""));

/** Converts the raw key of `whpk_…` for node:crypto, according to the specification only. */
function verifiesAsymmetric(publicKey: string, delivery: Received): boolean {
  const {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures = "",
  } = headersOf(delivery);
  const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return signatures.split(" ").some((signature) => {
    const [version, text = ""] = signature.split(",");
    const content = Buffer.from(`${id}.${timestamp}.${delivery.body}`);
    return version === "v1a" && verify(null, content, key, Buffer.from(text, "base64"));
  });
}

describe("a webhook that chooses its events", () => {
  test("receives no others, and can change the choice", { tags: "extended" }, async () => {
    const { id } = await register({ events: ["accepted", "completed"] });
    const everything = await register();
    const first = await service.api.submit(access());
    await eventually(async () => (await deliveries(everything.id, "?status=delivered")).length === JOURNEY.length);
    const told = async () => (await deliveries(id)).map(({ type }: { type: string }) => type).toReversed();
    await eventually(async () => (await deliveries(id, "?status=delivered")).length === 2);
    expect(await told()).toEqual(["accepted", "completed"]);
    const change = (body: object) =>
      service.api.send(`/webhook/${id}`, {
        method: "PATCH",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    expect((await change({ events: ["packaging"] })).json).toMatchObject({ id, events: ["packaging"] });
    expect((await change({})).json.events).toEqual(["packaging"]);
    await service.api.submit(access());
    await eventually(async () => (await told()).length === 3);
    expect((await change({ events: null })).json.events).toBeNull();
    expect((await service.api.get(`/webhook/${id}`)).json.events).toBeNull();
    const late = await register({ events: ["completed"], submission: first.id });
    expect((await deliveries(late.id)).map(({ type }: { type: string }) => type)).toEqual(["completed"]);
  });

  test.each([[["finished"]], [[]], ["completed"], [["listed"]]])("cannot choose %j", async (events) => {
    const { status, json } = await service.api.post("/webhook", { url: receiver.url, events });
    const [fault] = json.errors;
    expect([status, fault.pointer.split("/")[1]]).toEqual([422, "events"]);
    expect(fault.code).toMatch(/^(wrong_value|wrong_type|too_short)$/);
  });
});

describe("a test delivery", () => {
  const send = (id: string) => service.api.post(`/webhook/${id}/test`);

  test("is signed and listed like others", () => testDelivery("json"));
  test("is signed and listed like others in the format cloudevents", { tags: "extended" }, () =>
    testDelivery("cloudevents"),
  );

  async function testDelivery(format: string): Promise<void> {
    const { id, secret } = await register({ format, events: ["failed"] });
    const { status, json } = await send(id);
    expect([status, json]).toMatchObject([202, { type: "test", submission: null, event: null, status: "pending" }]);
    await eventually(() => receiver.received.length === 1);
    const [delivery] = receiver.received as [Received];
    expect(delivery.json).toMatchObject({ type: "webhook.test", data: { webhook: id } });
    expect(new Webhook(secret).verify(delivery.body, headersOf(delivery))).toEqual(delivery.json);
    await eventually(async () => (await deliveries(id, "?status=delivered&limit=1")).length === 1);
    expect(await deliveries(id)).toMatchObject([{ id: idOf(delivery), type: "test", attempts: 1, answer: 204 }]);
    const again = await service.api.post(`/webhook/${id}/deliveries/${json.id}/replay`);
    expect([again.status, again.json.type]).toEqual([202, "test"]);
    await eventually(() => receiver.received.length === 2);
  }

  test("that fails is not sent again, and does not disable the webhook", { tags: "extended" }, async () => {
    receiver.answer(() => 500);
    const { id } = await register();
    await send(id);
    await eventually(async () => (await deliveries(id, "?status=given_up")).length === 1);
    expect((await deliveries(id))[0]).toMatchObject({ attempts: 1, answer: 500, error: { code: "webhook_refused" } });
    expect((await service.api.get(`/webhook/${id}`)).json.disabledAt).toBeNull();
    receiver.answer(() => 410);
    await send(id);
    await eventually(async () => (await service.api.get(`/webhook/${id}`)).json.disabledBecause === "gone");
    expect((await send(id)).json.code).toBe("webhook_disabled");
    expect((await send("00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });

  test("does not wait for deliveries about a submission", async () => {
    const { id } = await register();
    receiver.answer(({ json }) => (json.type === "webhook.test" ? 204 : 500));
    const { id: submission } = await service.api.submit(access());
    await service.api.until(submission, ["completed"]);
    await send(id);
    await eventually(() => receiver.accepted().length === 1);
    let pages = 0;
    for (let path: string | undefined = `/webhook/${id}/deliveries?limit=2`; path !== undefined; pages++) {
      const page: Answer = await service.api.get(path);
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(pages).toBe(4);
  });
});

describe("events of a submission", () => {
  test("are delivered in order, signed with both algorithms, and equal to the log", async () => {
    const webhook = await register();
    const { id } = await service.api.submit(access());
    await receiver.until("completed");
    expect(types(receiver.accepted())).toEqual(JOURNEY);
    const other = new Webhook((await register()).secret);
    const log = await service.api.events(id);
    for (const delivery of receiver.received) {
      expect(new Webhook(webhook.secret).verify(delivery.body, headersOf(delivery))).toEqual(delivery.json);
      expect(() => other.verify(delivery.body, headersOf(delivery))).toThrow(WebhookVerificationError);
      expect(verifiesAsymmetric(webhook.publicKey, delivery)).toBe(true);
      expect(verifiesAsymmetric(webhook.publicKey, { ...delivery, body: `${delivery.body} ` })).toBe(false);
      const { type, timestamp, data } = delivery.json;
      const event = log.find((one) => one.id === data.event);
      expect([type, timestamp, data.message]).toEqual([`submission.${event?.type}`, event?.at, event?.message]);
      expect(data).toMatchObject({ submission: id, attempt: 1, title: goodMetadata.title });
      expect(
        (await service.api.get(new URL(data.links.event).pathname + new URL(data.links.event).search)).json,
      ).toEqual([event]);
    }
    expect(new Set(receiver.received.map(idOf)).size).toBe(JOURNEY.length);
    const last = receiver.received.at(-1)?.json.data;
    expect((await fetch(last.links.receipt)).headers.get("content-type")).toContain("application/jose");
    expect((await fetch(last.links.dataset)).status).toBe(200);
    expect(receiver.received[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Accession\/\d/),
    });
    await eventually(async () => (await deliveries(webhook.id, "?status=delivered")).length === JOURNEY.length);
    expect((await deliveries(webhook.id)).map((one: { type: string }) => one.type).toReversed()).toEqual(JOURNEY);
  });

  test("include waiting, resuming and withdrawal; a retry causes no failure event", { tags: "extended" }, async () => {
    const removeFault = s3.addFault({
      match: { bucket: "small", operation: "get", key: "b.csv" },
      fault: { status: 403, code: "AccessDenied" },
    });
    await register();
    const { id } = await service.api.submit(access());
    const waiting = await receiver.until("waiting");
    expect(waiting.json.data.details).toEqual({ code: "objects_unreadable", fault: "submitter" });
    removeFault();
    expect((await service.api.post(`/submission/${id}/retry`)).status).toBe(202);
    const { json } = await receiver.until("completed");
    await service.api.post(`/dataset/${json.data.details.dataset}/withdraw`, { reason: "A test" });
    await receiver.until("withdrawn");
    const before = ["accepted", "listing", "transferring", "waiting"];
    expect(types(receiver.accepted())).toEqual([...before, "retried", ...JOURNEY.slice(1), "withdrawn"]);
  });

  test("are delivered from the first one to a webhook of the submission", async () => {
    const { id } = await service.api.submit(access());
    await service.api.until(id, ["completed"]);
    const own = await register({ submission: id });
    const other = await service.api.submit(access());
    await service.api.until(other.id, ["completed"]);
    await receiver.until("completed", id);
    expect(types(receiver.accepted())).toEqual(JOURNEY);
    expect(receiver.accepted(other.id)).toEqual([]);
    expect((await deliveries(own.id)).length).toBe(JOURNEY.length);
    const missing = { url: receiver.url, submission: "00000000-0000-4000-8000-000000000000" };
    expect((await service.api.post("/webhook", missing)).status).toBe(404);
  });

  test("are delivered as CloudEvents on request", { tags: "extended" }, async () => {
    const { secret } = await register({ format: "cloudevents" });
    const { id } = await service.api.submit(access());
    await receiver.until("completed");
    for (const delivery of receiver.received) {
      expect(delivery.headers["content-type"]).toBe("application/cloudevents+json");
      new Webhook(secret).verify(delivery.body, headersOf(delivery));
      // Throws if the event does not conform to the schema.
      const event = HTTP.toEvent({ headers: delivery.headers, body: delivery.body });
      expect(event).toMatchObject({
        specversion: "1.0",
        type: delivery.json.type,
        source: service.url,
        subject: id,
        data: { submission: id },
      });
    }
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(JOURNEY.length);
  });

  test("with long texts are shortened to less than 20 kB, and state that they were", { tags: "extended" }, async () => {
    await register();
    const title = "\u0001\u{10ffff}".repeat(600);
    await service.api.submit(access(), { metadata: { ...goodMetadata, title } });
    const { body, json } = await receiver.until("accepted");
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    expect(json.data.cut).toBe(true);
    expect(json.data.title.isWellFormed()).toBe(true);
    await receiver.until("completed");
  });
});

describe("an endpoint", () => {
  test("that is unavailable for a while receives all deliveries in order, with the ids of the first try", async () => {
    const webhook = await register();
    await receiver.stop();
    const { id } = await service.api.submit(access());
    await service.api.until(id, ["completed"]);
    await eventually(async () => (await deliveries(webhook.id)).at(-1)?.attempts > 0);
    const [first] = (await deliveries(webhook.id)).toReversed();
    expect(first).toMatchObject({ type: "accepted", status: "pending", answer: null });
    expect(first.error.code).toBe("connection_refused");
    await receiver.start();
    await receiver.until("completed");
    expect(types(receiver.received)).toEqual(JOURNEY);
    expect(receiver.received.map(idOf)).toContain(first.id);
  });

  test("that refuses one delivery delays only the later deliveries of the same submission", {
    tags: "extended",
  }, async () => {
    await register();
    let stuck: string | undefined;
    let mended = false;
    receiver.answer(({ json }) => {
      if (json.type !== "submission.listing" || mended) return 204;
      stuck ??= json.data.submission;
      return json.data.submission === stuck ? { status: 503, headers: { "retry-after": "3" } } : 204;
    });
    const ids = [(await service.api.submit(access())).id, (await service.api.submit(access())).id];
    await eventually(() => stuck !== undefined);
    const other = ids.find((id) => id !== stuck);
    await receiver.until("completed", other);
    expect(types(receiver.accepted(stuck))).toEqual(["accepted"]);
    mended = true;
    await receiver.until("completed", stuck);
    for (const id of ids) expect(types(receiver.accepted(id))).toEqual(JOURNEY);
    const tries = receiver.received.filter(({ json }) => json.data.submission === stuck && json.data.event === 2);
    expect([tries.length, new Set(tries.map(idOf)).size]).toEqual([2, 1]);
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
    const [first = 0, second = 0] = tries.map((one) => Number(headersOf(one)["webhook-timestamp"]));
    expect(second - first).toBeGreaterThanOrEqual(3);
  });

  test("that redirects is not followed, and the error states the status of the response, but not its text", async () => {
    const webhook = await register();
    receiver.answer(() => ({ status: 307, headers: { location: "/elsewhere" }, body: "canary of the answer" }));
    const { id } = await service.api.submit(access());
    await eventually(async () => (await deliveries(webhook.id)).some((one: { attempts: number }) => one.attempts > 0));
    const { text } = await service.api.get(`/webhook/${webhook.id}/deliveries`);
    expect(text).toContain("answered with HTTP 307; redirects are not followed");
    expect(text).not.toContain("canary");
    expect(receiver.received.map(({ path }) => path)).not.toContain("/elsewhere");
    // A submission in progress would cause deliveries to the webhook of the next test.
    await service.api.until(id, ["completed"]);
  });

  test("that answers 410 is disabled; after it is enabled again it receives new events, and earlier ones can be replayed", {
    tags: "extended",
  }, async () => {
    const webhook = await register();
    receiver.answer(() => 410);
    const { id } = await service.api.submit(access());
    await eventually(async () => (await service.api.get(`/webhook/${webhook.id}`)).json.disabledAt !== null);
    expect((await service.api.get(`/webhook/${webhook.id}`)).json.disabledBecause).toBe("gone");
    await service.api.until(id, ["completed"]);
    const [lost] = (await deliveries(webhook.id)).toReversed();
    expect(lost).toMatchObject({ type: "accepted", status: "given_up", answer: 410, attempts: 1 });
    const replayed = () => service.api.post(`/webhook/${webhook.id}/deliveries/${lost.id}/replay`);
    expect((await replayed()).json.code).toBe("webhook_disabled");
    receiver.answer(() => 200);
    expect((await service.api.post(`/webhook/${webhook.id}/enable`)).json.disabledAt).toBe(null);
    expect((await replayed()).status).toBe(202);
    expect(idOf(await receiver.until("accepted", id))).toBe(lost.id);
    expect((await service.api.post(`/webhook/${webhook.id}/deliveries/none/replay`)).status).toBe(404);
  });

  test("that accepts no delivery for a day is disabled, and its pending deliveries are given up", {
    tags: "extended",
  }, async () => {
    const webhook = await register();
    receiver.answer(() => 500);
    const { id } = await service.api.submit(access());
    await service.api.until(id, ["completed"]);
    await eventually(() => receiver.received.length > 0);
    await service.restart(async () => {
      const database = await service.database();
      const day = (column: string) => `${column} = ${column} - interval '1 day'`;
      await sql.raw(`update delivery set ${day("expires_at")}, ${day("due_at")}`).execute(database.queries);
      await database.close();
    });
    const view = async () => (await service.api.get(`/webhook/${webhook.id}`)).json;
    await eventually(async () => (await view()).disabledBecause === "failing");
    await eventually(async () => (await deliveries(webhook.id, "?status=pending")).length === 0);
    const found = await deliveries(webhook.id);
    expect(found.map(({ status }: { status: string }) => status)).toEqual(JOURNEY.map(() => "given_up"));
    // Counted since the restart: deliveries whose last try failed, and deliveries without another try.
    expect((await counted())[2]).toBe(JOURNEY.length);
  });

  test("can receive a delivery again, with the same id", { tags: "extended" }, async () => {
    const webhook = await register();
    await service.api.submit(access());
    const { headers } = await receiver.until("completed");
    await eventually(async () => (await deliveries(webhook.id, "?status=pending")).length === 0);
    const id = headers["webhook-id"];
    const { json } = await service.api.post(`/webhook/${webhook.id}/deliveries/${id}/replay`);
    expect(json).toMatchObject({ id, status: "pending", type: "completed" });
    await eventually(() => receiver.received.filter((one) => idOf(one) === id).length === 2);
    // The outcome is recorded shortly after the response, and would otherwise be counted in the next test.
    await eventually(async () => (await deliveries(webhook.id, "?status=pending")).length === 0);
  });
});

test("deliveries are counted by outcome", { tags: "extended" }, async () => {
  const before = await counted();
  const webhook = await register();
  const tries = new Map<string, number>();
  receiver.answer(({ json }) => {
    const { type } = json;
    tries.set(type, (tries.get(type) ?? 0) + 1);
    if (type === "submission.completed") return 410;
    return type === "submission.listing" && tries.get(type) === 1 ? 503 : 204;
  });
  const { id } = await service.api.submit(access());
  await service.api.until(id, ["completed"]);
  await eventually(async () => (await deliveries(webhook.id))[0]?.status === "given_up");
  const more = async () => (await counted()).map((count, index) => count - (before[index] ?? 0));
  await expect.poll(more).toEqual([JOURNEY.length - 1, 1, 1]);
});

test("deliveries with the same time are listed in the order of their events, page by page", async () => {
  const { id } = await service.api.submit(access());
  await service.api.until(id, ["completed"]);
  const webhook = await register({ submission: id });
  const seen: string[] = [];
  for (let path: string | undefined = `/webhook/${webhook.id}/deliveries?limit=2`; path !== undefined; ) {
    const page: Answer = await service.api.get(path);
    seen.push(...page.json.map(({ type }: { type: string }) => type));
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  expect(seen).toEqual(JOURNEY.toReversed());
});

describe("keys", () => {
  test("sign together with the previous ones for a day after a rotation; the secret is shown once", {
    tags: "extended",
  }, async () => {
    const { id, secret: old, publicKey } = await register();
    const rotated: Answer = await service.api.post(`/webhook/${id}/rotate`);
    expect(rotated.status).toBe(200);
    const { secret, oldKeysUntil } = rotated.json;
    expect(secret).not.toBe(old);
    expect(Math.abs(Date.parse(oldKeysUntil) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await service.api.submit(access());
    const delivery = await receiver.until("completed");
    for (const one of [old, secret]) new Webhook(one).verify(delivery.body, headersOf(delivery));
    for (const one of [publicKey, rotated.json.publicKey]) expect(verifiesAsymmetric(one, delivery)).toBe(true);
    for (const path of ["/webhook", `/webhook/${id}`, `/webhook/${id}/deliveries`]) {
      const { text } = await service.api.get(path);
      expect([path, text.includes(old.slice(6)), text.includes(secret.slice(6))]).toEqual([path, false, false]);
    }
    await service.api.post(`/webhook/${id}/rotate`);
    await service.api.post(`/webhook/${id}/rotate`);
    const refused = await service.api.post(`/webhook/${id}/rotate`);
    expect([refused.status, refused.json.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
  });
});
