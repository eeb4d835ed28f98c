import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sharedBuffer } from "./shared-buffer.ts";

const server = createServer();
const peers: Socket[] = [];

beforeEach(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Two ends of a connection; ours reads through the shared buffer. */
async function pair(onread: ReturnType<typeof sharedBuffer>): Promise<[ours: Socket, theirs: Socket]> {
  const accepted = once(server, "connection");
  const ours = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", onread });
  const [theirs] = (await accepted) as [Socket];
  peers.push(ours, theirs);
  return [ours, theirs];
}

function readAll(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on("readable", () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) parts.push(Buffer.from(chunk));
  });
  return once(socket, "end").then(() => Buffer.concat(parts));
}

test("several sockets read through one buffer, each its own bytes", async () => {
  const onread = sharedBuffer();
  const contents = ["a", "b", "c"].map((letter) => Buffer.alloc(3_000_000, letter));
  const pairs: [Socket, Socket][] = [];
  for (const _ of contents) pairs.push(await pair(onread));
  const reads = pairs.map(([ours]) => readAll(ours));
  for (const [index, [, theirs]] of pairs.entries()) theirs.end(contents[index] ?? "");
  const equal = (await Promise.all(reads)).map((read, index) => read.equals(contents[index] ?? Buffer.alloc(0)));
  expect(equal).toEqual([true, true, true]);
});

test("whoever reads at once reads from the shared buffer itself", async () => {
  const onread = sharedBuffer();
  const [ours, theirs] = await pair(onread);
  const read = new Promise<Buffer>((resolve) => {
    ours.on("readable", () => {
      const chunk: Buffer | null = ours.read();
      if (chunk !== null) resolve(chunk);
    });
  });
  theirs.write("some bytes");
  const chunk = await read;
  expect(chunk.toString()).toBe("some bytes");
  expect(chunk.buffer).toBe((onread.buffer as Uint8Array).buffer);
});

test("what nobody has read yet is kept while others read", async () => {
  const onread = sharedBuffer();
  const [late, writer] = await pair(onread);
  late.read(0);
  writer.write("kept ");
  await vi.waitFor(() => expect(late.readableLength).toBe(5));
  const [other, loud] = await pair(onread);
  const heard = readAll(other);
  loud.end(Buffer.alloc(500_000, "x"));
  expect((await heard).length).toBe(500_000);
  writer.end("for later");
  expect((await readAll(late)).toString()).toBe("kept for later");
});
