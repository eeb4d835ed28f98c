import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TusClient } from "../support/api/tus-client.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const MIB = 1 << 20;
let service: TestService;
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("a client that reads nothing before it has sent its whole body gets the answer, also if the body is refused in the middle", async () => {
  const { files } = await tus.upload();
  const created = await tus.create(files, "a", 300_000);
  const { hostname, port } = new URL(service.url);
  await using socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // Without its length, so that the service learns late that it is too long.
  socket.write(
    `PATCH ${created.headers.get("location")} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nTus-Resumable: 1.0.0\r\n` +
      "Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  const chunkOf = (bytes: number) =>
    Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes), Buffer.from("\r\n")]);
  const send = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => socket.write(chunk, (error) => (error ? reject(error) : resolve())));
  const answered = once(socket, "readable");
  // The service has read these bytes, and waits for more, when it refuses them.
  await send(chunkOf(400_000));
  await answered;
  for (let n = 0; n < 64; n++) await send(chunkOf(MIB));
  let answer = "";
  for await (const piece of socket) answer += piece;
  expect(answer).toMatch(/^HTTP\/1.1 413 .*upload_too_long/s);
});
