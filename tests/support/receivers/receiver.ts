import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { deliveryDeviations } from "../api/api-description.ts";

/** A delivery as it arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared member by member.
  json: any;
  /** Status of the response; 0 until it is sent. */
  status: number;
}

type Reply = number | { status: number; headers?: Record<string, string>; body?: string };
type Replying = (delivery: Received) => Reply | Promise<Reply>;

/**
 * A webhook endpoint on loopback with configurable responses, which can be stopped and started. `stop()` rejects if a
 * delivery did not match the API description.
 */
export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Sets its response from now on; initially 204. */
  answer(reply: Replying): void;
  /** The accepted deliveries, of one submission or of all. */
  accepted(submission?: string): Received[];
  /** Waits until it has accepted an event of that type. */
  until(type: string, submission?: string): Promise<Received>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const faults: string[] = [];
  let reply: Replying = () => 204;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const delivery = { path: request.url ?? "", headers: request.headers, body, json: JSON.parse(body), status: 0 };
    received.push(delivery);
    faults.push(...deliveryDeviations(request.headers, body));
    const said = await reply(delivery);
    const { status, headers = {}, body: text = "" } = typeof said === "number" ? { status: said } : said;
    delivery.status = status;
    response.writeHead(status, headers).end(text);
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const accepted = (submission?: string) =>
    received.filter(
      ({ status, json }) =>
        status >= 200 && status < 300 && (submission === undefined || json.data.submission === submission),
    );
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    if (faults.length > 0) throw new Error(faults.join("\n"));
  };
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer(to) {
      reply = to;
    },
    accepted,
    async until(type, submission) {
      const find = () => accepted(submission).find(({ json }) => json.type === `submission.${type}`);
      await vi.waitUntil(() => find() !== undefined, { interval: 20 });
      return find() as Received;
    },
    stop,
    start: () => listen(port),
    [Symbol.asyncDispose]: stop,
  };
}
