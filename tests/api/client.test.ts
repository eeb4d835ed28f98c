import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  checkBucket,
  createClient,
  follow,
  orThrow,
  ProblemError,
  waitFor,
} from "../../packages/client/src/index.ts";
import {
  type DemoBucket,
  fillDemoBucket,
  type S3Server,
  startS3Server,
} from "../../packages/s3-test-server/src/index.ts";
import { verifyReceipt } from "../../src/archive/receipts/signing.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let bucket: DemoBucket;
let service: TestService;
let token: string;
let client: Client;

beforeAll(async () => {
  s3 = await startS3Server();
  bucket = fillDemoBucket(s3);
  service = await startTestService(TOKENS);
  token = (await (await Tokens.open(service)).create("josiah", "submitter")).token;
  client = createClient({ baseUrl: `${service.url}/`, token });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const s3Access = () => ({
  endpoint: s3.endpoint,
  bucket: bucket.bucket,
  accessKey: bucket.accessKey,
  secretKey: bucket.secretKey,
});
const body = (title: string) => ({ metadata: { ...goodMetadata, title }, s3Access: s3Access() });

test("the generated client is sufficient for a submission, from connection test to receipt", {
  tags: "extended",
}, async () => {
  const check = await client.POST("/submission/upload/s3check", { body: s3Access(), parseAs: "text" });
  expect(orThrow(check)).toBe("Connection successful");
  const steps: string[] = [];
  const report = await checkBucket(client, s3Access(), { onStep: ({ name }) => steps.push(name) });
  expect([...new Set(steps)]).toEqual(report.steps.map(({ name }) => name));
  expect(report.steps.map(({ status }) => status)).not.toContain("failed");
  const preview = orThrow(await client.POST("/submission/upload/s3preview", { body: s3Access() }));
  expect(preview).toMatchObject({ complete: true, objects: bucket.objects, bytes: bucket.bytes });
  const validation = orThrow(await client.POST("/submission/validate", { body: goodMetadata }));
  expect(validation).toMatchObject({ valid: true, errors: [] });

  const accepted = orThrow(
    await client.POST("/submission/upload/s3upload", {
      params: { header: { "idempotency-key": "journey" } },
      body: body("The whole journey"),
    }),
  );
  const params = { path: { id: accepted.id } };
  const types: string[] = [];
  for await (const event of follow(client, accepted.id)) types.push(event.type);
  expect(types[0]).toBe("accepted");
  expect(types.at(-1)).toBe("completed");
  const submission = await waitFor(client, accepted.id);
  expect(submission.status).toBe("completed");

  const files = orThrow(await client.GET("/submission/{id}/files", { params: { ...params, query: { limit: 1_000 } } }));
  expect(files).toHaveLength(bucket.objects);
  expect(files.every(({ state }) => state === "stored")).toBe(true);
  const receipt = orThrow(await client.GET("/submission/{id}/receipt", { params, parseAs: "text" }));
  const verified = await verifyReceipt(receipt, orThrow(await client.GET("/.well-known/jwks.json")) as never);
  expect(verified).toMatchObject({ ok: true, signer: "established" });
  const dataset = orThrow(
    await client.GET("/dataset/{id}", { params: { path: { id: submission.dataset?.id ?? "" } } }),
  );
  expect(dataset.versions).toMatchObject([{ version: 1, submission: accepted.id, objects: bucket.objects }]);
});

describe("a rejected request", () => {
  test("resolves with an error, whose code has a type", async () => {
    const { data, error } = await client.GET("/submission/{id}", { params: { path: { id: "none" } } });
    expect(data).toBeUndefined();
    expect(error?.code).toBe("not_found");
    // @ts-expect-error There is no such code.
    expect(error?.code === "not_fuond").toBe(false);
  });

  test("throws the error with orThrow", async () => {
    const answer = await client.POST("/submission/validate", { body: [] as never });
    expect(orThrow(answer)).toMatchObject({ valid: false });
    const refused = waitFor(client, "none");
    await expect(refused).rejects.toThrow(ProblemError);
    await expect(refused).rejects.toMatchObject({ problem: { code: "not_found" }, message: /^not_found: / });
    await expect(follow(client, "none").next()).rejects.toMatchObject({ problem: { code: "not_found" } });
  });

  test("is also one without a token", async () => {
    const stranger = createClient({ baseUrl: service.url });
    const { error } = await stranger.GET("/submission");
    expect(error?.code).toBe("unauthenticated");
  });
});

test("waitFor resolves with a waiting submission, and following a log can be aborted", async () => {
  const match = { operation: "get", key: "README.md", bucket: bucket.bucket } as const;
  const removeFault = s3.addFault({ match, fault: { status: 403, code: "AccessDenied" } });
  try {
    const { id } = orThrow(await client.POST("/submission/upload/s3upload", { body: body("Waits") }));
    const submission = await waitFor(client, id);
    expect(submission.waiting).toMatchObject({ code: "objects_unreadable", fault: "submitter" });
    const leave = new AbortController();
    const followed = (async () => {
      for await (const event of follow(client, id, { signal: leave.signal })) {
        if (event.type === "waiting") leave.abort(new Error("seen enough"));
      }
    })();
    await expect(followed).rejects.toThrow("seen enough");
    await expect(waitFor(client, id, { signal: AbortSignal.abort(new Error("no time")) })).rejects.toThrow("no time");
    orThrow(await client.POST("/submission/{id}/cancel", { params: { path: { id } } }));
    expect((await waitFor(client, id)).status).toBe("cancelled");
  } finally {
    removeFault();
  }
});

test("a log whose stream is interrupted is read to its end, with each event once", async () => {
  const { id } = orThrow(await client.POST("/submission/upload/s3upload", { body: body("Broken stream") }));
  await waitFor(client, id);
  const all = (await service.api.get(`/submission/${id}/events`, bearer(token))).json as { id: number }[];
  const asked: (string | null)[] = [];
  const breaking = createClient({
    baseUrl: service.url,
    token,
    async fetch(request) {
      const response = await fetch(request);
      if (request.headers.get("accept") !== "text/event-stream") return response;
      asked.push(request.headers.get("last-event-id"));
      return new Response(breaks(response.body), response);
    },
  });
  const seen: number[] = [];
  for await (const event of follow(breaking, id)) seen.push(event.id);
  expect(seen).toEqual(all.map((event) => event.id));
  // The missed events are requested before the stream is continued, and here they include the last one.
  expect(asked).toEqual(["0"]);
});

test("a long log is followed to its end", { tags: "extended" }, async () => {
  const { id } = orThrow(await client.POST("/submission/upload/s3upload", { body: body("Long log") }));
  await waitFor(client, id);
  await service.restart(async () => {
    const database = await service.database();
    const { rows } = await sql<{ last: number }>`
      update submission set last_event = last_event + 11500 where id = ${id} returning last_event as last
    `.execute(database.queries);
    await sql`
      insert into event (submission_id, seq, at, attempt, type, message)
      select ${id}::uuid, ${rows[0]?.last ?? 0}::integer - n, now(), 1, 'audit_passed', 'Read again' from generate_series(0, 11499) n
    `.execute(database.queries);
    await database.close();
  });
  const again = createClient({ baseUrl: service.url, token });
  const seen: number[] = [];
  for await (const event of follow(again, id)) seen.push(event.id);
  expect(seen.length).toBeGreaterThan(11_500);
  expect(seen.filter((number, index) => number !== index + 1)).toEqual([]);
});

/** A stream that is interrupted after the first event, within the second one. */
function breaks(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      let text = "";
      const decoder = new TextDecoder();
      for await (const bytes of body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        const end = text.indexOf("\n\n", text.indexOf("\nid: ") + 1) + 2;
        if (!text.includes("\nid: ") || end < 2) continue;
        controller.enqueue(new TextEncoder().encode(`${text.slice(0, end)}id: 7\nda`));
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.error(new TypeError("terminated"));
        return;
      }
    },
  });
}
