import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { startRawServer } from "../data-source/source.ts";
import { type Incidents, startTcpProxy } from "./tcp-proxy.ts";

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** Connects through a proxy to a server that sends ten digits and closes the connection. */
async function through(incidents: Incidents): Promise<Socket> {
  const server = await startRawServer((socket) => socket.once("data", () => socket.end("0123456789")));
  const proxy = await startTcpProxy(server.port, incidents);
  const socket = connect(proxy.port, "127.0.0.1", () => socket.write("go"));
  ending.push(server.close, proxy.close, () => socket.destroy());
  return socket;
}

/** Returns the received text and how the connection ended. */
async function read(socket: Socket): Promise<[string, string]> {
  let text = "";
  let end = "end";
  socket.setEncoding("latin1").on("data", (piece) => {
    text += piece;
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    end = error.code ?? "";
  });
  await once(socket, "close").catch(() => undefined);
  return [text, end];
}

test("forwards everything in both directions without an incident", async () => {
  expect(await read(await through(() => undefined))).toEqual(["0123456789", "end"]);
});

test("closes with FIN after the given number of bytes", async () => {
  expect(await read(await through(() => ({ direction: "down", after: 4, act: "cut" })))).toEqual(["0123", "end"]);
});

test("resets after the given number of bytes", async () => {
  const [text, end] = await read(await through(() => ({ direction: "down", after: 4, act: "reset" })));
  expect(end).toBe("ECONNRESET");
  expect("0123").toContain(text);
});

test("stalls: sends nothing more and closes nothing", async () => {
  const socket = await through(() => ({ direction: "down", after: 4, act: "stall" }));
  const all = read(socket);
  await vi.waitUntil(() => socket.bytesRead === 4);
  expect(await Promise.race([all, sleep(100, "still open")])).toBe("still open");
  socket.destroy();
  expect((await all)[0]).toBe("0123");
});

test("sends the rest in small pieces", async () => {
  const began = performance.now();
  const socket = await through(() => ({ direction: "down", after: 4, act: { drip: 2, everyMs: 20 } }));
  expect(await read(socket)).toEqual(["0123456789", "end"]);
  expect(performance.now() - began).toBeGreaterThan(50);
});

test("an incident can affect the direction to the server", async () => {
  const [text] = await read(await through(() => ({ direction: "up", after: 0, act: "reset" })));
  expect(text).toBe("");
});
