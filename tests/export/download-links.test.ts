import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { DEMO_METADATA } from "../../src/cli/demo/publish.ts";
import type { Answer } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveOddDataset, OBJECTS, ODD_NAME, type OddDataset } from "../support/data-source/odd-dataset.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let tokens: Tokens;
let ada: string;
let bob: string;
let dataset: OddDataset;

beforeAll(async () => {
  [s3, service] = await Promise.all([startS3Server(), startTestService(TOKENS)]);
  tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  dataset = await archiveOddDataset(service, s3, DEMO_METADATA, bearer(ada));
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const sha512 = (content: Buffer | string) => createHash("sha512").update(content).digest("hex");
const ask = (body: object, token = ada, query = "") =>
  service.api.post(`/dataset/${dataset.id}/download-link${query}`, body, bearer(token));
const link = async (body: object, query = "") => String((await ask(body, ada, query)).json.url);
const codeOf = ({ status, json }: Answer) => [status, json.code];

test("a link returns its file once, without authentication, and contains no token", async () => {
  const asked = Date.now();
  const { status, json } = await ask({ path: `data/${ODD_NAME}` });
  expect(status).toBe(201);
  expect(json.url).toMatch(/^\/download\/[A-Za-z0-9_-]{43}$/);
  const createdAt = Date.parse(json.expiresAt) - 60_000;
  expect([createdAt >= asked, createdAt <= Date.now()]).toEqual([true, true]);
  const head = await fetch(service.url + json.url, { method: "HEAD" });
  expect(head.status).toBe(405);
  const first = await fetch(service.url + json.url);
  expect(first.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(sha512(Buffer.from(await first.arrayBuffer()))).toBe(sha512(OBJECTS[ODD_NAME] ?? ""));
  expect(codeOf(await service.api.get(json.url))).toEqual([404, "not_found"]);
});

test("of several concurrent requests one receives the file", async () => {
  const url = await link({ path: "data/data.csv" });
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.api.get(url)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
});

test("returns folders and packages of the requested version", async () => {
  for (const body of [{ path: "data/images" }, { format: "ro-crate" }, { format: "bagit" }]) {
    const answer = await fetch(service.url + (await link(body, "?version=1")));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(zip.includes("not-a-picture.png")).toBe(true);
    expect(zip.includes("three times")).toBe(false);
  }
});

test("is created only for one existing file, folder or package", async () => {
  expect(codeOf(await ask({ path: "data/nowhere" }))).toEqual([404, "not_found"]);
  expect(codeOf(await ask({ path: "data/data.csv" }, ada, "?version=7"))).toEqual([404, "not_found"]);
  for (const body of [{}, { path: "data/data.csv", format: "bagit" }, { path: "" }, { format: "tar" }]) {
    expect(codeOf(await ask(body))).toEqual([422, "invalid_request"]);
  }
  expect(codeOf(await ask({ path: "data/data.csv" }, bob))).toEqual([404, "not_found"]);
});

test("is invalid after the token that created it is revoked", async () => {
  const { id, token } = await tokens.create("ada", "submitter");
  const made = await ask({ path: "data/data.csv" }, token);
  await tokens.revoke(id);
  expect(codeOf(await service.api.get(made.json.url))).toEqual([404, "not_found"]);
});

describe("a download in progress", () => {
  const keys = { accessKey: "AKLARGE", secretKey: "secret-key-of-the-bucket" };
  const BYTES = 64 * 2 ** 20;
  let path = "";

  beforeAll(async () => {
    s3.addAccount(keys);
    s3.createBucket("large");
    s3.put("large", "large", { seed: "l", size: BYTES });
    const s3Access = { endpoint: s3.endpoint, bucket: "large", ...keys };
    const { json } = await service.api.post(
      "/submission/upload/s3upload",
      { metadata: DEMO_METADATA, s3Access },
      bearer(ada),
    );
    const read = async () => (await service.api.get(`/submission/${json.id}`, bearer(ada))).json;
    await vi.waitUntil(async () => (await read()).status === "completed");
    path = `/dataset/${(await read()).dataset.id}`;
  });

  const linkAs = async (token: string, body: object) =>
    String((await service.api.post(`${path}/download-link`, body, bearer(token))).json.url);
  const ways = {
    "of a file": (token: string) => fetch(`${service.url}${path}/files/data/large`, { headers: bearer(token) }),
    "of a package": (token: string) => fetch(`${service.url}${path}/export/ro-crate`, { headers: bearer(token) }),
    "of a link": async (token: string) => fetch(service.url + (await linkAs(token, { path: "data/large" }))),
  };

  test.each(Object.entries(ways))("%s ends when its token is revoked", { tags: "extended" }, async (_, fetchAs) => {
    const { id, token } = await tokens.create("ada", "submitter");
    const response = await fetchAs(token);
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    await tokens.revoke(id);
    await sleep(3_000);
    let bytes = 0;
    const rest = async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        bytes += part.value.length;
    };
    await expect(rest()).rejects.toThrow();
    expect(bytes).toBeLessThan(BYTES / 2);
  });

  test("continues when its token expires, and when another token of its owner is revoked", {
    tags: "extended",
  }, async () => {
    const { token } = await tokens.create("ada", "submitter", { expiresAt: new Date(Date.now() + 2_000) });
    const response = await ways["of a file"](token);
    await tokens.revoked("ada", "submitter");
    await sleep(6_000);
    expect((await response.arrayBuffer()).byteLength).toBe(BYTES);
  });
});

test("is invalid after a minute, and after the dataset is withdrawn", async () => {
  const [old, early] = [await link({ path: "data/data.csv" }), await link({ path: "data/README.md" })];
  await service.restart(async () => {
    const database = await service.database();
    await database.queries
      .updateTable("download_link")
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    await database.close();
  });
  expect(codeOf(await service.api.get(old))).toEqual([404, "not_found"]);
  expect(codeOf(await service.api.get(early))).toEqual([404, "not_found"]);
  const late = await link({ path: "data/README.md" });
  await service.api.post(`/dataset/${dataset.id}/withdraw`, { reason: "A test" }, bearer(tokens.admin));
  expect(codeOf(await service.api.get(late))).toEqual([410, "dataset_withdrawn"]);
});
