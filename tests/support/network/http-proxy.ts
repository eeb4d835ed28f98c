import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * Starts a proxy on loopback that forwards whole requests to a service.
 *
 * @param before resolves when a request can be forwarded; receives its method and path, such as `GET /uploads`, and its body, which it can
 * change. If it rejects with a number, the proxy answers with this status
 * @param after the same for the answer: if it rejects, the connection breaks instead
 */
export async function startHttpProxy(
  target: string,
  before: (request: string, body: Buffer) => Promise<unknown>,
  after: (request: string) => Promise<unknown> = async () => undefined,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    try {
      const { method = "", url = "", headers } = request;
      const body = await buffer(request);
      const name = `${method} ${url.split("?")[0]}`;
      await before(name, body);
      const { host: _host, connection: _connection, "content-length": _length, ...kept } = headers;
      const answer = await fetch(target + url, {
        method,
        headers: kept as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const content = Buffer.from(await answer.arrayBuffer());
      const sent = [...answer.headers].filter(
        ([name]) => !/^(?:content-(?:length|encoding)|transfer-encoding|connection)$/.test(name),
      );
      await after(name);
      response.writeHead(answer.status, Object.fromEntries(sent)).end(content);
    } catch (error) {
      if (typeof error === "number") response.writeHead(error).end("<html></html>");
      else response.destroy(error as Error);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
