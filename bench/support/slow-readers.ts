import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "./measure.ts";

/** Time in which the service fills what it holds for readers. */
const FILL_MS = 5_000;

/**
 * Opens a connection for each reader, who requests one of the addresses and stops reading after the first bytes.
 * @returns MiB by which the memory of the service grows for each reader
 */
export async function memoryPerSlowReader(pid: number, urls: readonly string[], readers: number): Promise<number> {
  const before = memoryOf(pid).residentMib;
  const sockets = await Promise.all(Array.from({ length: readers }, (_, n) => slowReader(urls[n % urls.length] ?? "")));
  await sleep(FILL_MS);
  const after = memoryOf(pid).residentMib;
  for (const socket of sockets) socket.destroy();
  return Math.max(0, after - before) / readers;
}

async function slowReader(url: string): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/html, */*;q=0.8\r\n\r\n`,
  );
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  const status = first.toString("latin1", 0, 12);
  if (status !== "HTTP/1.1 200") throw new Error(`${url}: ${status}`);
  return socket;
}
