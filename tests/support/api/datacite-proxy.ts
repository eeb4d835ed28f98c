import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Decides about a request to DataCite before it is forwarded: it continues, or its answer is lost, or DataCite gets it only when
 * this resolves, while the client loses the connection at once.
 */
export type Interference = (
  method: string,
  body: string,
) => Promise<"pass" | "lose the answer" | { deliverAfter: Promise<unknown> }>;

/** A proxy in front of a look-alike of DataCite. */
export interface DataciteProxy {
  url: string;
  /** Applies from the next request on. */
  interfere: Interference;
  close(): void;
}

const PASS: Interference = async () => "pass";

/** Starts a proxy that forwards everything unchanged until `interfere` is set. @param target URL of the server */
export async function startDataciteProxy(target: string): Promise<DataciteProxy> {
  const server = createServer(async (from, to) => {
    const pieces: Buffer[] = [];
    for await (const piece of from) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method = "", headers } = from;
    const outcome = await proxy.interfere(method, body.toString());
    if (typeof outcome === "object") {
      to.destroy();
      await outcome.deliverAfter;
    }
    const sent = send(new URL(from.url ?? "", target), { method, headers }, (answer) => {
      if (outcome === "pass") answer.pipe(to.writeHead(answer.statusCode ?? 500, answer.headers));
      else answer.resume().on("end", () => to.destroy());
    });
    sent.on("error", () => to.destroy());
    sent.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const proxy: DataciteProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interfere: PASS,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
