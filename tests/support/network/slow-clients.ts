import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { measureResponses, type ResponseTimes } from "./response-times.ts";

export interface SlowClientLoad {
  /** Number of connections that slow clients hold open. */
  clients: number;
  milliseconds: number;
}

const DRIP_MS = 1_000;
const SHARES = 20;

/** Sends ordinary requests while slow clients hold connections open. */
export async function measureWithSlowClients(
  url: string,
  { clients, milliseconds }: SlowClientLoad,
): Promise<
  ResponseTimes & {
    /** Open connections of slow clients during the requests. */
    held: { least: number; median: number };
    /** Number of slow clients that the service disconnected. Each reconnects at once. */
    disconnected: number;
  }
> {
  const slow = new SlowClients(url, clients);
  try {
    await slow.allConnected();
    const end = performance.now() + milliseconds;
    const times = await measureResponses(url, () => {
      slow.countOpen();
      return performance.now() >= end;
    });
    const seen = slow.openCounts.sort((a, b) => a - b);
    const held = { least: seen[0] ?? 0, median: seen[Math.floor(seen.length / 2)] ?? 0 };
    return { ...times, held, disconnected: slow.disconnected };
  } finally {
    slow.close();
  }
}

/** Clients that send a byte a second: one half never ends its headers, the other never its body. */
class SlowClients {
  /** Number of open connections at each measurement. */
  readonly openCounts: number[] = [];
  disconnected = 0;
  readonly #url: URL;
  readonly #clients: number;
  readonly #sockets = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(url: string, clients: number) {
    this.#url = new URL(url);
    this.#clients = clients;
    for (let n = 0; n < clients; n++) this.#connect(n);
    let share = 0;
    this.#timer = setInterval(() => {
      share = (share + 1) % SHARES;
      let n = 0;
      for (const socket of this.#sockets) if (n++ % SHARES === share) socket.write("x");
    }, DRIP_MS / SHARES);
  }

  async allConnected(): Promise<void> {
    while (this.#sockets.size < this.#clients) await sleep(10);
  }

  countOpen(): void {
    this.openCounts.push(this.#sockets.size);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(n: number): void {
    const { hostname, port, host } = this.#url;
    const socket = connect(Number(port), hostname);
    const start = `HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    socket.once("connect", () => {
      this.#sockets.add(socket);
      if (n % 2 === 0) socket.write(`GET /submission ${start}X-Slow: `);
      else socket.write(`POST /submission/validate ${start}Content-Length: 100000\r\n\r\n`);
    });
    socket.on("error", () => undefined).resume();
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#isClosed) return;
      this.disconnected++;
      this.#connect(n);
    });
  }
}
