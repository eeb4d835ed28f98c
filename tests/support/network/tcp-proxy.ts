import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * An incident after a number of bytes in one direction of a connection.
 * `cut` closes both sides with FIN, `reset` with RST. `stall` forwards nothing more and closes nothing, like a half-open
 * connection. `drip` forwards the rest in small pieces.
 */
export interface Incident {
  /** `down` is the direction from the server to the client. */
  direction: "up" | "down";
  /** Number of bytes that are forwarded before. */
  after: number;
  act: "cut" | "reset" | "stall" | { drip: number; everyMs: number };
}

/** Returns the incident of a connection, counted from 1; undefined for none. */
export type Incidents = (connection: number) => Incident | undefined;

export interface TcpProxy extends AsyncDisposable {
  port: number;
  /** Number of connections so far. */
  connections(): number;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Starts a TCP proxy on loopback that forwards bytes to a port and can interrupt connections at exact bytes.
 *
 * @param port the port to listen on, for example that of a closed proxy; default: a free port
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

/** Forwards bytes in one direction until their end, or until the incident. */
async function pass(from: Socket, to: Socket, pair: Pair, incident: Incident | undefined): Promise<void> {
  let left = incident?.after ?? Number.POSITIVE_INFINITY;
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (pair.stalled) return await once(pair.client, "close").then(() => undefined);
      if (chunk.length > left && incident !== undefined) {
        await write(to, chunk.subarray(0, left));
        const continues = await happen(incident, to, pair, chunk.subarray(left));
        if (!continues) return;
        left = 0;
      } else {
        await write(to, chunk);
        left -= chunk.length;
      }
    }
    if (!pair.stalled) to.end();
  } catch {
    // If one side is closed, the other one is closed too.
    pair.client.destroy();
    pair.server.destroy();
  }
}

/** Returns true if bytes are still forwarded afterwards. */
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
  if (to.destroyed) throw new Error("The other side is closed");
  if (bytes.length > 0 && !to.write(bytes)) await Promise.race([once(to, "drain"), once(to, "close")]);
}
