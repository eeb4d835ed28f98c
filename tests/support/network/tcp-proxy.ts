import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What happens when so many bytes have passed in one direction of a connection.
 * `cut` ends both sides with FIN, `reset` with RST; `stall` passes nothing more and closes nothing, as a half-open
 * connection does; `drip` passes a few bytes at a time from here on.
 */
export interface Incident {
  /** `down`: what the server answers. */
  direction: "up" | "down";
  /** Passed unharmed: so many bytes. */
  after: number;
  act: "cut" | "reset" | "stall" | { drip: number; everyMs: number };
}

/** What happens to a connection, counted from 1; undefined: nothing. */
export type Incidents = (connection: number) => Incident | undefined;

export interface TcpProxy extends AsyncDisposable {
  port: number;
  /** How many connections have come so far. */
  connections(): number;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * A TCP proxy on loopback in front of a port, which knows nothing of what it passes and spoils it at exact bytes.
 *
 * @param port the one to listen on, such as that of a proxy that was closed; any that is free unless given
 */
export async function startTcpProxy(target: number, incidents: Incidents, port = 0): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
  };
  let count = 0;
  const proxy = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const incident = incidents(++count);
    const server = connect({ port: target, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    keep(client);
    keep(server);
    const pair = { client, server, stalled: false };
    void pass(client, server, pair, incident?.direction === "up" ? incident : undefined);
    void pass(server, client, pair, incident?.direction === "down" ? incident : undefined);
  });
  proxy.listen(port, "127.0.0.1");
  await once(proxy, "listening");
  const close = async () => {
    const closed = new Promise((resolve) => proxy.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  const address = proxy.address() as AddressInfo;
  return { port: address.port, connections: () => count, close, [Symbol.asyncDispose]: close };
}

interface Pair {
  client: Socket;
  server: Socket;
  stalled: boolean;
}

/** Passes bytes one way until their end, or until the incident ends it. */
async function pass(from: Socket, to: Socket, pair: Pair, incident: Incident | undefined): Promise<void> {
  let left = incident?.after ?? Number.POSITIVE_INFINITY;
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (pair.stalled) return await once(pair.client, "close").then(() => undefined);
      if (chunk.length > left && incident !== undefined) {
        await write(to, chunk.subarray(0, left));
        const goesOn = await happen(incident, to, pair, chunk.subarray(left));
        if (!goesOn) return;
        left = 0;
      } else {
        await write(to, chunk);
        left -= chunk.length;
      }
    }
    if (!pair.stalled) to.end();
  } catch {
    // One side is gone: so is the other.
    pair.client.destroy();
    pair.server.destroy();
  }
}

/** True when bytes still pass afterwards. */
async function happen({ act }: Incident, to: Socket, pair: Pair, rest: Buffer): Promise<boolean> {
  if (typeof act === "object") {
    for (let at = 0; at < rest.length; at += act.drip) {
      await write(to, rest.subarray(at, at + act.drip));
      await sleep(act.everyMs);
    }
    return true;
  }
  if (act === "stall") {
    pair.stalled = true;
    await once(pair.client, "close");
  }
  for (const socket of [pair.client, pair.server]) {
    if (act === "reset") socket.resetAndDestroy();
    else if (act === "cut") socket.end();
    else socket.destroy();
  }
  return false;
}

async function write(to: Socket, bytes: Buffer): Promise<void> {
  if (to.destroyed) throw new Error("The other side is gone");
  if (bytes.length > 0 && !to.write(bytes)) await Promise.race([once(to, "drain"), once(to, "close")]);
}
