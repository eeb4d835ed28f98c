import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** More than the operating system keeps for a connection that nobody reads. */
const AUTHORS = 4_000;

let s3: S3Server;
let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
  await s3.close();
});

/** Sends a request and reads nothing but the beginning of the answer. */
async function stall(path: string): Promise<void> {
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("readable", () => resolve());
  });
}

test("large answers that are not read are limited, whatever they are, so that they do not fill the memory", async () => {
  const filler = "institute ".repeat(80);
  const authors = Array.from({ length: AUTHORS }, (_, n) => {
    return { firstName: "A", lastName: `Author ${n}`, affiliation: `${filler}${n}` };
  });
  const { dataset } = await publishAs(service, s3, {
    metadata: { ...goodMetadata, authors: [...goodMetadata.authors, ...authors] },
  });
  const path = `/dataset/${dataset}?details=true`;
  await Promise.all(Array.from({ length: 16 }, () => stall(path)));
  for (const other of [path, `/dataset/${dataset}/export/datacite-xml`]) {
    const refused = await service.api.get(other);
    expect([other, refused.status, refused.json?.code]).toEqual([other, 429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.headers.get("content-disposition")).toBeNull();
  }
  // What has changed something is answered: otherwise the client would do it again.
  const { headers } = await service.api.get(`/dataset/${dataset}/metadata?revision=1`);
  const metadata = { ...goodMetadata, authors: [...goodMetadata.authors, ...authors], title: "Changed" };
  const changed = await service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    headers: { "content-type": "application/json", "if-match": headers.get("etag") ?? "*" },
    body: JSON.stringify({ metadata }),
  });
  expect([changed.status, changed.json.metadata?.title]).toEqual([200, "Changed"]);
  const page = await fetch(service.url, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await service.api.get(path)).status).toBe(200);
});
