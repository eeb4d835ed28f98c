import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIPv6, type Socket } from "node:net";
import { Problem } from "../submission/problems.ts";

/** What the tunnel leads to. `host` is the name in sentences, `address` is what the proxy is told. */
export interface TunnelTarget {
  host: string;
  address: string;
  port: number;
}

/**
 * Opens a connection through an HTTP proxy by CONNECT (RFC 9110, section 9.3.6). The proxy is told an address and never
 * a name, because it might resolve the name to another address than the one that was allowed.
 *
 * @throws Problem `network_unreachable` about the proxy, or about what it does not reach
 */
export async function openTunnel(proxy: URL, target: TunnelTarget, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const address = isIPv6(target.address) ? `[${target.address}]` : target.address;
  const authority = `${address}:${target.port}`;
  const request = (proxy.protocol === "https:" ? requestSecure : requestPlain)({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || undefined,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...credentials(proxy) },
    agent: false,
  });
  const late = setTimeout(() => request.destroy(new Error("The proxy does not answer")), timeoutMs);
  const fail = (why: string, cause?: unknown) =>
    reject(new Problem("network_unreachable", `This service’s proxy ${why}`, { cause }));
  request.once("connect", ({ statusCode = 0 }, socket: Socket, head) => {
    if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket);
    socket.destroy();
    fail(`does not lead to “${target.host}” (HTTP ${statusCode})`);
  });
  // A proxy that answers CONNECT like any other request is none.
  request.once("response", (response) => {
    response.destroy();
    fail(`does not lead to “${target.host}” (HTTP ${response.statusCode})`);
  });
  request.once("error", (error) => fail("cannot be reached", error));
  request.end();
  return promise.finally(() => clearTimeout(late));
}

function credentials({ username, password }: URL): { "proxy-authorization"?: string } {
  if (username === "" && password === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain).toString("base64")}` };
}
