import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EdalClient, edalMetadata } from "../support/api/edal-client.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "4000000" });
});
afterAll(() => service.stop());

/** The files of uploads that this process, in which the service runs, has open; also removed ones. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.includes("/incoming-") ? [path] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

test("a refused request of more than 1 GiB is not read to its end", async () => {
  const client = new EdalClient(() => service.api);
  const form = client.form({ webkitRelativePath: "c/huge", bytes: randomBytes(6_000_000) }, edalMetadata);
  const sent = new Request("http://localhost", { method: "POST", body: form });
  const start = Buffer.from(await sent.arrayBuffer()).subarray(0, 5_000_000);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const headers = { "content-type": sent.headers.get("content-type") ?? "", "content-length": 2 ** 31 };
  const sending = request(`${service.url}/submission/upload/dataset`, { method: "POST", headers }, (response) =>
    resolve(json(response)),
  );
  sending.on("error", () => undefined);
  sending.write(start);
  // The rest is never sent.
  expect(await promise).toMatchObject({ code: "quota_exceeded" });
  sending.destroy();
  expect((await client.publish(edalMetadata.title)).json).toMatchObject({ code: "upload_incomplete" });
});

test("a file that is refused in the middle keeps no space while its client still sends", async () => {
  const client = new EdalClient(() => service.api);
  const form = client.form({ webkitRelativePath: "c/large", bytes: randomBytes(8_000_000) }, edalMetadata);
  const sent = new Request("http://localhost", { method: "POST", body: form });
  const body = Buffer.from(await sent.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const headers = { "content-type": sent.headers.get("content-type") ?? "", "content-length": body.length };
  const sending = request(`${service.url}/submission/upload/dataset`, { method: "POST", headers }, (response) =>
    resolve(json(response)),
  );
  sending.on("error", reject);
  sending.write(body.subarray(0, 3_500_000));
  // It is being written, and hashed by a thread.
  await expect.poll(openFiles).toHaveLength(2);
  sending.write(body.subarray(3_500_000, 6_000_000));
  await expect.poll(openFiles).toEqual([]);
  sending.end(body.subarray(6_000_000));
  expect(await promise).toMatchObject({ code: "quota_exceeded" });
});

test("a title for which there is no upload left is refused with this reason", async () => {
  const other = await startTestService();
  const client = new EdalClient(() => other.api);
  try {
    for (let n = 0; n < 100; n++) expect((await other.api.post("/uploads")).status).toBe(201);
    const form = client.form({ webkitRelativePath: "c/a", bytes: Buffer.from("a") }, edalMetadata);
    expect(await client.send(form)).toMatchObject({ status: 409, json: { code: "too_many_uploads" } });
    const refused = await client.publish(edalMetadata.title);
    expect([refused.status, refused.json.code]).toEqual([409, "too_many_uploads"]);
    expect(refused.json.detail).toContain("because you have 100 uploads that were not submitted");
  } finally {
    await other.stop();
  }
});
